"""Which part of a test's tokens counts: what can be reached, and whose failure is not caught."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gates.test_guard.lexed_conditions import is_nothing
from gates.test_guard.lexed_statements import behind_leaving, ends_statement
from gates.test_guard.lexed_unused import unused_functions
from gates.test_guard.tokens import Brackets, Kind, Language, Tokens, closing, next_opens


@dataclass(frozen=True)
class _Body:
    """A test's tokens with what is asked of them again and again.

    `places`: where each text stands in it, and `times` how often. `waits_from`: where it first waits for something, its
    length where it never does. `starts`: for each token, where the chain of calls begins that it is
    of. `opens`: the first `{` from each place on.
    """

    tokens: Tokens
    places: Mapping[str, Sequence[int]]
    times: Mapping[str, int]
    waits_from: int
    starts: Sequence[int]
    opens: Sequence[int]

    @classmethod
    def of(cls, tokens: Tokens) -> "_Body":
        texts = {one.text for one in tokens}
        # Nothing is waited for by a group in Go that nothing is added to.
        is_for_none = "WaitGroup" in texts and not texts & {"Add", "Go"}
        waiting = _WAITS - {"Wait", "WaitGroup"} if is_for_none else _WAITS
        waits = (at for at, one in enumerate(tokens) if one.text in waiting)
        places: defaultdict[str, list[int]] = defaultdict(list)
        for at, one in enumerate(tokens):
            places[one.text].append(at)
        times = {text: len(each) for text, each in places.items()}
        return cls(
            tokens, places, times, next(waits, len(tokens)), _starts(tokens), next_opens(tokens)
        )


def living(tokens: Tokens, language: Language) -> Tokens:
    """The tokens that can be reached, without blocks whose failures are caught."""
    if not tokens:
        return tokens
    body = _Body.of(tokens)
    brackets = Brackets.of(tokens)
    dead: set[int] = set()
    for spans in (
        behind_leaving(tokens, brackets, language),
        unused_functions(tokens, language, brackets, body.places),
    ):
        for start, end in spans:
            dead.update(range(start, end))
    block = body.opens[0]
    for at, token in enumerate(tokens):
        if at in dead:
            continue
        if token.text == "goto" and brackets.outer[at] == block:
            dead.update(range(at, brackets.ends[block]))
        else:
            dead.update(_dead(body, at, language))
    return [token for at, token in enumerate(tokens) if at not in dead]


def _dead(whole: _Body, at: int, language: Language) -> range:
    """What never runs, or whose failure nobody hears of, where that begins here; empty for what counts."""
    body = whole.tokens
    start, end = at, at
    match body[at].text:
        case "if":
            return _never_or_after(whole, at)
        case "async" | "stringify":
            end = _end_of_unasked(body, at, language)
        case "=>" | "Promise" | "forEach" if language is Language.JAVASCRIPT:
            start, end = _unheard(whole, at)
        case "for" | "try":
            end = _end_of_idle_block(whole, at)
        case "break" | "continue" if body[at - 1].text == "{" and _leaves_at_once(body, at):
            end = closing(body, at - 1)
        case "false" | "true" if _decides_alone(body, at):
            end = ends_statement(body, at)
        case "#" if language is Language.RUST and _text(body, at + 2) == "cfg":
            end = ends_statement(body, closing(body, at + 1) + 1)
        case "Do" | "catch_unwind" if _is_done_before(whole, at) or _is_forgotten(whole, at):
            end = closing(body, at + 1)
        case "then" | "catch" if _is_dropped(whole, at):
            start = whole.starts[at]
            end = ends_statement(body, start)
        case word if word in _LATER.get(language, ()) and whole.waits_from == len(body):
            end = ends_statement(body, at)
        case "const" | "let" | "var" | "function" if _is_never_waited_for(whole, at):
            end = ends_statement(body, at)
        case _:
            pass
    return range(start, end)


def _end_of_idle_block(whole: _Body, at: int) -> int:
    """Where a loop over nothing ends, or what is tried and forgotten; the place itself for others."""
    body = whole.tokens
    if body[at].text == "for":
        return closing(body, whole.opens[at]) if is_nothing(body, at) else at
    return closing(body, at + 1) if _is_swallowed(body, at) else at


def _never_or_after(whole: _Body, at: int) -> range:
    """The block of an `if` that never holds, or what stands behind one that always holds and returns."""
    block = whole.opens[at]
    if _is_never(whole.tokens, at):
        return range(at, closing(whole.tokens, block))
    end = closing(whole.tokens, block) if _is_always(whole.tokens, at) else block
    returns = any(one.text == "return" for one in whole.tokens[block:end])
    return range(end, _outer_end(whole.tokens, block)) if returns else range(at, at)


def _end_of_unasked(body: Tokens, at: int, language: Language) -> int:
    """Where something ends that nobody waits for, or that is only read as text; the place itself for others."""
    if language is not Language.RUST:
        return closing(body, at - 1) if _is_unawaited(body, at) else at
    if body[at].text == "stringify":
        return closing(body, at + 2) if _text(body, at + 1) == "!" else at
    # `let _ = async { … };`
    is_let_go = [one.text for one in body[max(at - 3, 0) : at]] == ["let", "_", "="]
    return ends_statement(body, at) if is_let_go else at


def _unheard(whole: _Body, at: int) -> tuple[int, int]:
    """A function that nobody calls, a promise that nobody waits for, and `forEach(async …)`, which waits for none."""
    body = whole.tokens
    match body[at].text:
        case "Promise":
            return _promise(whole, at)
        case "forEach" if [one.text for one in body[at + 1 : at + 3]] == ["(", "async"]:
            return at, closing(body, at + 1)
        case _:
            return at, at


# They settle whatever becomes of what they are given, or of most of it.
_SETTLE = frozenset({"allSettled", "race", "any"})


def _promise(whole: _Body, at: int) -> tuple[int, int]:
    """A promise that nobody waits for, or that does not fail with what it is made of."""
    body = whole.tokens
    start = at - 1 if _text(body, at - 1) in {"new", "void"} else at
    is_settled = _text(body, at + 1) == "." and _text(body, at + 2) in _SETTLE
    before = _text(body, start - 1)
    name = _text(body, start - 2) if before == "=" else ""
    is_dropped = (
        before in {";", "{", "}", "void"} or (start > 0 and body[start - 1].line < body[start].line)
    ) and before not in {"=", "(", ",", "[", "=>", "return", "await", "?", ":", "&&", "||"}
    said = [place for place in whole.places.get(name, ()) if _text(body, place - 1) != "."]
    is_dropped |= len(said) == 1
    if before == "await" and is_settled:
        is_dropped = (
            _text(body, start - 2) in {";", "{", "}"} or body[start - 2].line < body[start].line
        )
    if not is_dropped or "done" in whole.times:
        return at, at
    return at, ends_statement(body, at)


def is_waited_for(body: Tokens, at: int) -> bool:
    """Whether the call whose name stands here is part of something, and no statement of its own."""
    before = body[at - 1] if at else None
    is_first = before is None or before.text in {";", "{", "}", "void"}
    is_first |= before is not None and before.line < body[at].line and before.text not in _GOES_ON
    after = _text(body, closing(body, at + 1) + 1)
    return not is_first or after in {".", "?."}


_GOES_ON = frozenset({"=", "(", ",", "[", "=>", "return", "await", "?", ":", "&&", "||", "+", "."})


def _decides_alone(body: Tokens, at: int) -> bool:
    """`false && …` and `true || …` as a statement."""
    is_so = (body[at].text, _text(body, at + 1)) in {("false", "&&"), ("true", "||")}
    return is_so and (
        at == 0 or body[at - 1].text in {";", "{", "}"} or body[at - 1].line < body[at].line
    )


def _starts(body: Tokens) -> list[int]:
    found: list[int] = []
    opened: list[int] = []
    start = 0
    for at, token in enumerate(body):
        found.append(start)
        sign = token.text if token.kind is Kind.SIGN else ""
        if sign in {"(", "[", "{"}:
            opened.append(start)
            start = start if sign == "[" else at + 1
        elif sign in {")", "]", "}"}:
            start = opened.pop() if opened else 0
            start = at + 1 if sign == "}" else start
        elif sign in {";", ",", "=>", "="}:
            start = at + 1
    return found


def _is_dropped(whole: _Body, at: int) -> bool:
    """A `.then(…)` that is neither returned nor waited for, or a `.catch(…)` that lets nothing through."""
    body = whole.tokens
    if _text(body, at - 1) != "." or _text(body, at + 1) != "(":
        return False
    if body[at].text == "catch":
        return _lets_nothing_through(body[at + 1 : closing(body, at + 1)])
    if _lets_nothing_through(_second_argument(body[at + 2 : closing(body, at + 1)])):
        return True
    start = whole.starts[at]
    is_kept = _text(body, start) in {"return", "await"} or _text(body, start - 1) in {
        "=>",
        "=",
        "(",
        ",",
    }
    return not is_kept and whole.waits_from >= start and "done" not in whole.times


def _lets_nothing_through(handler: Tokens) -> bool:
    words = {one.text for one in handler}
    return "=>" in words and not words & {"throw", "expect", "assert", "fail", "done", "reject"}


def _second_argument(arguments: Tokens) -> Tokens:
    depth = 0
    for at, token in enumerate(arguments):
        text = token.text if token.kind is Kind.SIGN else ""
        depth += (text in {"(", "[", "{"}) - (text in {")", "]", "}"})
        if depth == 0 and text == ",":
            return arguments[at + 1 :]
    return ()


# What starts something that a test does not wait for by itself, and what waits for it.
_LATER = {
    Language.JAVASCRIPT: frozenset(
        {"setTimeout", "setInterval", "setImmediate", "queueMicrotask", "nextTick", "waitFor"}
    ),
    Language.GO: frozenset({"go", "AfterFunc"}),
    Language.RUST: frozenset({"spawn"}),
}
_WAITS = frozenset(
    (
        *(
            "await",
            "done",
            "Promise",
            "useFakeTimers",
            "runAllTimers",
            "advanceTimersByTime",
            "tick",
        ),
        *("Wait", "WaitGroup", "chan", "select", "Eventually", "synctest"),
        *("join", "recv", "scope", "block_on"),
    )
)


def _text(body: Tokens, at: int) -> str:
    return body[at].text if 0 <= at < len(body) else ""


def _is_never_waited_for(whole: _Body, at: int) -> bool:
    """Whether a function that is `async` gets a name here, and is only called where nobody hears of its failure."""
    body = whole.tokens
    value = at if body[at].text == "function" else at + 3
    if "async" not in {_text(body, value), _text(body, at - 1)} or not is_function(body, value):
        return False
    uses = [place for place in whole.places[_text(body, at + 1)] if place != at + 1]
    return all(_text(body, p + 1) == "(" and not is_waited_for(body, p) for p in uses)


def is_function(body: Tokens, at: int) -> bool:
    word = _text(body, at)
    if word in {"async", "move"}:
        at, word = at + 1, _text(body, at + 1)
    if word in {"func", "function", "fn", "|", "||"}:
        return True
    return word == "(" and _text(body, closing(body, at) + 1) == "=>"


def _is_done_before(whole: _Body, at: int) -> bool:
    """`once.Do(…)` behind another one of the same `sync.Once`, which is the one that runs."""
    body = whole.tokens
    if body[at].text != "Do" or _text(body, at - 1) != ".":
        return False
    name = _text(body, at - 2)
    made = (
        p for p in whole.places.get("Once", ())[:_LOOKED_AT_MAX] if _text(body, p - 2) == "sync"
    )
    is_once = any(name in {one.text for one in body[max(p - 5, 0) : p - 2]} for p in made)
    said = whole.places[name][:_LOOKED_AT_MAX]
    first = next((p for p in said if _text(body, p + 2) == "Do"), at)
    return is_once and first + 2 < at


# So many places are looked at for one.
_LOOKED_AT_MAX = 100


def _is_forgotten(whole: _Body, at: int) -> bool:
    """`let _ = catch_unwind(…);`, whose answer nobody looks at."""
    body = whole.tokens
    if body[at].text != "catch_unwind" or _text(body, at + 1) != "(":
        return False
    after = _text(body, closing(body, at + 1) + 1)
    start = at
    while start > 0 and body[start - 1].text not in {";", "{", "}"}:
        start -= 1
    given = _text(body, start + 1) if body[start].text == "let" else "_"
    is_used = given != "_" and whole.times.get(given, 0) > 1
    return after not in {".", "?"} and not is_used


_SKIPS = {
    Language.GO: frozenset({"Skip", "Skipf", "SkipNow"}),
    Language.JAVASCRIPT: frozenset({"skip", "pending", "todo"}),
    Language.RUST: frozenset[str](),
}
_ENDS = {
    Language.GO: frozenset({"os.Exit", "runtime.Goexit", "syscall.Exit"}),
    Language.JAVASCRIPT: frozenset({"process.exit", "process.abort"}),
    Language.RUST: frozenset({"process.exit", "process.abort"}),
}


def skips(body: Tokens, language: Language) -> bool:
    """Whether the test skips itself before it does anything else, or ends the whole run."""
    under: list[bool] = []
    for at, token in enumerate(body):
        if token.text == "{" and token.kind is Kind.SIGN:
            # A condition or a loop in front of a block; functions are entered.
            under.append(bool(under) and (under[-1] or _is_of_choice(body, at)))
        elif token.text == "}" and token.kind is Kind.SIGN:
            del under[-1:]
        elif _text(body, at + 1) == "(" and (
            _text(body, at - 1) in {".", "::"} or token.text in {"pending", "skip"}
        ):
            if not (under and under[-1]) and token.text in _SKIPS[language]:
                return True
            if f"{_text(body, at - 2)}.{token.text}" in _ENDS[language]:
                return True
    return False


def _is_of_choice(body: Tokens, at: int) -> bool:
    for place in range(at - 1, max(at - 60, -1), -1):
        text = body[place].text
        if text in {"if", "else", "for", "while", "switch", "case", "select", "catch"}:
            return True
        if text in {";", "{", "}", "func", "function", "=>"}:
            return False
    return False


def _is_never(body: Tokens, at: int) -> bool:
    words = [token.text for token in body[at + 1 : at + 7] if token.text not in "()"]
    if words[:2] == ["cfg", "!"]:
        return True
    condition = words[: words.index("{")] if "{" in words else []
    return condition in (["false"], ["0"], ["!", "true"], ["!", "1"])


def _is_always(body: Tokens, at: int) -> bool:
    words = [token.text for token in body[at + 1 : at + 7] if token.text not in "()"]
    condition = words[: words.index("{")] if "{" in words else []
    return condition in (["true"], ["1"], ["!", "false"], ["!", "0"])


def _outer_end(body: Tokens, at: int) -> int:
    """Where the block ends in which the block at a place stands."""
    depth = 0
    for place in range(closing(body, at) + 1, len(body)):
        text = body[place].text if body[place].kind is Kind.SIGN else ""
        depth += (text in {"(", "[", "{"}) - (text in {")", "]", "}"})
        if depth < 0:
            return place
    return len(body)


def _is_unawaited(body: Tokens, at: int) -> bool:
    """`(async () => { … })();` whose end nobody waits for."""
    if _text(body, at - 1) != "(" or not is_function(body, at):
        return False
    is_called = _text(body, closing(body, at - 1) + 1) == "("
    begins = at < 2 or body[at - 2].text in {";", "{", "}"} or body[at - 2].line < body[at - 1].line
    return is_called and begins and _text(body, at - 2) not in {"await", "return", "=>", "="}


def _leaves_at_once(body: Tokens, at: int) -> bool:
    """`break` and `break outer`."""
    return _is_bare(body, at) or _text(body, at + 2) in {";", "}"}


def _is_bare(body: Tokens, at: int) -> bool:
    after = body[at + 1] if at + 1 < len(body) else None
    if after is not None and after.text in {"undefined", "null"}:
        return _text(body, at + 2) in {";", "}"}
    return after is not None and (after.text in ";}" or after.line > body[at].line)


def _is_swallowed(body: Tokens, at: int) -> bool:
    """`try {…} catch {…} finally {…}` that lets no failure through."""
    if at + 1 >= len(body) or body[at + 1].text != "{":
        return False
    end = closing(body, at + 1)
    caught = _text(body, end + 1) == "catch"
    words: set[str] = set()
    if caught:
        brace = next((p for p in range(end, len(body)) if body[p].text == "{"), end)
        end = closing(body, brace)
        words = {token.text for token in body[brace:end]}
    if _text(body, end + 1) == "finally":
        last = {token.text for token in body[end + 1 : closing(body, end + 2)]}
        if last & {"return", "break", "continue"}:
            return True
    return caught and not words & {"throw", "expect", "assert", "fail", "done", "reject", "t"}
