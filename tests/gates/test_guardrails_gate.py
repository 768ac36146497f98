"""The gate `guardrails`: a diff that weakens checks is distinguished from honest work."""

from dataclasses import dataclass

import pytest

from gates.builtin import BuiltinSubject, Judgement
from gates.declared import DeclaredScope
from gates.guardrails import check_guardrails
from gates.judge import Subject, judge
from gates.result import Ending, GateDefinition, Judges
from gates.settings import JudgeSettings
from gates.tree import ChangedFile, EntryKind, TreeDiff
from tests.gates.checkouts import Repository

GUARDRAILS = GateDefinition(name="guardrails", judges=Judges.CHANGE, builtin="guardrails")
CI = ".github/workflows/ci.yml"
HOOKS = ".pre-commit-config.yaml"
STEPS = """\
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - name: Lint
        run: eslint .
      - run: mypy src
      - run: pytest -q
      - uses: codecov/codecov-action@v4
"""
HOOK_FILE = "repos:\n  - repo: x\n    hooks:\n      - id: ruff\n      - id: check-yaml\n"
RUFF = '[tool.ruff.lint]\nselect = ["E", "F", "BLE"]\nignore = ["E501"]\n'
CODE = "def f(x):\n    return x\n"
SPEC = "The price MUST be shown within 200 ms.\n"


@dataclass(frozen=True)
class Diff:
    """A file before and after, and a word of what is said of it."""

    path: str
    before: str
    after: str
    said: str = ""

    def __str__(self) -> str:
        return f"{self.path} {self.said}"


def _with(path: str, text: str, *edits: tuple[str, str], said: str = "") -> Diff:
    after = text
    for old, new in edits:
        assert after.count(old) == 1, (old, after)
        after = after.replace(old, new)
    return Diff(path, text, after, said)


