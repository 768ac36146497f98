"""What a whole file in JavaScript, Go or Rust does to its tests, and to what all tests use."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from gates.test_guard.found_test import Mark
from gates.test_guard.go_second_process import without_helpers
from gates.test_guard.javascript_options import sets_for_all
from gates.test_guard.lexed_blocks import is_function, skips
from gates.test_guard.lexed_conditions import is_nothing
from gates.test_guard.lexed_names import go_functions
from gates.test_guard.lexed_statements import ends_statement
from gates.test_guard.tokens import Kind, Language, Tokens, closing, covered

_GO_TAG = re.compile(r"^//\s?(?:go:build|\+build)\s", re.MULTILINE)
# A function of Go's own runner is another one.
_GO_LINKS_RUNNER = re.compile(r"^//go:linkname \w+ testing\.", re.MULTILINE)
# `go help buildconstraint`: names of systems and processors that runners are not.
_GO_ELSEWHERE = re.compile(
    r"_(?:windows|darwin|freebsd|netbsd|openbsd|dragonfly|solaris|illumos|aix|android|ios|js|plan9|wasip1"
    r"|386|arm|mips\w*|ppc64\w*|riscv64|s390x|loong64|wasm)_test\.go$"
)
# `go help packages`: folders that `./...` leaves out.
_GO_LEFT_OUT = re.compile(r"(?:^|/)(?:testdata|[_.][^/]*)/")
# What jest and vitest leave out unless they are told otherwise.
_JAVASCRIPT_LEFT_OUT = re.compile(r"(?:^|/)(?:node_modules|dist|\.[^/]+)/")
# A comment by which jest and vitest take the surroundings of the tests from a file of the tree.
_JAVASCRIPT_SURROUNDINGS = re.compile(r"@(?:jest|vitest)-environment\s+[./]")
_RUNNERS = frozenset({"it", "test", "describe", "expect", "assert", "suite"})
_BUILT_IN = frozenset({"expect", "assert", "process", "globalThis", "global"})


def marks_of_file(path: str, source: str, tokens: Tokens, language: Language) -> frozenset[Mark]:
    """The marks that all tests of a file have."""
    match language:
        case Language.GO:
            is_apart = bool(
                _GO_TAG.search(source)
                or _GO_ELSEWHERE.search(path)
                or _GO_LEFT_OUT.search(path)
                or _GO_LINKS_RUNNER.search(source)
                or _go_ends_before_tests(tokens)
            )
        case Language.JAVASCRIPT:
            is_apart = bool(
                _JAVASCRIPT_LEFT_OUT.search(path)
                or _JAVASCRIPT_SURROUNDINGS.search(source)
                or _javascript_ends(tokens)
                or _has_own_runner(tokens)
            )
        case Language.RUST:
            is_apart = _is_conditional_file(tokens) or _has_own_macro(tokens)
    return frozenset({Mark.CONDITIONAL}) if is_apart else frozenset()


def put_in_place(tokens: Tokens, language: Language) -> tuple[tuple[str, int], ...]:
    """What the file makes something else in what asserts, or in how the run ends, with its line."""
    if language is not Language.JAVASCRIPT:
        return tuple(_put_in_place_elsewhere(tokens, language))
    found: dict[str, int] = {}
    for at, token in enumerate(tokens[:-3]):
        words = [one.text for one in tokens[at : at + 6]]
        said = ""
        if (
            token.text in _BUILT_IN
            and words[1] == "."
            and words[3] == "="
            and _is_no_part(tokens, at)
            and not _is_a_double(token.text, words[2])
        ):
            said = f"{token.text}.{words[2]}"
        elif (
            token.text in _BUILT_IN
            and words[1] == "["
            and _is_given(tokens, at + 1)
            and not _is_a_double(token.text, words[2])
        ):
            said = f"{token.text}[{words[2]}]"
        elif (
            token.text in {"Object", "Reflect"}
            and words[1:2] == ["."]
            and words[2] in _CHANGES
            and words[4:5]
            and words[4] in _BUILT_IN
            and not _is_of_surroundings(tokens, at + 4)
        ):
            said = words[4]
        elif token.text in {"register", "registerHooks"} and words[1] == "(" and _loads(tokens, at):
            said = f"the loader of modules ({token.text})"
        elif token.text in {"method", "spyOn", "stub", "replace"} and words[1] == "(":
            said = words[2] if words[2] in _BUILT_IN - {"process"} else ""
        elif words[:3] == ["expect", ".", "extend"]:
            inside = tokens[at + 3 : closing(tokens, at + 3)]
            said = next((t.text for t in inside if t.text in _OF_JEST), "")
        elif words[:4] == ["process", ".", "on", "("] and "exit" in words[4]:
            said = "process.on('exit')"
        elif words[:3] == ["process", ".", "reallyExit"]:
            said = "process.reallyExit"
        else:
            said = _changes_how_tests_go(tokens, at)
        if said:
            found.setdefault(said, token.line)
    return tuple(found.items())


def _changes_how_tests_go(tokens: Tokens, at: int) -> str:
    """What a file says of every test, or of every value; empty for anything else."""
    words = [one.text for one in tokens[at : at + 8]]
    if (words[0] == "retryTimes" and words[1] == "(") or sets_for_all(tokens, at):
        return f"how often a test is tried ({words[0]})"
    if words[:2] == ["stubGlobal", "("] and words[2].strip("\"'`") in _RUNNERS:
        return f"{words[2]} for all (stubGlobal)"
    if words[:3] == ["expect", ".", "addEqualityTesters"]:
        inside = [one.text for one in tokens[at + 3 : closing(tokens, at + 3)]]
        return "expect.addEqualityTesters" if ("=>", "true") in pairwise(inside) else ""
    if words[0] in {"globalThis", "global"} and words[1:2] == ["as"] and words[3:5] == [")", "."]:
        return f"{words[0]}.{words[5]}" if words[5] in _RUNNERS and words[6:7] == ["="] else ""
    if words[0] in _VALUES and words[1:4] == [".", "prototype", "."] and words[5:6] == ["="]:
        return f"{words[0]}.prototype.{words[4]}"
    if words[:5] == ["task", ".", "result", ".", "state"] and words[5:6] == ["="]:
        return "what became of a test (task.result)"
    if words[0] in _AFTER and words[1] == "(":
        end = min(closing(tokens, at + 1), at + _HOOK_TOKENS_MAX)
        inside = [one.text for one in tokens[at + 1 : end]]
        return "process.exit" if ("process", ".", "exit") in _threes(inside) else ""
    return ""


_AFTER = frozenset({"after", "afterAll", "afterEach", "onTestFailed", "onTestFinished"})
# Hooks in hooks are not read again and again.
_HOOK_TOKENS_MAX = 200
_VALUES = frozenset({"Number", "String", "Object", "Boolean", "BigInt"})


def _threes(words: list[str]) -> Iterator[tuple[str, str, str]]:
    return zip(words, words[1:], words[2:], strict=False)


def _put_in_place_elsewhere(tokens: Tokens, language: Language) -> Iterator[tuple[str, int]]:
    """Options of the runner that Go's tests set themselves; what Rust's start or assert by."""
    for at, token in enumerate(tokens[:-4]):
        words = [one.text for one in tokens[at : at + 5]]
        if language is Language.GO and words[:4] == ["flag", ".", "Set", "("]:
            if words[4].strip('"`').startswith("test."):
                yield "an option of the runner (flag.Set)", token.line
        elif (language is Language.GO and (said := _put_in_go(tokens, at))) or (
            language is Language.RUST and (said := _put_in_rust(tokens, at))
        ):
            yield said, token.line


def _put_in_go(tokens: Tokens, at: int) -> str:
    words = [one.text for one in tokens[at : at + 7]]
    if words[:5] == ["flag", ".", "CommandLine", ".", "Set"]:
        is_of_runner = words[-1].strip('"`').startswith("test.")
        return "an option of the runner (flag.CommandLine)" if is_of_runner else ""
    if words[:4] == ["var", "_", "=", "func"] and (brace := _block(tokens, at)) is not None:
        inside = [one.text for one in tokens[brace : closing(tokens, brace)]]
        return "how the run ends (var _)" if ("os", ".", "Exit") in _threes(inside) else ""
    return ""


def _put_in_rust(tokens: Tokens, at: int) -> str:
    word, *after = [one.text for one in tokens[at : at + 3]]
    if after[0] == "as" and after[1] in _RUST_ASSERTS:
        return f"another {after[1]}!"
    if word in {"ctor", "test_runner"} and at and tokens[at - 1].text in {"[", "::", "(", ","}:
        return f"what runs the tests, or before them ({word})"
    if word in _RUST_ASSERTS and _is_of_crate(tokens, at):
        return f"another {word}!"
    return "what runs before the tests (link_section)" if word == "link_section" else ""


def _is_of_crate(tokens: Tokens, at: int) -> bool:
    """`use crate::calm::assert_eq;`"""
    if at < 2 or tokens[at - 1].text not in {"::", "{", ","} or tokens[at + 1].text == "!":
        return False
    for one in reversed(tokens[max(at - 20, 0) : at]):
        if one.text in {";", "}", "("}:
            return False
        if one.text in {"crate", "super", "self"}:
            return True
    return False


_RUST_ASSERTS = frozenset({"assert", "assert_eq", "assert_ne", "panic"})
_CHANGES = frozenset({"assign", "defineProperty", "defineProperties", "set", "setPrototypeOf"})


def _is_given(tokens: Tokens, at: int) -> bool:
    """`assert["equal"] = …`."""
    end = closing(tokens, at)
    return end + 1 < len(tokens) and tokens[end + 1].text == "="


def _is_of_surroundings(tokens: Tokens, at: int) -> bool:
    """`process.env`, `process, "platform"` and `globalThis, "fetch"`: nothing asserts or ends by them."""
    words = [one.text for one in tokens[at : at + 3]]
    if words[1:2] == ["."]:
        return words[0] == "process" and words[2] != "exitCode"
    named = words[2].strip("\"'`") if words[1:2] == [","] else ""
    if words[0] == "process":
        return named.isidentifier() and named not in _ENDS_OF_PROCESS
    return _is_a_double(words[0], named)


def _is_a_double(whole: str, name: str) -> bool:
    return whole in {"globalThis", "global"} and name.strip("\"'`") in _SURROUNDINGS


# What a browser or a server gives to a program, of which tests bring their own.
_SURROUNDINGS = frozenset(
    [
        "fetch",
        "crypto",
        "window",
        "document",
        "navigator",
        "location",
        "history",
        "localStorage",
        "sessionStorage",
        "indexedDB",
        "WebSocket",
        "EventSource",
        "XMLHttpRequest",
        "Request",
        "Response",
        "Headers",
        "FormData",
        "File",
        "Blob",
        "Image",
        "Worker",
        "TextEncoder",
        "TextDecoder",
        "ResizeObserver",
        "IntersectionObserver",
        "MutationObserver",
        "matchMedia",
        "requestAnimationFrame",
        "cancelAnimationFrame",
        "alert",
        "confirm",
        "prompt",
        "scrollTo",
        "structuredClone",
        "IS_REACT_ACT_ENVIRONMENT",
    ]
)
_ENDS_OF_PROCESS = frozenset({"exit", "exitCode", "reallyExit", "on", "once", "emit", "abort"})


def _loads(tokens: Tokens, at: int) -> bool:
    """Whether what is called there comes from Node's own `module`."""
    if at and tokens[at - 1].text == ".":
        return tokens[at - 2].text.lower() == "module"
    for place, token in enumerate(tokens):
        if token.kind is Kind.STRING and token.text.strip("\"'`") in {"node:module", "module"}:
            first = place
            while first > 0 and tokens[first].text not in {"import", "const", "let", "var", ";"}:
                first -= 1
            if any(one.text == tokens[at].text for one in tokens[first:place]):
                return True
    return False


