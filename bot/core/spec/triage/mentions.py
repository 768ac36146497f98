"""Which requirements the tests of a tree name: ids in test names, comments and strings.

Only test files are read, and in them only strings, comments and names, so that a word in code names
nothing. A test without assertions names nothing either. `coverage` decides which requirement an id
means. Never raises, whatever the bytes are.
"""

import ast
import io
import re
import tokenize
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.core.spec.line_owners import first_owners
from bot.core.values.ids import Frozen, Sha

# A test file says what it tests near its names; one of more than this is generated data.
TEST_FILE_BYTES_MAX = 1024 * 1024

# Only white space is between a comment and its test, so the search can be short.
_BETWEEN_MAX = 200

_TEST_FILE = re.compile(
    r"(?:^|/)(?:test_[^/]*\.py|[^/]*_test\.(?:py|go|rb|exs|dart|c|cc|cpp)|[^/]*_spec\.rb"
    r"|[^/]*\.(?:test|spec)\.(?:[cm]?[jt]sx?)|[^/]*(?:Test|Tests|Spec|IT)\.(?:java|kt|cs|scala|groovy|php)"
    r"|[^/]*\.(?:feature|bats))$|(?:^|/)tests?/[^/]*\.(?:sh|rs)$"
)
# `shop#REQ-CART-01@1a2b3c4d`: the spec, the requirement, and the text's hash if the author gave it.
_WHOLE = r"(?<![\w#])[a-z0-9_][\w.-]{0,120}#[^\W_](?:[\w.~-]*[\w])?"
_AUTHORS = r"(?<![\w#-])[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d+(?![\w-])"
_MINTED = r"(?<![\w#-])(?:[a-z0-9]+-)*[a-z2-7]{6}(?:[a-z2-7]{4})?(?![\w#-])"
_ID = re.compile(rf"(?P<id>{_WHOLE}|{_AUTHORS}|{_MINTED})(?:@(?P<version>[0-9a-f]{{8,64}})\b)?")
# What begins a comment or a string; what is in a string, up to where it may end.
_BEGINS = re.compile(r"/\*|//|\#|--|[\"'`]")
_INSIDE = {
    '"': re.compile(r'(?:\\.|[^"\\\n])*+', re.DOTALL),
    "'": re.compile(r"(?:\\.|[^'\\\n])*+", re.DOTALL),
    "`": re.compile(r"(?:\\.|[^`\\])*+", re.DOTALL),
}
_DECLARED = re.compile(
    r"\b(?:it|test|specify|scenario)(?:\.\w+)?\s*(?:\(\s*)?(?P<quote>[\"'`])(?P<said>.*?)(?P=quote)"
    r"|\b(?:func|fn|def|fun|void|function|@test)\s+[\"']?(?P<name>\w[^(\"'\n{]*)"
    r"|^[ \t]*(?:Scenario(?: Outline)?|Example)\s*:\s*(?P<scenario>[^\n]+)",
    re.MULTILINE,
)

# What may stand between a comment and the name of the test that it is about.
_BEFORE_A_TEST = re.compile(
    r"#?\[[^\]\n]{0,500}+\]|@\w++(?:\([^)\n]{0,500}+\))?|\b(?:pub|public|private|static|final|async|export)\b"
)


class Mention(Frozen):
    """A test that names a requirement: the words as written, and the test's own name.

    `version` is the hash after an `@`, or empty. `test` is empty if the words are outside every
    test; then they apply to the whole file.
    """

    written: str
    version: str = ""
    path: str
    line: int
    test: str = ""


class TestSnapshot(Frozen):
    """What the tests of a commit name, as they stand there."""

    __test__ = False

    commit: Sha
    mentions: tuple[Mention, ...]


def is_test_file(path: str) -> bool:
    """By the file naming conventions of known languages."""
    return _TEST_FILE.search(path) is not None


def mentions_in(path: str, raw: bytes) -> tuple[Mention, ...]:
    """In line order, each id once for a test."""
    if len(raw) > TEST_FILE_BYTES_MAX:
        return ()
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    said = _said_in_python(text) if path.endswith(".py") else None
    found: dict[tuple[str, str, str], Mention] = {}
    for words in said if said is not None else _said_elsewhere(path, text):
        for token in _ID.finditer(words.text):
            mention = Mention(
                written=token["id"],
                version=token["version"] or "",
                path=path,
                line=words.line + words.text.count("\n", 0, token.start()),
                test=words.test,
            )
            found.setdefault((mention.written, mention.version, mention.test), mention)
        if words.is_name:
            name = Mention(written=words.text, path=path, line=words.line, test=words.test)
            found.setdefault((name.written, "", name.test), name)
    return tuple(sorted(found.values(), key=lambda m: (m.line, m.written)))