LESS = [
    _with("docs/spec.md", SPEC, ("MUST", "SHOULD"), said="was a requirement, and is now weaker"),
    _with(
        "docs/spec.rst",
        "It SHALL NOT fail.\n",
        ("SHALL NOT", "may"),
        said="was a requirement, and is now weaker",
    ),
    _with("docs/spec.md", SPEC, ("within 200", "within 2000"), said="is now weaker"),
    _with("a.txt", "At least 3 copies are REQUIRED.\n", ("3", "1"), said="is now weaker"),
    _with("setup.cfg", "[tool:x]\nfail_under = 90\n", ("90", "70"), said="`fail_under` was 90"),
    _with(".flake8", "[flake8]\nmax-complexity = 10\n", ("10", "30"), said="was 10 and is 30"),
    _with(
        ".flake8",
        "[flake8]\nmax-complexity = 10\n",
        ("max-complexity = 10\n", ""),
        said="was removed",
    ),
    _with(
        ".eslintrc.json",
        '{"rules": {\n"max-lines": ["error", 300]\n}}\n',
        ("300", "900"),
        said="max-lines",
    ),
    _with(
        "package.json",
        '{"scripts": {"lint": "eslint --max-warnings 0 ."}}\n',
        ("0", "99"),
        said="max-w",
    ),
    _with("budget.json", '{"budget": "200 kB"}\n', ("200 kB", "1 MB"), said="was 200000"),
    _with("clippy.toml", "too-many-arguments-threshold = 5\n", ("5", "12"), said="was 5"),
    _with(CI, STEPS, ("      - run: mypy src\n", ""), said="no longer checks types"),
    _with(CI, STEPS, ("      - run: pytest -q\n", ""), said="no longer checks tests"),
    _with(CI, STEPS, ("- run: pytest -q", "# - run: pytest -q"), said="no longer checks tests"),
    _with(CI, STEPS, ("run: eslint .", "run: echo fine"), said="no longer checks lint"),
    Diff(CI, STEPS, "", "no longer checks tests"),
    _with(
        CI,
        STEPS,
        ("- run: pytest -q", "- run: pytest -q\n        continue-on-error: true"),
        said="passes",
    ),
    _with(
        CI,
        STEPS,
        ("    runs-on", "    continue-on-error: true\n    runs-on"),
        said="passes even if",
    ),
    _with(CI, STEPS, ("run: eslint .", "run: eslint . || true"), said="passes even if"),
    _with(
        CI, STEPS, ("- run: mypy src", "- if: false\n        run: mypy src"), said="passes even if"
    ),
    _with(
        ".gitlab-ci.yml",
        "t:\n  script: pytest\n",
        ("pytest\n", "pytest\n  allow_failure: true\n"),
        said="passes",
    ),
    _with(HOOKS, HOOK_FILE, ("      - id: ruff\n", ""), said="The hook `ruff` was removed"),
    _with(HOOKS, HOOK_FILE, ("- id: check-yaml", "# - id: check-yaml"), said="`check-yaml`"),
    _with("pyproject.toml", RUFF, ('["E501"]', '["E501", "BLE001"]'), said="`BLE001` is ignored"),
    _with(
        "setup.cfg",
        "[flake8]\nignore =\n    E501\n",
        ("E501\n", "E501\n    F401\n"),
        said="`F401` is",
    ),
    _with(
        ".golangci.yml",
        "linters:\n  disable:\n    - lll\n",
        ("- lll", "- lll\n    - errcheck"),
        said="errcheck",
    ),
    _with(
        ".eslintrc.json",
        '{"rules": {\n"no-eval": "error"\n}}\n',
        ('"error"', '"off"'),
        said="no-eval",
    ),
    _with(
        "Cargo.toml",
        '[lints.clippy]\nunwrap_used = "deny"\n',
        ('"deny"', '"allow"'),
        said="unwrap_used",
    ),
    _with("tsconfig.json", '{\n"strict": true\n}\n', ("true", "false"), said="strict"),
    _with(
        "mypy.ini",
        "[mypy]\nstrict = True\n",
        ("strict = True", "ignore_errors = True"),
        said="ignore_errors",
    ),
    _with("src/a.py", CODE, ("def f", "# ruff: noqa\ndef f"), said="whole file"),
    Diff("src/a.ts", "", "// @ts-nocheck\nexport const a = 1;\n", "whole file"),
    Diff("src/a.go", "", "//nolint:all\npackage a\n", "whole file"),
    _with(
        "src/a.py", CODE, ("    return x\n", "    x += 1  # noqa\n" * 12), said="suppressed here"
    ),
    Diff("src/a.js", "", "// eslint-disable-next-line\nf();\n" * 11, "suppressed here"),
]
HONEST = [
    _with("docs/a.md", SPEC, ("MUST be shown", "MUST be shown in bold")),
    _with("docs/a.md", SPEC, ("within 200", "within 100")),
    _with("docs/a.md", "Clients SHOULD ask twice.\n", ("SHOULD", "MUST")),
    _with("docs/a.md", "You must have 3 apples.\n", ("must", "may")),
    _with(
        "docs/a.md",
        "Version 2 MUST be used.\n",
        ("Version 2", "Version 3"),
    ),
    _with("README.md", "Takes at most 5 minutes.\n", ("5", "10")),
    _with("CHANGELOG.md", "# 1.0\n", ("# 1.0\n", "# 1.1\nYou MAY upgrade.\n# 1.0\n")),
    _with("setup.cfg", "[coverage:report]\nfail_under = 90\n", ("90", "95")),
    _with(".flake8", "[flake8]\nmax-complexity = 30\n", ("30", "10")),
    Diff("tox.ini", "[flake8]\nmax-complexity = 9\n[tox]\n", "[tox]\n"),
    _with("pyproject.toml", "[tool.black]\nline-length = 100\n", ("line-length = 100\n", "")),
    _with("pyproject.toml", 'max_supported_python = "3.13"\n', ("3.13", "3.14")),
    _with("package.json", '{"maxWorkers": 2, "version": "1.0.1"}\n', ("2,", "8,")),
    _with("Makefile", "test:\n\tpytest -n 4\n", ("4", "8")),
    _with(CI, STEPS, ("npm ci", "pnpm install")),
    _with(CI, STEPS, ("actions/checkout@v4", "actions/checkout@v5")),
    _with(CI, STEPS, ("eslint .", "biome ci ."), ("mypy src", "pyright")),
    _with(
        CI,
        STEPS,
        ("eslint .", "make check"),
        ("      - run: mypy src\n", ""),
        ("      - run: pytest -q\n", ""),
    ),
    _with(
        CI,
        STEPS,
        ("codecov-action@v4", "codecov-action@v4\n        continue-on-error: true"),
    ),
    _with(CI, STEPS, ("npm ci", "npm ls ||: \n      - run: npm ci")),
    _with(
        CI, STEPS, ("- run: pytest -q", "- if: github.event_name == 'push'\n        run: pytest")
    ),
    _with(HOOKS, HOOK_FILE, ("- id: ruff", "- id: ruff-check\n      - id: ruff-format")),
    _with(
        HOOKS,
        HOOK_FILE.replace("- id: ruff", "- id: black"),
        ("- id: black", "- id: ruff-format"),
    ),
    _with("pyproject.toml", RUFF, ('["E501"]', "[]")),
    _with("pyproject.toml", RUFF, ('["E501"]', '["E501", "ANN101"]')),
    _with(
        "pyproject.toml",
        '[tool.pytest]\nfilterwarnings = [\n  "error",\n]\n',
        (
            '  "error",\n',
            '  "error",\n  "ignore:forkpty may lead to deadlocks:DeprecationWarning",\n',
        ),
    ),
    _with("tsconfig.json", '{\n"strict": false\n}\n', ("false", "true")),
    _with(".eslintrc.json", '{"rules": {\n"no-eval": "off"\n}}\n', ('"off"', '"error"')),
    _with("src/a.py", CODE, ("return x", "return x  # type: ignore[no-any-return]")),
    _with("src/a.rs", "fn f() {}\n", ("fn f", "#[allow(dead_code)]\nfn f")),
    _with("tests/test_a.py", CODE, ("    return x\n", "    x += 1  # noqa\n" * 12)),
    Diff("src/a.py", "x = 1  # noqa\n" * 12, "x = 2  # noqa\n" * 12),
    _with("src/max.py", "MAX_LINES = 10\n", ("10", "100")),
    _with("src/limits.ts", "export const limit = 5; // MUST be 5\n", ("= 5", "= 6")),
]


