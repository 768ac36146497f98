"""Code of the product that asks whether it is tested, or reaches into what tests it: it can be right for tests alone."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from gates.test_guard.compare import Loss, TestLoss

_CODE = re.compile(r"\.(?:py|[cm]?[jt]sx?|go|rs)$")
# What stands there is there for tests.
_FOR_TESTS = frozenset(
    {"test", "tests", "testing", "testutil", "testutils", "__tests__", "spec", "e2e", "testdata"}
)
_NAMED_FOR_TESTS = re.compile(r"conftest\.py|.*(?:[._-]test|[._-]spec|_test)\.\w+|test_.*\.py")
_WHO_CALLS = (
    r"(?:\bco_(?:file)?name\b|\bcurrentframe\b|\b_(?:getframe|current_frames)\b|\binspect\.stack\b|\bsys\.(?:orig_)?argv\b"
    r"|\btraceback\.(?:format|extract|walk)_stack\b|/proc/(?:self|curproc)/(?:cmdline|maps)\b|\.cmdline\(\)|\b__main__\b[^\n]{0,12}\b__file__\b"
    r"|\bprocess\.(?:argv|execArgv|title)\b|\bError\([^()\n]*\)\.stack\b|\bcaptureStackTrace\b|\bruntime\.Caller"
    r"|\brequire\.(?:main|cache)\b|\bmodule\.parent\b|\bnpm_lifecycle_event\b"
    r"|\bdebug\.Stack\b|\bos\.Executable\b|\bBacktrace::(?:force_)?capture\b|\bthread::current\(\)\.name\b"
    # A command of the program's own: what `go test` starts has only switches behind its name.
    r"|(?<!\blen\()\bos\.Args\b(?!\[[1-9]\] == \"tests?\")|\benv::args\b|\bcurrent_exe\b)"
)
# A switch such as `--spec` is one of the program's own.
_OF_TESTS = r"[\"'`](?!-)(?:[^\"'`\n]{0,40}[^A-Za-z\"'`\n])?_?(?:py)?(?:tests?|specs?|jest|vitest|mocha|unittest)(?![a-z])[^\"'`\n]{0,40}[\"'`]"
_BUILT_IN = r"(?:object|int|float|str|bytes|bool|list|dict|tuple|Number|Decimal)\b"
_READS = r"(?:\bread_?(?:text|bytes|lines|File(?:Sync)?)\b|\bReadFile\b|\binclude_(?:str|bytes)!|\bread_to_string\b|\bopen\()"
_TEST_FILE = (
    r"[\"'`](?:[^\"'`\n]{0,60}/)?(?:test_\w{1,60}\.py|\w{1,60}_test\.(?:py|go)|[\w.-]{1,60}[._-](?:test|spec)\.[cm]?[jt]sx?"
    r"|tests?/[\w/.-]{1,60}\.(?:py|[cm]?[jt]sx?|go|rs))[\"'`]"
)
_WITH_PARTS = re.compile(r"\bstruct (\w{1,60})\b[^;{(]{0,80}[({]")
_ASKS = re.compile(
    r"PYTEST_(?:CURRENT_TEST|VERSION|XDIST_WORKER)|(?<=[\"'])PYTEST(?:_\w*|(?=[\"']))|JEST_WORKER_ID|NODE_TEST_CONTEXT|HEADGATE_[A-Z]+"
    r"|process\.env\.VITEST\w*|NODE_ENV\b[^\n]{0,12}[\"']test[\"']|[\"'](?:pytest|unittest)[\"'] (?:not )?in sys\.modules"
    r"|sys\.modules\.get\([\"'](?:pytest|unittest)[\"']|\btesting\.Testing\(\)|flag\.Lookup\(\"test\.\w+\"\)"
    r"|os\.Args\[0\],\s*\"\.test\"|\bcfg!\(\s*test\s*\)|#\[cfg\(\s*not\(\s*test\s*\)\s*\)\]"
    r"|[\"']_pytest\b|^[ \t]*(?:from|import) _pytest\b"
    # Who calls it, or what started it, held against the name of a test.
    rf"|{_WHO_CALLS}[^\n]{{0,80}}?{_OF_TESTS}|{_OF_TESTS}[^\n]{{0,80}}?{_WHO_CALLS}"
    # How the run ends, and what asserts.
    r"|\bos\._exit\(|\bprocess\.reallyExit\b|\bprocess\.exitCode\s*=\s*0\b|^[ \t]*assert\.\w+\s*=[^=>]"
    r"|\bregister\(os\._exit\b|\bgetattr\(os, *[\"']_|\b(?:os|process|syscall)\.[kK]ill\([^\n]{0,30}\bg?e?t?ppid\b"
    r"|\bprocess\.on\([\"'](?:beforeE|e)xit[\"'][^\n]{0,80}\bprocess\.exit\(0?\)|\bset_hook\([^\n]{0,80}\bexit\(0\)"
    r"|\bfunc init\(\) \{\s{0,8}os\.Exit\(|\bbuiltins\.AssertionError\s*=[^=]|\bunittest\.(?:case\.)?\w+\.\w+\s*=[^=]"
    r"|\b(?:defineProperty|assign)\((?:assert\b|process, *[\"']exit)|\bObject\.is\s*=[^=>]"
    r"|macro_rules!\s*(?:assert(?:_eq|_ne)?|panic)\b|go:linkname \w+ testing\."
    # What only a runner of tests defines.
    r"|\btypeof (?:describe|jest|expect|beforeEach)\b|\b__vitest_\w+|[\"'](?:describe|jest|expect)[\"'] in globalThis"
    r"|\bflag\.Set\(\"test\.|\bHasPrefix\([^\n]{0,40}\"test\.\"\)|\bexecArgv\b[^\n]{0,40}[\"']--test\b|\bcurrent_exe\b[^\n]{0,80}/deps/"
    r"|\bfind_spec\([\"'](?:_?pytest|unittest)\b|\btesting\.(?:Init|CoverMode)\(\)"
    r"|\bcfg\(\s*not\(\s*(?:any|all)\([^()\n]{0,60}\btest\b|^[ \t]*try:\s{1,20}import (?:pytest|unittest)\b"
    r"|^[ \t]*(?:async )?def pytest_(?:runtest|pyfunc|collection|sessionfinish|report|make|generate|fixture)\w*\("
    # What only a run of tests has, and what is written in them.
    r"|\bCARGO_(?:TARGET_TMPDIR|BIN_EXE_\w+)\b"
    rf"|{_READS}[^\n]{{0,60}}?{_TEST_FILE}|{_TEST_FILE}[^\n]{{0,60}}?{_READS}"
    # What is equal to all, or to all of a kind.
    r"|\bdef __eq__\([^()\n]{0,60}\)[^:\n]{0,20}:\s{1,20}return (?:True\b|(?:not )?\w+ is (?:not )?None$"
    rf"|isinstance\(\w+, *\(?{_BUILT_IN}[^()\n]{{0,60}}\)+$|type\(\w+\) (?:in|is|==) [(\[{{]?{_BUILT_IN}[^\n]{{0,60}}$)"
    r"|\b__eq__\s*=\s*lambda\b[^:\n]{0,40}: *True\b"
    r"|\basymmetricMatch\b"
    r"|\bPartialEq(?:<[^>\n]{1,40}> for [^{\n]{1,40}| for (?P<of>\w{1,60}) )\{\s{0,20}fn eq\(&self, _\w*: [^)\n]{1,40}\) -> bool \{",
    re.MULTILINE,
)


def is_product_code(path: str) -> bool:
    """Whether a file is code that is there for more than tests."""
    *folders, name = path.split("/")
    is_of_tests = bool(_FOR_TESTS & set(folders)) or _NAMED_FOR_TESTS.fullmatch(name) is not None
    return _CODE.search(path) is not None and not is_of_tests


def asks(path: str, text: str) -> Iterator[TestLoss]:
    """Where a file asks whether it is tested, each as what it would be if it were new; never raises."""
    line, seen = 1, 0
    with_parts = set(_WITH_PARTS.findall(text)) if "PartialEq" in text else set()
    for match in _ASKS.finditer(text):
        # Counted on from the match before: a file may ask in every line.
        line += text.count("\n", seen, match.start())
        seen = match.start()
        # What has no parts is equal to its like.
        if match["of"] and match["of"] not in with_parts:
            continue
        words = " ".join(match[0].split())
        said = f"This code checks whether a test runs it, or changes the test runner: `{words}`."
        yield TestLoss(Loss.AWARE, f"{path}::{words}", path, line, said, words)


def newly_aware(before: Iterable[TestLoss], after: Iterable[TestLoss]) -> Iterator[TestLoss]:
    """What a change asks more often than its files did before, wherever it has moved."""
    known = Counter(one.said for one in before)
    for one in after:
        if known[one.said]:
            known[one.said] -= 1
        else:
            yield one
