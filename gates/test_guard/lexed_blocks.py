"""Which part of a test's tokens counts: what can be reached, and whose failure is not caught."""

from gates.test_guard.tokens import Kind, Language, Tokens, closing


def living(body: Tokens, language: Language) -> Tokens:
    """The tokens that can be reached, without blocks whose failures are caught."""
    dead: set[int] = set()
    brace = next((at for at, token in enumerate(body) if token.text == "{"), None)
    depth = 0
    for at, token in enumerate(body):
        if token.kind is Kind.SIGN and token.text in "([{":
            depth += 1
        elif token.kind is Kind.SIGN and token.text in ")]}":
            depth -= 1
        elif token.text == "return" and brace is not None and _is_bare(body, at):
            own = _depth_at(body, brace) + 1
            if depth == own:
                dead.update(range(at, closing(body, brace)))
        else:
            dead.update(_dead(body, at, language))
    return [token for at, token in enumerate(body) if at not in dead]


def _dead(body: Tokens, at: int, language: Language) -> range:
    """What never runs, or whose failure nobody hears of, where that begins here; empty for what counts."""
    start, end = at, at
    match body[at].text:
        case "if" if _is_never(body, at):
            end = _end_of_block(body, at)
        case "for" if _is_over_nothing(body, at):
            end = _end_of_block(body, at)
        case "try" if _is_swallowed(body, at):
            end = closing(body, at + 1)
        case "break" | "continue" if body[at - 1].text == "{" and _is_bare(body, at):
            end = closing(body, at - 1)
        case "false" | "true" if _decides_alone(body, at):
            end = _end_of_statement(body, at)
        case "#" if language is Language.RUST and _text(body, at + 2) == "cfg":
            end = _end_of_statement(body, closing(body, at + 1) + 1)
        case "catch_unwind" if _is_forgotten(body, at):
            end = closing(body, at + 1)
        case "then" | "catch" if _is_dropped(body, at):
            start = _start_of_statement(body, at)
            end = _end_of_statement(body, start)
        case word if word in _LATER.get(language, ()) and not _is_waited_for(body):
            end = _end_of_statement(body, at)
        case word if word in _BINDS[language] and _is_never_called(body, at):
            end = _end_of_statement(body, at)
        case _:
            pass
    return range(start, end)


def _decides_alone(body: Tokens, at: int) -> bool:
    """`false && …` and `true || …` as a statement."""
    is_so = (body[at].text, _text(body, at + 1)) in {("false", "&&"), ("true", "||")}
    return is_so and (
        at == 0 or body[at - 1].text in {";", "{", "}"} or body[at - 1].line < body[at].line
    )


def _is_waited_for(body: Tokens) -> bool:
    return bool(_WAITS & {one.text for one in body})


def _start_of_statement(body: Tokens, at: int) -> int:
    """Where the chain of calls begins that ends at a place."""
    depth = 0
    while at > 0:
        text = body[at - 1].text if body[at - 1].kind is Kind.SIGN else ""
        if text in {")", "]", "}"} and (depth or text != "}"):
            depth += 1
        elif text in {"(", "[", "{"} and depth:
            depth -= 1
        elif not depth and text in {";", "{", "}", "(", ",", "=>", "="}:
            break
        at -= 1
    return at


def _is_dropped(body: Tokens, at: int) -> bool:
    """A `.then(…)` that is neither returned nor waited for, or a `.catch(…)` that lets nothing through."""
    if _text(body, at - 1) != "." or _text(body, at + 1) != "(":
        return False
    if body[at].text == "catch":
        handler = {one.text for one in body[at + 1 : closing(body, at + 1)]}
        return "=>" in handler and not handler & {
            "throw",
            "expect",
            "assert",
            "fail",
            "done",
            "reject",
        }
    start = _start_of_statement(body, at)
    is_kept = _text(body, start) in {"return", "await"} or _text(body, start - 1) in {
        "=>",
        "=",
        "(",
        ",",
    }
    return (
        not is_kept
        and not _is_waited_for(body[:start])
        and "done" not in {one.text for one in body}
    )


# What starts something that a test does not wait for by itself, and what waits for it.
_LATER = {
    Language.JAVASCRIPT: frozenset({"setTimeout", "setImmediate", "queueMicrotask", "nextTick"}),
    Language.GO: frozenset({"go"}),
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
    )
)
_BINDS = {
    Language.JAVASCRIPT: frozenset({"const", "let", "var", "function"}),
    Language.GO: frozenset({"_", ":="}),
    Language.RUST: frozenset({"let"}),
}


def _text(body: Tokens, at: int) -> str:
    return body[at].text if 0 <= at < len(body) else ""


