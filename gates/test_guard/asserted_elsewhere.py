"""Functions that a test file in JavaScript, Go or Rust takes from another file that is there for tests: what they assert.

They are read as if they stood at the end of the test file, with what they use, so that a helper that asserts nothing any more
counts where it is called.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gates.test_guard.aware import is_product_code
from gates.test_guard.javascript_methods import objects
from gates.test_guard.lexed_names import functions
from gates.test_guard.rows_elsewhere import javascript_files
from gates.test_guard.rust_sources import module_files, taken
from gates.test_guard.tokens import Language, Tokens, tokens_of

_LANGUAGES = (
    (r"\.[cm]?[jt]sx?$", Language.JAVASCRIPT),
    (r"\.go$", Language.GO),
    (r"\.rs$", Language.RUST),
)
_NAMED_FOR_TESTS = re.compile(
    r"(?:tests?|testing)(?:[-_.]?(?:utils?|helpers?|support|kit|lib|setup|common))?"
)
_ASSERTING = {
    Language.JAVASCRIPT: frozenset({"expect", "assert", "should", "fail", "throw"}),
    Language.GO: frozenset(
        {"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow", "assert", "require"}
    ),
    Language.RUST: frozenset({"assert", "assert_eq", "assert_ne", "panic", "assert_matches"}),
}
_OF_JAVASCRIPT = re.compile(
    r"\bfrom\s+[\"'](\.[^\"'\n]{1,200})[\"']|\brequire\(\s*[\"'](\.[^\"'\n]{1,200})[\"']\s*\)"
)
_RENAMED = re.compile(r"\b(\w{1,100})(?: as |: )(\w{1,100})\b")
_OF_GO = re.compile(
    r"^[ \t]*+(?:import[ \t]++)?(?:[\w.]{1,60}[ \t]++)?\"([\w.~/-]{1,200})\"[ \t]*+$", re.MULTILINE
)
_MODULE = re.compile(r"^[ \t]*+(?:pub[ \t]++)?mod[ \t]++(\w{1,100})[ \t]*+;", re.MULTILINE)
_BEFORE_A_NAME = frozenset({"function", "const", "let", "var", "fn", "macro_rules", "class"})
_RUNS = re.compile(r"(?:Test|Fuzz|Benchmark|Example)(?:[^a-z]\w*)?|init")
_CHARS_MAX = 200_000
_FILES_MAX = 40
_HEAD_TOKENS_MAX = 120
# So many functions are followed from one test file, and so deep.
_FOLLOWED_MAX = 50
_DEEP_MAX = 5


@dataclass(frozen=True)
class _Function:
    text: str
    words: frozenset[str]


def language_of(path: str) -> Language | None:
    return next((one for ending, one in _LANGUAGES if re.search(ending, path)), None)


def may_hold_helpers(path: str) -> bool:
    """Whether a file is one of these languages, and there for tests."""
    stem = posixpath.basename(path).partition(".")[0]
    is_named = _NAMED_FOR_TESTS.fullmatch(stem) is not None
    return language_of(path) is not None and (is_named or not is_product_code(path))


def helper_paths(path: str, source: str, folders: Mapping[str, Sequence[str]]) -> list[str]:
    """The files from which a test file may take helpers; `folders` are the tree's files by their folder."""
    folder = posixpath.dirname(path)
    match language_of(path):
        case Language.JAVASCRIPT:
            found = list(_javascript_paths(folder, source))
        case Language.GO:
            beside = (one for one in folders.get(folder, ()) if one.endswith("_test.go"))
            found = [*beside, *_go_paths(source, folders)]
        case Language.RUST:
            found = list(_rust_paths(path, source))
        case _:
            return []
    there = (one for one in dict.fromkeys(found) if one in folders.get(posixpath.dirname(one), ()))
    return [one for one in there if one != path and may_hold_helpers(one)][:_FILES_MAX]


def _javascript_paths(folder: str, source: str) -> Iterator[str]:
    for found in _OF_JAVASCRIPT.finditer(source):
        yield from javascript_files(folder, found[1] or found[2])


