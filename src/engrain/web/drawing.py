"""Drawing: numbers → small pictures in SVG. Colours are classes, so that the style sheet decides them.

Each picture says in words what it shows, because not everybody sees it. Nothing is drawn where there is nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log
from typing import NamedTuple

from markupsafe import Markup, escape

SPARK_WIDTH, SPARK_HEIGHT, GAP = 5, 22, 2
STEPS = 72


def _svg(width: float, height: float, says: str, inner: str, kind: str, *, role: str = "img") -> Markup:
    # What is inside is made of numbers and of escaped texts.
    return Markup(  # noqa: S704
        f'<svg class="{kind}" viewBox="0 0 {width:g} {height:g}" role="{role}" aria-label="{escape(says)}"'
        f' width="{width:g}" height="{height:g}" focusable="false">{inner}</svg>'
    )


def _wide(height: int, says: str, inner: str, kind: str) -> Markup:
    return Markup(  # noqa: S704
        f'<svg class="{kind}" width="100%" height="{height}" role="img" aria-label="{escape(says)}" focusable="false">'
        f"{inner}</svg>"
    )


def sparkline(values: Sequence[int]) -> Markup:
    """How often something came, week by week."""
    most = max(values, default=0) or 1
    bars = []
    for place, value in enumerate(values):
        tall = max(2.0, value / most * SPARK_HEIGHT) if value else 1.0
        kind = "bar" if value else "bar none"
        x = place * (SPARK_WIDTH + GAP)
        bars.append(
            f'<rect class="{kind}" x="{x}" y="{SPARK_HEIGHT - tall:.1f}" width="{SPARK_WIDTH}" height="{tall:.1f}"/>'
        )
    says = f"{len(values)} weeks, the last one last: " + ", ".join(map(str, values))
    return _svg(len(values) * (SPARK_WIDTH + GAP) - GAP, SPARK_HEIGHT, says, "".join(bars), "spark")


def share(part: float, of: float = 1.0, says: str = "") -> Markup:
    """A bar that is filled so far."""
    filled = 100 * max(0.0, min(1.0, part / of if of else 0.0))
    inner = (
        '<rect class="track" width="100" height="6" rx="3"/>'
        f'<rect class="fill" width="{filled:.1f}" height="6" rx="3"/>'
    )
    return _svg(100, 6, says or f"{filled:.0f} %", inner, "share")


class Curve(NamedTuple):
    """Beta(α, β) as it is drawn: its shape, and the interval that is shown."""

    alpha: float
    beta: float
    low: float
    high: float


def density(curve: Curve, *, width: int = 160, height: int = 44) -> Markup:
    """What is believed of a fix, from never (left) to always (right), and how sure that is."""
    xs = [(n + 0.5) / STEPS for n in range(STEPS)]
    heights = [_beta(curve, x) for x in xs]
    # A curve that climbs at an end has no highest point.
    top = max(sorted(heights)[-3], 1e-9)
    floor = height - 1.0
    points = [(x * width, floor - min(1.0, tall / top) * (height - 5)) for x, tall in zip(xs, heights, strict=True)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    left, right = curve.low * width, curve.high * width
    mean = curve.alpha / (curve.alpha + curve.beta)
    inside = [(x, y) for x, y in points if left <= x <= right]
    area = " ".join(f"{x:.1f},{y:.1f}" for x, y in [(left, floor), *inside, (right, floor)])
    inner = (
        f'<polygon class="sure" points="{area}"/><polyline class="line" points="{path}"/>'
        f'<line class="axis" x1="0" x2="{width}" y1="{floor}" y2="{floor}"/>'
        f'<line class="mean" x1="{mean * width:.1f}" x2="{mean * width:.1f}" y1="2" y2="{floor}"/>'
    )
    says = f"believed to work {mean:.0%} of the time, between {curve.low:.0%} and {curve.high:.0%}"
    return _svg(width, height, says, inner, "density")


def _beta(curve: Curve, x: float) -> float:
    a, b = curve.alpha, curve.beta
    return exp((a - 1) * log(x) + (b - 1) * log(1 - x) + lgamma(a + b) - lgamma(a) - lgamma(b))


class Bar(NamedTuple):
    """One week of a trend: the whole, the part that is marked, and what stands below."""

    whole: int
    part: int
    label: str


def trend(bars: Sequence[Bar], *, whole: str, part: str, height: int = 200) -> Markup:
    """Weeks side by side, the whole behind its part; as wide as the page, with letters that keep their size."""
    most = max((bar.whole for bar in bars), default=0) or 1
    step = _nice(most)
    top = step * -(-most // step)
    floor, head = height - 24, 14
    left, each = 5.0, 95.0 / max(len(bars), 1)
    inner = []
    for mark in range(0, top + 1, step):
        y = floor - mark / top * (floor - head)
        inner.append(f'<line class="grid" x1="0" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>')
        inner.append(f'<text class="tick" x="0" y="{y - 4:.1f}">{mark:,}</text>' if mark else "")
    for place, bar in enumerate(bars):
        x, wide = left + place * each + each * 0.17, each * 0.66
        for value, kind in ((bar.whole, "whole"), (bar.part, "part")):
            tall = value / top * (floor - head)
            inner.append(
                f'<rect class="{kind}" x="{x:.2f}%" y="{floor - tall:.1f}" width="{wide:.2f}%" height="{tall:.1f}"'
                f' rx="2">'
                f"<title>{escape(bar.label)}: {bar.whole:,} {escape(whole)}, {bar.part:,} {escape(part)}</title></rect>"
            )
        if place % max(1, len(bars) // 4) == 0:
            inner.append(f'<text class="tick" x="{x:.2f}%" y="{height - 6}">{escape(bar.label)}</text>')
    says = f"{whole} and {part} by week: " + "; ".join(f"{b.label}: {b.whole}, {b.part}" for b in bars)
    return _wide(height, says, "".join(inner), "trend")


def _nice(most: int) -> int:
    """A step that gives two to five lines."""
    step = 1
    while most / step > 4:
        step = {1: 2, 2: 5}.get(int(str(step)[0]), 10) * 10 ** (len(str(step)) - 1)
    return step


def outcomes(times: Sequence[tuple[int, bool]], *, height: int = 56) -> Markup:
    """How a fix went each time, from the first to the last: above the line it worked, below it failed."""
    if not times:
        return Markup("")
    first, last = min(time for time, _ in times), max(time for time, _ in times)
    span, middle = max(last - first, 1), height / 2
    inner = [f'<line class="axis" x1="0" x2="100%" y1="{middle}" y2="{middle}"/>']
    for time, worked in sorted(times):
        x = 1 + (time - first) / span * 98
        y = middle - 13 if worked else middle + 13
        inner.append(f'<circle class="{"good" if worked else "bad"}" cx="{x:.2f}%" cy="{y}" r="4.5"/>')
    good = sum(worked for _, worked in times)
    return _wide(height, f"worked {good} of {len(times)} times", "".join(inner), "outcomes")


class Span(NamedTuple):
    """Something that went on in a session: when, in which lane, what it is and where it is told."""

    began: int
    ended: int
    lane: str
    kind: str
    says: str
    anchor: str


def timeline(spans: Sequence[Span], lanes: Sequence[str], start: int, end: int, *, width: int = 960) -> Markup:
    """A session from left to right, a lane for each kind of thing; each leads to where it is told."""
    row, left = 26, 84
    height = row * len(lanes) + 8
    span = max(end - start, 1)
    room = width - left - 8
    inner = []
    for place, lane in enumerate(lanes):
        y = 4 + place * row + row / 2
        inner.append(f'<line class="grid" x1="{left}" x2="{width}" y1="{y}" y2="{y}"/>')
        inner.append(f'<text class="lane" x="0" y="{y + 4}">{escape(lane)}</text>')
    for each in spans:
        if each.ended < start or each.began > end or each.lane not in lanes:
            continue
        x = left + (max(each.began, start) - start) / span * room
        wide = max(4.0, (min(each.ended, end) - max(each.began, start)) / span * room)
        y = 4 + lanes.index(each.lane) * row + 6
        inner.append(
            f'<a href="#{escape(each.anchor)}"><rect class="{escape(each.kind)}" x="{min(x, width - 6):.1f}" y="{y}"'
            f' width="{wide:.1f}" height="{row - 12}" rx="2"><title>{escape(each.says)}</title></rect></a>'
        )
    says = f"{len(spans)} things from the first to the last"
    return _svg(width, height, says, "".join(inner), "timeline", role="group")


def curve(
    steps: Sequence[float], series: Sequence[Sequence[float | None]], names: Sequence[str], *, width: int = 720,
    height: int = 180,
) -> Markup:  # fmt: skip
    """Numbers by step, a line for each name."""
    values = [value for line in series for value in line if value is not None]
    if len(steps) < 2 or not values:
        return Markup("")
    low, high, first, last = min(values), max(values), steps[0], steps[-1]
    across, up = (width - 8) / max(last - first, 1e-9), (height - 28) / max(high - low, 1e-9)
    inner = [f'<line class="axis" x1="0" x2="{width}" y1="{height - 18}" y2="{height - 18}"/>']
    for number, line in enumerate(series):
        told = [(step, value) for step, value in zip(steps, line, strict=True) if value is not None]
        points = " ".join(f"{4 + (x - first) * across:.1f},{height - 20 - (y - low) * up:.1f}" for x, y in told)
        inner.append(f'<polyline class="curve c{number % 4}" points="{points}"/>')
    inner.append(f'<text class="tick" x="0" y="{height - 4}">{first:g}</text>')
    inner.append(f'<text class="tick" x="{width}" y="{height - 4}" text-anchor="end">{last:g}</text>')
    says = "; ".join(
        f"{name} from {_first(line):.4g} to {_first(line[::-1]):.4g}" for name, line in zip(names, series, strict=True)
    )
    return _svg(width, height, says, "".join(inner), "curves")


def _first(values: Sequence[float | None]) -> float:
    return next((value for value in values if value is not None), 0.0)


def histogram(values: Sequence[float], *, bins: int = 32, width: int = 480, height: int = 72) -> Markup:
    """How values spread, up to the longest but one in a hundred."""
    if not values:
        return Markup("")
    ordered = sorted(values)
    top = max(ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)], 1e-9)
    counts = [0] * bins
    for value in ordered:
        counts[min(bins - 1, int(value / top * bins))] += 1
    most, each = max(counts), width / bins
    inner = "".join(
        f'<rect class="bar" x="{n * each:.1f}" y="{height - 14 - count / most * (height - 18):.1f}"'
        f' width="{each - 1:.1f}" height="{count / most * (height - 18):.1f}"/>'
        for n, count in enumerate(counts)
    )
    inner += f'<text class="tick" x="0" y="{height - 2}">0</text>'
    inner += f'<text class="tick" x="{width}" y="{height - 2}" text-anchor="end">{top:.0f} ms</text>'
    middle = ordered[len(ordered) // 2]
    return _svg(width, height, f"half of {len(ordered)} runs took at most {middle:.0f} ms", inner, "histogram")


DRAWINGS = {each.__name__: each for each in (sparkline, share, density, trend, outcomes, timeline, curve, histogram)}