_OF_JEST = frozenset({"toBe", "toEqual", "toStrictEqual", "toMatch", "toContain", "toThrow"})


def _is_no_part(tokens: Tokens, at: int) -> bool:
    return at == 0 or tokens[at - 1].text not in {".", "?."}


def never_started(tokens: Tokens) -> Iterator[tuple[int, int]]:
    """Where calls of a JavaScript file stand that nothing reaches, or only a condition does."""
    times = Counter(token.text for token in tokens)
    reached = 0
    for at, token in enumerate(tokens[:-3]):
        if at < reached:
            continue
        start = at
        if token.text in _STARTS_LATER and tokens[at + 1].text == "(":
            start = at
        elif (token.text == "if" and tokens[at + 1].text == "(") or (
            token.text == "for" and is_nothing(tokens, at)
        ):
            start = closing(tokens, at + 1) + 1
        elif not _is_each_of_nothing(tokens, at) and not (
            _names_a_function(tokens, at) and times[tokens[at + 1].text] == 1
        ):
            continue
        # What stands in it is apart with it, so that each token is looked at once.
        reached = ends_statement(tokens, start)
        yield at, reached


# Runners look for tests while a file is read, and not after it.
_STARTS_LATER = frozenset({"setTimeout", "setImmediate", "queueMicrotask", "nextTick"})


