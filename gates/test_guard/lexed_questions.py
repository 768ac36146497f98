"""What a `?` of Rust or a `?.` of JavaScript may leave out, where nobody hears of it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gates.test_guard.tokens import Language, Tokens

# They fail with what they are called of.
_TAKES = frozenset({"unwrap", "expect", "unwrap_err", "expect_err", "?", "match", "assert"})
# How far the head of a function is read, and what a statement does with its answer.
_HEAD_TOKENS_MAX = 40
_BEHIND_TOKENS_MAX = 40
# So many parts of a chain are followed, and uses of one function.
_CHAIN_MAX = 40
_USES_MAX = 10


def behind_questions(
    body: Tokens, language: Language, ends: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """What runs under a condition only, by such a sign; `ends`: where each bracket closes."""
    read = _Read(body, ends)
    for at, token in enumerate(body):
        if language is Language.JAVASCRIPT and token.text == "?.":
            yield from read.behind_something(at)
        elif language is Language.RUST and token.text in {"|", "||", "fn"}:
            yield from read.behind_question(at)


@dataclass
class _Read:
    body: Tokens
    ends: Sequence[int]
    places: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def behind_something(self, at: int) -> Iterator[tuple[int, int]]:
        """What a call is given that is not made where there is nothing to call: `undefined?.(…)`."""
        place = at + 1
        for _ in range(_CHAIN_MAX):
            before, text = self._text(place - 1), self._text(place)
            if text in {"(", "["}:
                yield place, self._end(place)
                place = self._end(place) + 1
            elif text == "." or (text and before in {"?.", "."}):
                place += 1
            else:
                return

    def behind_question(self, at: int) -> Iterator[tuple[int, int]]:
        """What follows a `?` in a function whose answer nobody looks at."""
        brace = self._body_of_function(at)
        if brace is None:
            return
        end = self._end(brace)
        place = brace + 1
        while place < end and self._text(place) != "?":
            place = self._end(place) + 1 if self._text(place) == "{" else place + 1
        calls = self._calls_of(at, end) if place < end else []
        if calls and all(self._is_let_go(*one) for one in calls):
            yield place, end

    def _body_of_function(self, at: int) -> int | None:
        """Where the block begins of a closure, or of a `fn`."""
        near = range(at + 1, min(at + _HEAD_TOKENS_MAX, len(self.body)))
        behind = at + 1
        if self._text(at) == "|":
            last = next((p for p in near if self._text(p) in {"|", ";", "{", "=>"}), at)
            if last == at or self._text(last) != "|":
                return None
            behind = last + 1
        if self._text(at) == "fn" or self._text(behind) == "->":
            behind = next((p for p in near if self._text(p) in {"{", ";"}), at)
        return behind if self._text(behind) == "{" else None

    def _calls_of(self, at: int, end: int) -> list[tuple[int, int]]:
        """Where calls of a function begin and end; none where it is used in another way."""
        first = at - (self._text(at - 1) == "move")
        if self._text(first - 1) == "(" and self._text(end + 1) == ")":
            return [(first - 1, self._end(end + 2))] if self._text(end + 2) == "(" else []
        name = self._text(at + 1) if self._text(at) == "fn" else ""
        name = self._text(first - 2) if self._text(first - 1) == "=" else name
        uses = [p for p in self._places_of(name) if not first - _HEAD_TOKENS_MAX <= p <= end]
        is_called = all(self._text(p + 1) == "(" for p in uses) and len(uses) <= _USES_MAX
        return [(p, self._end(p + 1)) for p in uses] if is_called else []

    def _places_of(self, name: str) -> list[int]:
        if not self.places:
            for at, one in enumerate(self.body):
                self.places[one.text].append(at)
        return self.places[name][: _USES_MAX + 2] if name else []

    def _is_let_go(self, start: int, end: int) -> bool:
        """Whether a statement drops what stands there: `let _ = check();`, `check().ok();`."""
        given = [self._text(p) for p in range(start - 3, start)]
        is_first = given == ["let", "_", "="] or given[-1] in {";", "{", "}", ""}
        if not is_first and given[-2:] != ["drop", "("]:
            return False
        behind = [one.text for one in self.body[end + 1 : end + 1 + _BEHIND_TOKENS_MAX]]
        behind = behind[: behind.index(";")] if ";" in behind else behind
        return not _TAKES.intersection(behind)

    def _end(self, at: int) -> int:
        return min(self.ends[at], len(self.body) - 1) if at < len(self.body) else len(self.body) - 1

    def _text(self, at: int) -> str:
        return self.body[at].text if 0 <= at < len(self.body) else ""