def _go_paths(source: str, folders: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for found in _OF_GO.finditer(source):
        steps = found[1].split("/")
        for start in range(len(steps)):
            beside = folders.get("/".join(steps[start:]), ())
            yield from (one for one in beside if one.endswith(".go"))


def _rust_paths(path: str, source: str) -> Iterator[str]:
    folder = posixpath.dirname(path)
    for found in _MODULE.finditer(source):
        yield from (posixpath.join(folder, one) for one in (f"{found[1]}.rs", f"{found[1]}/mod.rs"))
    for _, place in taken(source):
        yield from module_files(path, place[:-1])


def with_helpers_of(path: str, source: str, texts: Mapping[str, str]) -> str:
    """The test file with what it calls of the others' asserting functions at its end. Never raises."""
    language = language_of(path)
    if language is None or not texts:
        return source
    known: defaultdict[str, list[_Function]] = defaultdict(list)
    for text in texts.values():
        for name, these in _functions_of(text, language).items():
            known[name] += these
    asserting = _asserting(known, language)
    if not asserting:
        return source
    renamed = dict(_RENAMED.findall(source)) if language is Language.JAVASCRIPT else {}
    own = _functions_of(source, language).keys()
    left = sorted(asserting & _words(source) - own)
    followed = set(left)
    added: list[str] = []
    while left and len(added) < _FOLLOWED_MAX:
        name = left.pop()
        for one in known[name]:
            added.append(one.text.replace(name, renamed.get(name, name), 1))
            new = (asserting & one.words) - own - followed
            followed |= new
            left += sorted(new)
    return source + "".join(f"\n{one}\n" for one in added)


def other_helpers(path: str, before: str, after: str) -> frozenset[str]:
    """The asserting functions of a file that are something else now."""
    language = language_of(path)
    if language is None or before == after:
        return frozenset()
    was, now = _functions_of(before, language), _functions_of(after, language)
    asserting = _asserting(was, language)
    found = frozenset(name for name in asserting if now.get(name) != was[name])
    # What calls one of them is another one, too.
    return found | _calling(was, found)


def _asserting(known: Mapping[str, Sequence[_Function]], language: Language) -> frozenset[str]:
    """The names of those that assert, themselves or by others."""
    found = frozenset(
        name
        for name, each in known.items()
        if any(one.words & _ASSERTING[language] for one in each)
    )
    return found | _calling(known, found)


def _calling(known: Mapping[str, Sequence[_Function]], these: frozenset[str]) -> frozenset[str]:
    found = these
    for _ in range(_DEEP_MAX):
        found |= frozenset(
            name for name, each in known.items() if any(one.words & found for one in each)
        )
    return found


def _functions_of(text: str, language: Language) -> dict[str, list[_Function]]:
    found: dict[str, list[_Function]] = {}
    tokens = tokens_of(text, language) if len(text) <= _CHARS_MAX else None
    starts = {one.start: at for at, one in enumerate(tokens or ())}
    reached = 0
    every = [*functions(tokens or (), language)]
    if language is Language.JAVASCRIPT:
        every = sorted((*every, *objects(tokens or ())), key=_start_of_body)
    for name, body in every:
        if not body or body[0].start < reached or not name.isidentifier() or _RUNS.fullmatch(name):
            continue
        reached = body[-1].end
        start = _start_of(tokens or (), starts[body[0].start], name, language)
        whole = text[start:reached]
        # A function without a name may look like one whose name is what it gives.
        is_own = language is not Language.GO or text.endswith(("\n", "\ufeff"), 0, start)
        if not is_own or tokens_of(whole, language) is None:
            continue
        found.setdefault(name, []).append(_Function(whole, _words(whole)))
    return found


def _start_of_body(one: tuple[str, Tokens]) -> int:
    return one[1][0].start if one[1] else 0


def _start_of(tokens: Tokens, brace: int, name: str, language: Language) -> int:
    """Where the word stands by which a function gets its name, as far in front of its body as one looks."""
    near = range(brace, max(brace - _HEAD_TOKENS_MAX, 0), -1)
    named = next((at for at in near if tokens[at].text == name), brace)
    if language is not Language.GO:
        is_word_before = named > 0 and tokens[named - 1].text in _BEFORE_A_NAME
        return tokens[named - is_word_before].start
    # The receiver of a method stands between them.
    first = range(named, max(named - _HEAD_TOKENS_MAX, -1), -1)
    return tokens[next((at for at in first if tokens[at].text == "func"), named)].start


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W\d]\w*", text))


def by_folder(paths: Collection[str]) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        if language_of(path) is not None:
            found[posixpath.dirname(path)].append(path)
    return dict(found)