def _is_each_of_nothing(tokens: Tokens, at: int) -> bool:
    """`[].forEach(…)`."""
    words = [one.text for one in tokens[at : at + 3]]
    before = tokens[at - 1]
    return words == ["[", "]", "."] and before.kind is Kind.SIGN and before.text not in {")", "]"}


def _names_a_function(tokens: Tokens, at: int) -> bool:
    if tokens[at].text in {"const", "let", "var"}:
        return tokens[at + 2].text == "=" and is_function(tokens, at + 3)
    return tokens[at].text == "function" and at > 0 and tokens[at - 1].text in {";", "}", ")"}


def _javascript_ends(tokens: Tokens) -> bool:
    """Whether the file ends the run before its tests, or does not start them at all."""
    depth = 0
    for at, token in enumerate(tokens):
        if token.kind is Kind.SIGN and token.text in "([{":
            depth += 1
        elif token.kind is Kind.SIGN and token.text in ")]}":
            depth -= 1
        elif depth == 0 and skips(tokens[at : at + 4], Language.JAVASCRIPT):
            return True
    return False


def _go_ends_before_tests(tokens: Tokens) -> bool:
    """`TestMain` and `init` that run no test, choose some, or do not say how they ended."""
    own = {name: body for name, body, _ in go_functions(tokens)}
    for at, token in enumerate(tokens[:-3]):
        if token.text != "func" or tokens[at + 1].text not in {"init", "TestMain"}:
            continue
        brace = next((p for p in range(at, min(at + 20, len(tokens))) if tokens[p].text == "{"), at)
        body = without_helpers(tokens[brace : closing(tokens, brace) + 1], tokens)
        text = " ".join(one.text for one in body)
        if "flag . Set" in text or re.search(r"os \. Args (?:=|\[)", text):
            return True
        if tokens[at + 1].text == "init" and skips(body, Language.GO):
            return True
        if tokens[at + 1].text == "TestMain" and (
            not _runs_tests(body, own) or re.search(r"os \. Exit \( 0 \)", text)
        ):
            return True
    return False


