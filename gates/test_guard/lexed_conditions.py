"""Which tokens of a test run under a condition only, in JavaScript, Go and Rust: what they assert may never be asked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from gates.test_guard.lexed_questions import behind_questions
from gates.test_guard.tokens import Brackets, Kind, Language, Tokens, closing

_OPENS, _CLOSES = frozenset("([{"), frozenset(")]}")
_ASSERTING = {
    Language.JAVASCRIPT: frozenset({"expect", "assert", "should", "fail", "throw", "reject", "t"}),
    Language.GO: frozenset(
        {"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow", "assert", "require", "panic"}
    ),
    Language.RUST: frozenset(
        {"assert", "assert_eq", "assert_ne", "panic", "unreachable", "unwrap", "expect"}
    ),
}
_LEAVING = frozenset({"return", "continue", "break", "Skip", "Skipf", "SkipNow", "skip"})
_CHOICES = frozenset({"switch", "match", "select"})
# Methods in Rust that call what they are given where there is nothing, or no error.
_OTHERWISE = frozenset(
    {"unwrap_or_else", "or_else", "map_err", "map_or_else", "and_then", "ok_or_else"}
)
# Methods that call what they are given for each element, and never for none.
_GOES_THROUGH = {
    Language.JAVASCRIPT: frozenset(
        {"forEach", "map", "flatMap", "filter", "some", "every", "find", "findIndex", "findLast"}
        | {"reduce", "reduceRight"}
        | {"sort", "toSorted", "replace", "replaceAll"}
        # For each event, and there may be none.
        | {"on", "once", "addEventListener", "addListener"}
    ),
    Language.GO: frozenset({"Slice", "SliceStable", "SortFunc", "SortStableFunc", "SetFinalizer"}),
    Language.RUST: frozenset(
        {"for_each", "try_for_each", "map", "filter", "filter_map", "flat_map", "inspect", "fold"}
        | {"all", "any", "is_some_and", "is_ok_and", "is_none_or", "map_or", "then"}
        | {"sort_by", "sort_by_key", "sort_unstable_by"}
        | _OTHERWISE
    ),
}
# They call what they are given only where there are two elements, or what they look for.
_PERHAPS = frozenset(
    {"sort", "toSorted", "replace", "replaceAll", "sort_by", "sort_by_key", "sort_unstable_by"}
    | {"Slice", "SliceStable", "SortFunc", "SortStableFunc", "SetFinalizer"}
)
# They fail for what is not true.
_IS_TRUE = frozenset({"toBe", "toEqual", "toStrictEqual", "toBeTruthy"})
_SAYS_TRUE = frozenset({"assert", "ok", "isTrue", "true", "truthy"})
_BEFORE_AN_OPERAND = frozenset({"&&", "||", "??", "?"})
# Of a statement without a block as many tokens are looked at: `if (a) return await expect(…)`.
_STATEMENT_TOKENS = 4
# How far a list's type is read, and what it says before its rows.
_TYPE_TOKENS_MAX = 40
_HEAD_TOKENS_MAX = 200
# A chain of calls is followed back over so many words and brackets.
_CHAIN_MAX = 40


@dataclass(frozen=True)
class Conditions:
    """For each token, by where it starts: under how many conditions it stands, and whether the block around
    it is that of a condition.
    """

    depths: dict[int, int]
    is_own: dict[int, bool]

    def over(self, start: int) -> bool:
        return self.depths.get(start, 0) > 0

    def beyond_own(self, start: int) -> bool:
        """Whether there is one around the one that is the assertion: `if got != want { t.Fatal() }`."""
        return self.depths.get(start, 0) - self.is_own.get(start, False) > 0


NO_CONDITIONS = Conditions({}, {})


def conditions(body: Tokens, language: Language, filled: frozenset[str]) -> Conditions:
    """`filled` are names of lists in which something stands for sure."""
    read = _Read.of(body, language, filled)
    steps = [0] * (len(body) + 1)
    for start, end in (*read.ranges(), *behind_questions(body, language, read.ends)):
        steps[start] += 1
        steps[end] -= 1
    depths = {token.start: depth for token, depth in zip(body, accumulate(steps), strict=False)}
    return Conditions(depths, dict(read.innermost()))


def filled_lists(tokens: Tokens, language: Language) -> frozenset[str]:
    """Names that are given a list with elements; in Go a number, too."""
    return frozenset(
        name
        for at, token in enumerate(tokens)
        if token.text in {"=", ":="} and (name := name_before(tokens, at))
        if _has_elements(tokens[at + 1 : at + 1 + _HEAD_TOKENS_MAX], language)
    )


def name_before(tokens: Tokens, at: int) -> str:
    """`rows` of `rows :=`, `let rows: Vec<u8> =` and `const rows: Row[] =`."""
    depth = 0
    first = at if tokens[at].text == ":=" else max(at - _TYPE_TOKENS_MAX, -1)
    for place in range(at - 1, first, -1):
        text = tokens[place].text
        # The type may have members of its own: `rows: { count: number; cost: number }[]`.
        depth += (text in _CLOSES) - (text in _OPENS)
        if depth == 0 and text in {"let", "const", "var", "static", "mut"}:
            return tokens[place + 1].text
        if depth < 0 or (depth == 0 and text in {";", "=", ":="}):
            break
    return tokens[at - 1].text if at and tokens[at - 1].kind is Kind.WORD else ""


def _has_elements(value: Tokens, language: Language) -> bool:
    texts = [one.text for one in value]
    if language is Language.GO:
        is_list = texts[:2] == ["[", "]"] or texts[:1] == ["["] or texts[:1] == ["map"]
        brace = texts.index("{") if is_list and "{" in texts else -1
        if "struct" in texts[: max(brace, 0)]:
            # The rows stand behind the fields.
            close = closing(value, brace)
            return texts[close + 1 : close + 2] == ["{"] and texts[close + 2 : close + 3] != ["}"]
        if value and texts[0].isdigit():
            # `range 3`: what stands alone in its line.
            return texts[0] != "0" and value[0].line < value[1].line if len(value) > 1 else False
        return brace >= 0 and texts[brace + 1 : brace + 2] != ["}"]
    while texts[:1] and texts[0] in {"&", "vec", "!", "new", "Set", "Map", "(", "mut"}:
        texts = texts[1:]
    return texts[:1] in (["["], ["{"]) and texts[1:2] not in (["]"], ["}"])


@dataclass(frozen=True)
class _Read:
    """A body with what is asked of it again and again, so that each token is looked at a few times only.

    `ends`: where each bracket closes, and `begins` where each closing one opens. `asserting` and `leaving`: how many such words stand before a place.
    """

    body: Tokens
    language: Language
    filled: frozenset[str]
    ends: Sequence[int]
    begins: Sequence[int]
    outer_ends: Sequence[int]
    asserting: Sequence[int]
    leaving: Sequence[int]
    chains: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, body: Tokens, language: Language, filled: frozenset[str]) -> "_Read":
        found = Brackets.of(body)
        outer = [found.ends[one] if one >= 0 else len(body) for one in found.outer]
        words = _ASSERTING[language]
        return cls(
            body,
            language,
            filled,
            found.ends,
            found.begins,
            outer,
            [0, *accumulate(one.text in words for one in body)],
            [0, *accumulate(one.text in _LEAVING for one in body)],
        )

    def ranges(self) -> Iterator[tuple[int, int]]:
        """What stands under a condition, one range for each of them."""
        for at, token in enumerate(self.body):
            word = token.text
            if word == "if":
                yield from self._choice(at)
            elif word == "else" and self._text(at - 1) != "}" and self._text(at + 1) == "{":
                # `let Some(n) = of() else { return };`
                yield from self._behind(at + 1, self._end(at + 1))
            elif word in {"for", "while"}:
                brace = self._brace(at)
                if not self._goes_through(at, brace):
                    yield brace, self._end(brace)
            elif word in _CHOICES and self._text(at + 1) != "!":
                brace = self._brace(at)
                # One arm that asserts is one of several ways.
                if self._count(self.asserting, brace, self._end(brace)) == 1:
                    yield brace, self._end(brace)
            elif word == "try" and self._text(at + 1) == "{":
                yield from self._caught(at + 1)
            elif word in _GOES_THROUGH[self.language] and self._text(at + 1) == "(":
                if self._text(at - 1) == "." and self._may_call_nothing(at):
                    yield at + 1, self._end(at + 1)
            elif word in _BEFORE_AN_OPERAND and self._text(at + 1) in {"expect", "assert"}:
                yield at + 1, min(at + 2, len(self.body))

    def _may_call_nothing(self, at: int) -> bool:
        """Whether a method may have nothing to call what it is given for."""
        if self.body[at].text in _OTHERWISE:
            # What only tells of a failure is the condition's own word.
            inside = self.body[at : self._end(at + 1)]
            return any(one.text.startswith("assert") for one in inside)
        is_perhaps = self.body[at].text in _PERHAPS
        return is_perhaps or not self._holds_some(self._receiver(at - 1), at)

    def innermost(self) -> Iterator[tuple[int, bool]]:
        """For each token whether the block around it is that of an `if` or of a `switch`."""
        blocks = {
            self._brace(at) for at, one in enumerate(self.body) if one.text in {"if", "switch"}
        }
        inside: list[bool] = []
        for at, token in enumerate(self.body):
            if token.kind is Kind.SIGN and token.text == "{":
                inside.append(at in blocks)
            elif token.kind is Kind.SIGN and token.text == "}" and inside:
                inside.pop()
            yield token.start, bool(inside and inside[-1])

    def _choice(self, at: int) -> Iterator[tuple[int, int]]:
        start = self._brace(at)
        if self._text(start) != "{":
            yield start, min(start + _STATEMENT_TOKENS, len(self.body))
            return
        end = self._end(start)
        if self._text(end + 1) == "else":
            last = self._last_of_chain(at, end + 2)
            if not (self._asserts(start, end) and self._asserts(end, last)):
                yield start, end
                if self._text(end + 2) == "{":
                    yield end + 2, last
            return
        yield start, end
        if not self._is_asserted_before(at, start):
            yield from self._behind(start, end)

    def _is_asserted_before(self, at: int, start: int) -> bool:
        """`expect(got.ok).toBe(true); if (!got.ok) { return; }`: it leaves where it has failed already."""
        asked = [one.text for one in self.body[at + 2 : min(start - 1, at + _CHAIN_MAX)]]
        place = at - 1 - (self._text(at - 1) == ";")
        if self.language is not Language.JAVASCRIPT or asked[:1] != ["!"] or place < 1:
            return False
        opened = self.begins[place] if self._text(place) == ")" else 0
        given = [one.text for one in self.body[opened + 1 : place]]
        if self._text(opened - 1) in _IS_TRUE and given in ([], ["true"]):
            place = opened - 3
            opened = self.begins[place] if self._text(place) == ")" else 0
            given = [one.text for one in self.body[opened + 1 : place]]
            return self._text(opened - 1) == "expect" and given == asked[1:]
        is_told = given[: len(asked)] in (asked[1:], [*asked[1:], ","])
        return is_told and self._text(opened - 1) in _SAYS_TRUE

    def _behind(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """What stands behind a block in which the test may leave, and nothing is asserted."""
        if self._count(self.leaving, start, end) and not self._asserts(start, end):
            yield end, max(end, min(self.outer_ends[start], len(self.body)))

    def _last_of_chain(self, at: int, other: int) -> int:
        """Where the last `else` of an `if` ends; each chain is gone through once."""
        if at not in self.chains:
            inside = [at]
            while self._text(other) == "if":
                inside.append(other)
                other = self._end(self._brace(other)) + 2
            last = self._end(other) if self._text(other) == "{" else other
            self.chains.update(dict.fromkeys(inside, last))
        return self.chains[at]

    def _caught(self, start: int) -> Iterator[tuple[int, int]]:
        """What is tried, where its failure goes on under a condition only."""
        end = self._end(start)
        if self._text(end + 1) != "catch":
            return
        brace = self._brace(end + 1)
        inside = self._end(brace)
        words = _ASSERTING[self.language]
        at = brace + 1
        while at < inside:
            if self.body[at].text == "if":
                opened = self._brace(at)
                at = self._end(opened)
                if self._count(self.leaving, opened, at):
                    break
            elif self.body[at].text in words:
                return
            at += 1
        if self._asserts(brace, inside):
            yield start, end

    def _goes_through(self, at: int, brace: int) -> bool:
        """Whether a loop runs at least once."""
        head = [one.text for one in self.body[at + 1 : brace]]
        if self.body[at].text == "while":
            return head in (["(", "true", ")"], ["true"])
        if not head:
            return True
        if ";" in head and self.language is not Language.RUST:
            # `i < 0` is over before it begins.
            return not any(a == "<" and b == "0" for a, b in pairwise(head))
        span = head[-1].partition("..") if self.language is Language.RUST else ("", "", "")
        if span[1]:
            return span[0] != span[2]
        if self.language is Language.GO and "range" not in head:
            return False
        if head[-1:] and head[-1][0].isdigit() and self.language is Language.GO:
            return head[-1] != "0"
        if self.language is Language.GO:
            # `for _, row := range []Row{{1, 5}} {`
            head_at = at + 2 + head.index("range")
            if _has_elements(self.body[head_at:brace], self.language):
                return True
        return self._is_filled(at + 1, brace)

    def _is_filled(self, start: int, end: int) -> bool:
        """Whether something stands in what is gone through."""
        texts = [one.text for one in self.body[start:end]]
        if {"filter", "make"}.intersection(texts):
            return False
        if self.language is Language.RUST and (";", "0") in pairwise(texts):
            return False
        starts = {"of", "in", "range", "{", "}", "=>"}
        starts |= {";"} if self.language is not Language.RUST else set()
        first = max((at for at, text in enumerate(texts) if text in starts), default=-1)
        texts = texts[first + 1 :] if texts[first : first + 1] != ["}"] else texts
        if self.language is Language.GO and texts[-2:] == ["{", "}"]:
            # The type of a list that has no elements.
            return False
        return bool(self.filled.intersection(texts)) or any(
            a == "[" and b not in {"]", "..."} for a, b in pairwise(texts)
        )

    def _receiver(self, dot: int) -> int:
        """Where a chain of calls begins that goes on at a dot."""
        at = dot
        for _ in range(_CHAIN_MAX):
            before = self.body[at - 1] if at else None
            if before is None:
                break
            if before.kind is Kind.SIGN and before.text in _CLOSES:
                at = self.begins[at - 1]
                is_called = at > 0 and self.body[at - 1].kind is Kind.WORD
                at -= is_called or self._text(at - 1) == "!"
                continue
            if before.kind is Kind.SIGN and before.text not in {".", "::", "!", "?.", "&"}:
                break
            if before.text in {"return", "await", "const", "let", "of", "in"}:
                break
            at -= 1
        return at

    def _holds_some(self, start: int, end: int) -> bool:
        """Whether something stands for sure in what a method is called of."""
        texts = [one.text for one in self.body[start:end]]
        nothing = {(";", "0"), (":", "0")} if "length" in texts else {(";", "0")}
        if "filter" in texts or nothing.intersection(pairwise(texts)):
            return False
        spans = (text.partition("..") for text in texts)
        return (
            bool(self.filled.intersection(texts))
            or any((a in {"[", "{"} and b not in _CLOSES | {"..."}) for a, b in pairwise(texts))
            or any(dots and a != b for a, dots, b in spans)
        )

    def _brace(self, at: int) -> int:
        """Where the block of a condition begins; in JavaScript, the statement."""
        if self.language is Language.JAVASCRIPT and self._text(at + 1) in {"(", "await"}:
            opened = at + 1 if self._text(at + 1) == "(" else at + 2
            return min(self._end(opened) + 1, len(self.body) - 1)
        place = at + 1
        while place < len(self.body) and self.body[place].text != "{":
            is_open = self.body[place].kind is Kind.SIGN and self.body[place].text in {"(", "["}
            place = self._end(place) + 1 if is_open else place + 1
        while self._text(self._end(place) + 1) == "{":
            # `range []int{1} {`: the first is that of a list.
            place = self._end(place) + 1
        return min(place, len(self.body) - 1)

    def _end(self, at: int) -> int:
        return min(self.ends[at], len(self.body) - 1) if at < len(self.body) else len(self.body) - 1

    def _text(self, at: int) -> str:
        return self.body[at].text if 0 <= at < len(self.body) else ""

    def _asserts(self, start: int, end: int) -> bool:
        return self._count(self.asserting, start, end) > 0

    def _count(self, before: Sequence[int], start: int, end: int) -> int:
        return before[min(max(end, start), len(self.body))] - before[start]


def is_nothing(body: Tokens, at: int) -> bool:
    """`for (… of [])`, `for … in 0..0`, `for range []int(nil)`."""
    head = [one.text for one in body[at : at + 10]]
    head = head[: head.index("{")] if "{" in head else head
    if "of" in head and head[head.index("of") + 1 :][:2] == ["[", "]"]:
        return True
    if {"nil", "range"} <= set(head) or " ".join(head[-2:]) == "range 0":
        return True
    span = head[head.index("in") + 1 :] if "in" in head else []
    first, dots, last = span[0].partition("..") if span else ("", "", "")
    return bool(dots) and first == last.removeprefix("=") and not last.startswith("=")


def if_conditions(tokens: Tokens) -> Iterator[Tokens]:
    """For each token the condition of the `if` in whose block it stands; empty in other blocks."""
    inside: list[Tokens] = [()]
    for place, token in enumerate(tokens):
        if token.text == "}" and len(inside) > 1:
            inside.pop()
        yield inside[-1]
        if token.text == "{":
            start = place
            while start > 0 and tokens[start].text != "if" and place - start < 60:
                start -= 1
            inside.append(tokens[start + 1 : place] if tokens[start].text == "if" else ())