def said_of(*diffs: Diff, others: dict[str, str] | None = None, **settings: object) -> Judgement:
    before = {d.path: d.before.encode() for d in diffs if d.before}
    after = {d.path: d.after.encode() for d in diffs if d.after}
    after |= {path: text.encode() for path, text in (others or {}).items()}
    files = tuple(
        ChangedFile(
            d.path,
            EntryKind.FILE if d.before else None,
            EntryKind.FILE if d.after else None,
            None,
            None,
            None,
            None,
        )
        for d in diffs
    )
    return check_guardrails(
        BuiltinSubject(
            TreeDiff("0" * 40, files),
            JudgeSettings(**settings),  # type: ignore[arg-type]
            after,
            lambda paths: {p: before[p] for p in paths if p in before},
            lambda paths: {p: after[p] for p in paths if p in after},
        )
    )


@pytest.mark.parametrize("diff", LESS, ids=str)
def test_a_diff_that_weakens_a_check_is_red(diff: Diff) -> None:
    said = said_of(diff)
    assert said.ending is Ending.FAILED, said.sentence
    assert diff.said in said.sentence
    assert {one.path for one in said.annotations} == {diff.path}


@pytest.mark.parametrize("diff", HONEST, ids=str)
def test_legitimate_work_does_not_weaken_checks(diff: Diff) -> None:
    said = said_of(diff)
    assert said.ending is Ending.PASSED, said.sentence
    assert not said.annotations


def test_a_check_moved_to_another_file_is_kept() -> None:
    moved = [
        Diff(CI, STEPS, ""),
        Diff(".github/workflows/all.yml", "", STEPS),
        Diff(".flake8", "[flake8]\nmax-complexity = 9\n", "[flake8]\n"),
        Diff("setup.cfg", "[x]\n", "[x]\n[flake8]\nmax-complexity = 9\n"),
    ]
    assert said_of(*moved).ending is Ending.PASSED


def test_a_check_that_another_workflow_runs_is_not_lost() -> None:
    twice = Diff(CI, STEPS, "")
    assert said_of(twice, others={".github/workflows/all.yml": STEPS}).ending is Ending.PASSED
    assert said_of(twice, others={"docs/all.yml": STEPS}).ending is Ending.FAILED


