"""Plot: lines and bars as SVG, by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT, LEFT, BELOW = 640, 300, 56, 36
_COLOURS = ("#2563eb", "#d97706", "#059669", "#dc2626")

Line = Sequence[tuple[float, float]]


def lines(title: str, series: Mapping[str, Line], across: str = "step") -> str:
    """Curves over one axis."""
    points = [point for line in series.values() for point in line]
    if not points:
        return _page(title, "")
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = min(y for _, y in points), max(y for _, y in points)
    parts = [_frame(low, high, left, right, across)]
    for number, (name, line) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        path = " ".join(f"{_x(x, left, right):.1f},{_y(y, low, high):.1f}" for x, y in line)
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{path}"/>')
        parts.append(f'<text x="{WIDTH - 150}" y="{44 + 16 * number}" fill="{colour}">{escape(name)}</text>')
    return _page(title, "".join(parts))


def bars(title: str, values: Mapping[str, float]) -> str:
    """A bar for each name, the largest first."""
    shown = sorted(values.items(), key=lambda pair: -pair[1])[:16]
    most = max((value for _, value in shown), default=1) or 1
    parts = []
    for number, (name, value) in enumerate(shown):
        y = 34 + 16 * number
        width = (WIDTH - 290) * value / most
        parts.append(f'<text x="178" y="{y + 10}" text-anchor="end">{escape(name[:28])}</text>')
        parts.append(f'<rect x="184" y="{y}" width="{width:.1f}" height="12" fill="{_COLOURS[0]}"/>')
        parts.append(f'<text x="{190 + width:.1f}" y="{y + 10}">{value:,.4g}</text>')
    return _page(title, "".join(parts))


def histogram(values: Sequence[float], number: int = 12) -> dict[str, float]:
    """How many values lie in each of some equal ranges."""
    if not values:
        return {}
    low, high = min(values), max(values)
    wide = (high - low) / number or 1.0
    found = [0.0] * number
    for value in values:
        found[min(number - 1, int((value - low) / wide))] += 1
    return {f"{low + place * wide:,.0f} and more": each for place, each in enumerate(found)}


def _frame(low: float, high: float, left: float, right: float, across: str) -> str:
    bottom = HEIGHT - BELOW
    return (
        f'<path d="M{LEFT} 30V{bottom}H{WIDTH - 10}" fill="none" stroke="#94a3b8"/>'
        f'<text x="{LEFT - 6}" y="40" text-anchor="end">{high:.3g}</text>'
        f'<text x="{LEFT - 6}" y="{bottom}" text-anchor="end">{low:.3g}</text>'
        f'<text x="{LEFT}" y="{bottom + 16}">{left:.0f}</text>'
        f'<text x="{WIDTH - 10}" y="{bottom + 16}" text-anchor="end">{right:.0f} {escape(across)}</text>'
    )


def _x(x: float, left: float, right: float) -> float:
    return LEFT + (WIDTH - 10 - LEFT) * ((x - left) / (right - left) if right > left else 0.5)


def _y(y: float, low: float, high: float) -> float:
    bottom = HEIGHT - BELOW
    return bottom - (bottom - 34) * ((y - low) / (high - low) if high > low else 0.5)


def _page(title: str, inside: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        f' font-size="11"><text x="12" y="18" font-size="13">{escape(title)}</text>{inside}</svg>\n'
    )