def _end_of_block(body: Tokens, at: int) -> int:
    start = next((p for p in range(at, len(body)) if body[p].text == "{"), at)
    return closing(body, start)


def _end_of_statement(body: Tokens, at: int) -> int:
    """Its semicolon, or the last token before a line that begins outside of its brackets."""
    place = at
    while place < len(body):
        text = body[place].text
        if text in {"(", "[", "{"} and body[place].kind is Kind.SIGN:
            place = closing(body, place)
        elif text in {";", ")", "]", "}"} and body[place].kind is Kind.SIGN:
            return place
        following = body[place + 1] if place + 1 < len(body) else None
        if following is None:
            break
        if following.line > _last_line(body, place) and following.text not in {".", "?.", ")"}:
            return place + 1
        place += 1
    return len(body)


def _last_line(body: Tokens, at: int) -> int:
    return body[at].line + body[at].text.count("\n")


def _is_never_called(body: Tokens, at: int) -> bool:
    """Whether a function gets a name here, and the rest of the body never says that name."""
    word = body[at].text
    if word == ":=":
        name, value = _text(body, at - 1), at + 1
    elif word in {"_", "function"}:
        name, value = (word, at + 2) if word == "_" else (_text(body, at + 1), at)
    else:
        name, value = _text(body, at + 1), at + 3
        if _text(body, at + 2) != "=":
            return False
    if not _is_function(body, value):
        return False
    return name == "_" or sum(one.text == name for one in body) == 1


def _is_function(body: Tokens, at: int) -> bool:
    word = _text(body, at)
    if word in {"async", "move"}:
        at, word = at + 1, _text(body, at + 1)
    if word in {"func", "function", "|", "||"}:
        return True
    return word == "(" and _text(body, closing(body, at) + 1) == "=>"


def _is_over_nothing(body: Tokens, at: int) -> bool:
    """`for (… of [])`, `for … in 0..0`."""
    head = [one.text for one in body[at : at + 10]]
    head = head[: head.index("{")] if "{" in head else head
    if "of" in head and head[head.index("of") + 1 :][:2] == ["[", "]"]:
        return True
    span = head[head.index("in") + 1 :] if "in" in head else []
    first, dots, last = span[0].partition("..") if span else ("", "", "")
    return bool(dots) and first == last.removeprefix("=") and not last.startswith("=")


def _is_forgotten(body: Tokens, at: int) -> bool:
    """`let _ = catch_unwind(…);`, whose answer nobody looks at."""
    if _text(body, at + 1) != "(":
        return False
    after = _text(body, closing(body, at + 1) + 1)
    start = at
    while start > 0 and body[start - 1].text not in {";", "{", "}"}:
        start -= 1
    given = _text(body, start + 1) if body[start].text == "let" else "_"
    is_used = given != "_" and sum(one.text == given for one in body) > 1
    return after not in {".", "?"} and not is_used


_SKIPS = {
    Language.GO: frozenset({"Skip", "Skipf", "SkipNow"}),
    Language.JAVASCRIPT: frozenset({"skip", "pending"}),
    Language.RUST: frozenset[str](),
}
_ENDS = {
    Language.GO: frozenset({"os.Exit", "runtime.Goexit", "syscall.Exit"}),
    Language.JAVASCRIPT: frozenset({"process.exit", "process.abort"}),
    Language.RUST: frozenset({"process.exit", "process.abort"}),
}


def skips(body: Tokens, language: Language) -> bool:
    """Whether the test skips itself before it does anything else, or ends the whole run."""
    depth = 0
    for at, token in enumerate(body):
        if token.text == "{":
            depth += 1
        elif token.text == "}":
            depth -= 1
        elif _text(body, at + 1) == "(" and _text(body, at - 1) in {".", "::"}:
            if depth <= 1 and token.text in _SKIPS[language]:
                return True
            if f"{_text(body, at - 2)}.{token.text}" in _ENDS[language]:
                return True
    return False


def _depth_at(body: Tokens, at: int) -> int:
    opened = sum(t.kind is Kind.SIGN and t.text in "([{" for t in body[:at])
    return opened - sum(t.kind is Kind.SIGN and t.text in ")]}" for t in body[:at])


def _is_never(body: Tokens, at: int) -> bool:
    words = [token.text for token in body[at + 1 : at + 7] if token.text not in "()"]
    if words[:2] == ["cfg", "!"]:
        return True
    condition = words[: words.index("{")] if "{" in words else []
    return condition in (["false"], ["0"], ["!", "true"], ["!", "1"])


def _is_bare(body: Tokens, at: int) -> bool:
    after = body[at + 1] if at + 1 < len(body) else None
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
