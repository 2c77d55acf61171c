"""Turn: text as it comes → what may be shown already, and when to end; at the end, what the whole turn is. Pure.

What is shown is never taken back: from where a call may begin, nothing goes out until the guard has seen it whole.
"""

from __future__ import annotations

import copy
from collections.abc import Collection
from typing import NamedTuple

from engrain.train.serving import calls, guard
from engrain.train.serving.calls import Call
from engrain.train.serving.guard import Before, Rules, Stopped

_EVERY = 24
"""Characters between two looks for circles."""


class Turn(NamedTuple):
    """An answer: what was thought, said and is called, and what was stopped, if anything."""

    thought: str
    text: str
    calls: tuple[Call, ...]
    stopped: Stopped | None


class Shown(NamedTuple):
    """What of a thought and of a text may be shown now."""

    thought: str
    text: str


class Speaking:
    """A turn while it is spoken. `begun` is what the template put at its beginning; `one`: one call at most."""

    def __init__(
        self, earlier: Before, rules: Rules, tools: Collection[str], *, begun: str = "", one: bool = False
    ) -> None:
        self._earlier, self._rules, self._tools, self._one = earlier, rules, tools, one
        self.begun, self.text, self.done = begun, begun, False
        self._thought, self._shown, self._closed, self._looked = 0, 0, 0, 0
        self._circled = False

    def hear(self, piece: str) -> Shown:
        """Another piece; what may be shown because of it. `done`: nothing more is needed."""
        self.text += piece
        thought, body, _ = calls.parts(self.text)
        upto = calls.shown(body, self._tools)
        self.done = self.done or self._ends(body, inside=upto < len(body.rstrip()))
        return Shown(self._next_thought(thought), self._next(body, upto))

    def _next_thought(self, thought: str) -> str:
        begin, self._thought = self._thought, max(self._thought, len(thought))
        return thought[begin:]

    def _next(self, body: str, upto: int) -> str:
        begin, self._shown = self._shown, max(self._shown, upto)
        found = body[begin : self._shown]
        return found if begin else found.lstrip()

    def _ends(self, body: str, *, inside: bool) -> bool:
        if len(self.text) - self._looked >= _EVERY:
            self._looked = len(self.text)
            self._circled = guard.circling(self.text, guard.IN_CALL if inside else guard.IN_TEXT)
        if (closed := calls.closed(body)) > self._closed:
            self._closed = closed
            found = calls.said(self.text, self._tools).calls
            if (self._one and found) or guard.looked(self._earlier, found, self._rules)[1]:
                return True
        return self._circled or (self._closed > 0 and calls.goes_on(body))

    @property
    def whole(self) -> bool:
        """Whether it calls something, and nothing in it is half of a call."""
        said = calls.said(self.text, self._tools)
        return bool(said.calls) and said.sound

    @property
    def repeats(self) -> bool:
        """Whether it calls what was called already, so that it may be asked for another call."""
        return guard.repeated(self._earlier, calls.said(self.text, self._tools).calls)

    def anew(self) -> Speaking:
        """The same turn where its call began."""
        body = calls.parts(self.text).body
        other = copy.copy(self)
        other.text = self.text[: len(self.text) - len(body) + calls.shown(body, self._tools)]
        other.done, other._closed, other._looked, other._circled = False, 0, 0, False
        return other

    def instead(self, other: Speaking) -> Speaking:
        """What the other one says, of which no more was shown than of this one."""
        same = copy.copy(self)
        same.text = other.text
        return same

    def end(self) -> tuple[Turn, Shown]:
        """The turn, and what of it is still to be shown."""
        said = calls.said(self.text, self._tools)
        made, stopped = guard.looked(self._earlier, said.calls[:1] if self._one else said.calls, self._rules)
        text = said.text
        shown = calls.parts(self.text).body[: self._shown].strip()
        if self._circled:
            stopped, text = guard.circled(), text if said.sound else shown
        elif not made and not stopped:
            stopped = guard.again(self._earlier, text, self._rules)
        if stopped:
            text = f"{text}\n\n{stopped.hint}" if text else stopped.hint
        rest = text[len(shown) :] if text.startswith(shown) else ""
        return Turn(said.thought, text, made, stopped), Shown(self._next_thought(said.thought), rest)