def mentions_of(files: Mapping[str, bytes]) -> tuple[Mention, ...]:
    """The ids that the tests among these files name, in path order."""
    return tuple(
        m for path in sorted(files) if is_test_file(path) for m in mentions_in(path, files[path])
    )


@dataclass(frozen=True, slots=True)
class _Words:
    """Text in a test file, and the test that it belongs to."""

    text: str
    line: int
    test: str
    is_name: bool = False


@dataclass(frozen=True, slots=True)
class _Test:
    name: str
    first: int
    last: int
    is_hollow: bool


def _said_in_python(text: str) -> list[_Words] | None:
    """None if the text is not valid for this version of Python."""
    try:
        tree = ast.parse(text)
        tokens = [
            t
            for t in tokenize.generate_tokens(io.StringIO(text).readline)
            if t.type in {tokenize.COMMENT, tokenize.STRING}
        ]
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return None
    tests = [
        _Test(node.name, _first_line(node), node.end_lineno or node.lineno, _is_hollow(node))
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")
    ]
    said = [_Words(t.name, t.first, t.name, is_name=True) for t in tests if not t.is_hollow]
    around = first_owners((t.first, t.last) for t in tests)
    below = {t.first - 1: t for t in reversed(tests)}
    for token in tokens:
        line = token.start[0]
        above = below.get(line) if token.type == tokenize.COMMENT else None
        test = tests[around[line]] if line in around else above
        if test is None or not test.is_hollow:
            said.append(_Words(token.string, line, test.name if test else ""))
    return said


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])


def _is_hollow(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A body without effect: a docstring, `pass`, `...`, `assert True`."""
    return all(
        isinstance(one, ast.Pass)
        or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        or (isinstance(one, ast.Assert) and isinstance(one.test, ast.Constant))
        for one in node.body
    )


def _said_elsewhere(path: str, text: str) -> Iterator[_Words]:
    """Comments and strings of any other language; text above a test belongs to it."""
    declared = [
        (d.start(), (d["said"] or d["name"] or d["scenario"] or "").strip())
        for d in _DECLARED.finditer(text)
    ]
    starts = [at for at, _ in declared]
    lines = _Lines(text)
    for at, name in declared:
        yield _Words(name, lines.number(at), name, is_name=True)
    if path.endswith(".feature"):
        yield from _said_in_tags(text, declared, lines)
        return
    for said in _said(text):
        place = bisect_right(starts, said.start)
        test = declared[place - 1][1] if place else ""
        next_start = starts[place] if place < len(starts) else len(text)
        between = text[said.end : min(next_start, said.end + _BETWEEN_MAX)]
        if said.is_comment and place < len(starts) and not _BEFORE_A_TEST.sub("", between).strip():
            test = declared[place][1]
        yield _Words(said.words, lines.number(said.start), test)


@dataclass(frozen=True, slots=True)
class _Said:
    """A comment or a string, from where it begins to where it ends."""

    words: str
    start: int
    end: int
    is_comment: bool


def _said(text: str) -> Iterator[_Said]:
    """Comments and strings in their order. What is never closed is looked for once, not from each
    place where it might begin.
    """
    unclosed: dict[str, int] = {}
    begins = _BEGINS.search(text)
    while begins:
        mark, start, inside = begins[0], begins.start(), begins.end()
        end = -1
        if start < unclosed.get(mark, 0):
            pass
        elif mark in _INSIDE:
            found = _INSIDE[mark].match(text, inside)
            last = found.end() if found else inside
            end = last + 1 if text[last : last + 1] == mark else -1
            unclosed[mark] = last
        elif mark == "/*":
            closes = text.find("*/", inside)
            end = closes + 2 if closes >= 0 else -1
            unclosed[mark] = len(text) if closes < 0 else 0
        else:
            newline = text.find("\n", inside)
            end = newline if newline >= 0 else len(text)
        if end >= 0:
            width = 2 if mark == "/*" else int(mark in _INSIDE)
            yield _Said(text[inside : end - width], start, end, mark not in _INSIDE)
        begins = _BEGINS.search(text, end if end >= 0 else start + 1)


def _said_in_tags(text: str, declared: list[tuple[int, str]], lines: "_Lines") -> Iterator[_Words]:
    """Gherkin's comments, and its tags, which are above their scenario."""
    starts = [at for at, _ in declared]
    for match in re.finditer(r"^[ \t]*(?:@|\#)[^\n]+", text, re.MULTILINE):
        place = bisect_left(starts, match.end())
        after = declared[place][1] if place < len(declared) else ""
        words = re.sub(r"(?:^|(?<=\s))@", "", match[0])
        yield _Words(words, lines.number(match.start()), after)


class _Lines:
    """Line numbers of positions in a text, in any order."""

    def __init__(self, text: str) -> None:
        self._ends = [m.start() for m in re.finditer("\n", text)]

    def number(self, at: int) -> int:
        return bisect_left(self._ends, at) + 1