CODE_THERE = {"src/a.py": CODE, "src/a.js": "f();\n", "a.go": "package a\n"}
RULES = [
    (".flake8", "[flake8]\nselect = E\n"),
    ("ruff.toml", 'select = ["E"]\n'),
    (".pylintrc", "[MAIN]\n"),
    ("mypy.ini", "[mypy]\nstrict = True\n"),
    ("pyrightconfig.json", '{"strict": ["src"]}\n'),
    ("eslint.config.mjs", "export default [];\n"),
    (".eslintrc", '{"rules": {}}\n'),
    ("src/.eslintrc.json", '{"rules": {}}\n'),
    ("biome.json", "{}\n"),
    (".golangci.yml", "linters:\n  enable: [errcheck]\n"),
    ("clippy.toml", 'msrv = "1.70"\n'),
    ("deny.toml", "[bans]\n"),
    (".gitleaks.toml", "[allowlist]\n"),
    (".yamllint", "rules: {}\n"),
]


@pytest.mark.parametrize(("path", "text"), RULES, ids=str)
def test_rules_deleted_with_their_file_are_a_loss(path: str, text: str) -> None:
    said = said_of(Diff(path, text, ""), others=CODE_THERE)
    assert said.ending is Ending.FAILED
    assert "were removed with their file" in said.sentence
    empty = said_of(Diff(path, text, "\n"), others=CODE_THERE)
    assert empty.ending is Ending.FAILED, "an empty file has no rules either"


@pytest.mark.parametrize(
    ("path", "text", "others"),
    [
        (".flake8", "[flake8]\n", {"setup.cfg": "[flake8]\n"}),
        (".flake8", "[flake8]\n", {"pyproject.toml": "[tool.ruff]\n"}),
        (".pylintrc", "[MAIN]\n", {"ruff.toml": "line-length = 100\n"}),
        ("mypy.ini", "[mypy]\n", {"pyproject.toml": "[tool.mypy]\n"}),
        (".eslintrc.json", "{}\n", {"eslint.config.mjs": "export default [];\n"}),
        (".eslintrc.json", "{}\n", {"biome.json": "{}\n"}),
        (".eslintrc.json", "{}\n", {"package.json": '{"eslintConfig": {}}\n'}),
        ("src/.eslintrc.json", "{}\n", {".eslintrc.json": "{}\n"}),
        ("old/.eslintrc.json", "{}\n", {}),
    ],
    ids=str,
)
def test_rules_that_exist_elsewhere_are_not_a_loss(
    path: str, text: str, others: dict[str, str]
) -> None:
    assert said_of(Diff(path, text, ""), others={**CODE_THERE, **others}).ending is Ending.PASSED


def test_rules_elsewhere_count_only_in_the_same_folder_or_above() -> None:
    below = {"src/.eslintrc.json": "{}\n", "docs/setup.cfg": "[flake8]\n", "docs/a.py": CODE}
    for path in (".eslintrc.json", ".flake8"):
        assert (
            said_of(Diff(path, "x\n", ""), others={**CODE_THERE, **below}).ending is Ending.FAILED
        )


def test_files_of_the_archive_and_generated_files_are_exempt() -> None:
    weaker = _with("specs/shop.md", SPEC, ("MUST", "MAY"))
    assert said_of(weaker).ending is Ending.FAILED
    assert said_of(weaker, archive_paths=("specs/",)).ending is Ending.PASSED
    nested = Diff("src/specs/a.md", weaker.before, weaker.after)
    assert said_of(nested, archive_paths=("specs/",)).ending is Ending.FAILED
    made = Diff("gen/a.ts", "", "// @ts-nocheck\n")
    assert said_of(made, declared=DeclaredScope(generated=("gen/",))).ending is Ending.PASSED


def test_a_persons_change_is_reported_and_passes() -> None:
    said = said_of(LESS[0], is_of_person=True)
    assert said.ending is Ending.PASSED
    assert "A person weakened this on main" in said.sentence
    assert said.annotations


def test_the_gate_reads_the_commit(repository: Repository) -> None:
    repository.base_sha = repository.commit({"docs/spec.md": SPEC})
    repository.commit({"docs/spec.md": SPEC.replace("MUST", "SHOULD")})
    subject = Subject(repository.folder, repository.base_sha)
    result = judge(subject, (GUARDRAILS,), JudgeSettings(), lambda _: None).results[0]
    assert result.ending is Ending.FAILED
    assert "docs/spec.md:1 This sentence was a requirement, and is now weaker" in result.sentence