# They run the tests of the `m` that they are given, and end with their code or return it.
_RUN_TESTS = frozenset(
    {("goleak", "VerifyTestMain"), ("testscript", "Main"), ("testscript", "RunMain")}
)


def _runs_tests(body: Tokens, own: Mapping[str, Tokens]) -> bool:
    """Whether `m.Run()` stands under no `if`, or `m` is handed on to what runs it; `own` are the file's functions."""
    conditional = covered(
        len(body),
        [
            (brace, closing(body, brace))
            for at, token in enumerate(body)
            if token.text == "if" and (brace := _block(body, at)) is not None
        ],
    )
    return any(
        not conditional[at] and (one.text == "Run" or _is_handed_on(body, at, own))
        for at, one in enumerate(body)
    )


def _is_handed_on(body: Tokens, at: int, own: Mapping[str, Tokens]) -> bool:
    """`run(m)`, with a function of the file that runs it, and `goleak.VerifyTestMain(m)`."""
    words = [one.text for one in body[at : at + 5]]
    if words[1:3] == ["(", "m"]:
        is_plain = at > 0 and body[at - 1].text not in {".", "func"}
        # One that hands it on once more is not followed.
        return is_plain and words[0] in own and _runs_tests(own[words[0]], {})
    return words[1:2] == ["."] and words[3:5] == ["(", "m"] and (words[0], words[2]) in _RUN_TESTS


def _block(body: Tokens, at: int) -> int | None:
    return next((p for p in range(at, min(at + 60, len(body))) if body[p].text == "{"), None)


def _has_own_runner(tokens: Tokens) -> bool:
    """What the tests are run or asserted by is of the file's own, or of the tree's."""
    for at, token in enumerate(tokens[:-2]):
        if token.text == "import":
            words = _imported_words(tokens, at)
            if words[-1:] and words[-1].startswith(".") and _RUNNERS & set(words[:-1]):
                return True
            if {" ".join(words[p : p + 2]) for p in range(len(words))} & {"skip as", "todo as"}:
                return True
        if token.text not in _RUNNERS or not at:
            continue
        before, after = tokens[at - 1].text, tokens[at + 1].text
        if before == "function":
            return True
        if before in {"const", "let", "var"} and after == "=":
            value = tokens[at + 2].text
            if value not in {"require", "chai", "await", "global", "globalThis", "window", "t"}:
                return True
    return False


def _imported_words(tokens: Tokens, at: int) -> list[str]:
    """`import { a as b } from "m"`: its words, the last without quotes; empty for anything else."""
    words: list[str] = []
    for token in tokens[at + 1 : at + 80]:
        words.append(token.text.strip("\"'`"))
        if token.kind is Kind.STRING:
            return words
        if token.text in {";", "(", "="}:
            break
    return []


def _is_conditional_file(tokens: Tokens) -> bool:
    """`#![cfg(feature = "x")]` at the top."""
    for at, token in enumerate(tokens[:-3]):
        words = [one.text for one in tokens[at + 1 : at + 6]]
        if token.text == "#!" and words[:2] == ["[", "cfg"] and words[2:] != ["(", "test", ")"]:
            return True
    return False


def _has_own_macro(tokens: Tokens) -> bool:
    return any(
        token.text == "macro_rules"
        and tokens[at + 1].text == "!"
        and tokens[at + 2].text in {"assert", "assert_eq", "assert_ne"}
        for at, token in enumerate(tokens[:-2])
    )
