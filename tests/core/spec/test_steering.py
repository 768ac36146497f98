"""Which files of a change steer how it is judged."""

import pytest

from bot.core.spec.steering.find import (
    Change,
    configurations,
    import_roots,
    named_by_configuration,
    named_by_lines,
    named_next,
    steering,
)
from bot.core.spec.steering.known_files import is_runner_file
from bot.core.spec.steering.named_files import named_files
from bot.core.spec.steering.shadows import shadowing
from bot.core.spec.steering.tree_links import Links
from bot.core.values.steering import Steering
from gates.setup_files import is_setup_file

TREE = frozenset(
    {"gate.sh", "ci/check.sh", "ci/lib.sh", "shop.py", "tests/test_shop.py", "ci/banned.txt"}
    | {"tools/lint.py", "src/app/__main__.py", "run.mjs", "Makefile"}
)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("sh gate.sh", {"gate.sh"}),
        ("./gate.sh && true", {"gate.sh"}),
        ("timeout 5 bash -x ./ci/check.sh | tee log", {"ci/check.sh"}),
        ("cd ci && sh check.sh", {"ci/check.sh"}),
        ("bash -ec 'sh ./gate.sh'", {"gate.sh"}),
        ("if sh gate.sh; then true; fi", {"gate.sh"}),
        ("FOO=1 $PWD/ci/check.sh", {"ci/check.sh"}),
        ("sh ${ROOT:-.}/ci/check.sh", {"ci/check.sh"}),
        ("$(git rev-parse --show-toplevel)/ci/check.sh", {"ci/check.sh"}),
        ("sh 'gate.sh", {"gate.sh"}),
        ("$(command -v sh) gate.sh", {"gate.sh"}),
        ("`command -v sh` gate.sh", {"gate.sh"}),
        ("python -m tools.lint", {"tools/lint.py"}),
        ("python3 -m app --selftest", {"src/app/__main__.py"}),
        ("node --no-warnings run.mjs", {"run.mjs"}),
        ("grep -aF -f ci/banned.txt shop.py", {"ci/banned.txt"}),
        ("lint --config=ci/banned.txt shop.py", {"ci/banned.txt"}),
        # What is judged is no part of the judgement.
        ("python3 -m pytest -q tests/test_shop.py", set()),
        ("node --test run.mjs", set()),
        ("grep -q hello shop.py", set()),
        ('grep -q "$(date +%Y)" shop.py', set()),
        ("test -f shop.py || [ -f gate.sh ]", set()),
        ("python3 -c 'import shop'", set()),
    ],
)
def test_a_command_line_names_its_program_and_configuration_files(
    line: str, named: set[str]
) -> None:
    assert named_files([line], TREE) == named


def test_files_started_by_a_script_are_named() -> None:
    script = b"#!/bin/sh\n. ./lib.sh\n"
    known = frozenset({"ci/check.sh"})
    links = Links.of(TREE, {})
    assert named_next({"ci/check.sh": script}, known, links) == ("ci/lib.sh",)
    # Where the product lies, too.
    product = Links.of(TREE | {"src/lib.sh"}, {})
    assert named_next({"src/run.sh": script}, frozenset(), product) == ("src/lib.sh",)
    scripts = b'{"scripts": {"test": "node run.mjs"}, "main": "shop.py"}'
    assert named_next({"package.json": scripts}, frozenset(), links) == ("run.mjs",)
    assert named_next({"package.json": b"[]"}, frozenset(), links) == ()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("pytest $(cat ci/banned.txt)", {"ci/banned.txt"}),
        ("pytest `cat ci/banned.txt`", {"ci/banned.txt"}),
        ("pytest $(< ci/banned.txt)", {"ci/banned.txt"}),
        ("while read t; do pytest $t; done < ci/banned.txt", {"ci/banned.txt"}),
        ("xargs pytest <ci/banned.txt", {"ci/banned.txt"}),
        ("grep -v '#' ci/banned.txt | xargs pytest", {"ci/banned.txt"}),
        ("pytest @ci/banned.txt", {"ci/banned.txt"}),
        ("make >out && diff out ci/banned.txt", {"ci/banned.txt"}),
        ("sh ci/*.sh", {"ci/check.sh", "ci/lib.sh"}),
        ("for t in ci/*.sh; do sh $t; done", {"ci/check.sh", "ci/lib.sh"}),
        # What is looked at is no part of the judgement, whatever the line makes of it.
        ("cat shop.py | wc -l", set()),
        ("python3 -m pytest tests | tee log", set()),
        ("for f in *.py; do python3 -m py_compile $f; done", set()),
    ],
)
def test_a_line_takes_words_and_expectations_from_files(line: str, named: set[str]) -> None:
    assert named_by_lines((line,), Links.of(TREE, {})) == named


@pytest.mark.parametrize(
    ("path", "text", "named"),
    [
        ("Makefile", "include ci/banned.txt\n", {"ci/banned.txt"}),
        ("Makefile", "build:\n\ttrue\n-include ci/banned.txt\n", {"ci/banned.txt"}),
        ("ci/check.sh", '. "$(dirname "$0")/lib.sh"\n', {"ci/lib.sh"}),
        ("ci/check.sh", "grep -F wrong banned.txt && exit 1\n", {"ci/banned.txt"}),
        ("tools/lint.py", "import json\nfrom rules import all_of\n", {"tools/rules.py"}),
        ("tools/lint.py", "from tools import rules as r\n", {"tools/rules.py"}),
        ("tools/lint.mjs", 'import { all } from "./rules.mjs";\n', {"tools/rules.mjs"}),
        ("tools/lint.mjs", 'const rules = require("./rules");\n', {"tools/rules.mjs"}),
        ("tools/lint.py", "subprocess.run(['sh', 'ci/check.sh'])\n", {"ci/check.sh"}),
        # Scripts look at the product, and at tests; a product's own script stands among what is judged.
        ("tools/lint.py", "from shop import price\nopen('shop.py')\n", set()),
        ("tools/lint.mjs", "const text = `shop.py`;\n", set()),
        ("src/app/__main__.py", "from .cart import price\n", set()),
    ],
)
def test_files_imported_by_a_script_are_named(path: str, text: str, named: set[str]) -> None:
    more = {"tools/rules.py", "tools/rules.mjs", "tools/lint.mjs", "src/app/cart.py"}
    links = Links.of(TREE | more | {"src/app/__init__.py"}, {})

    assert set(named_next({path: text.encode()}, frozenset({path}), links)) == named


@pytest.mark.parametrize(
    ("path", "text", "named"),
    [
        ("pyproject.toml", "addopts = '-q -p tools.lint'", {"tools/lint.py"}),
        ("pytest.ini", "[pytest]\naddopts = -p tools.lint\n", {"tools/lint.py"}),
        ("conftest.py", "pytest_plugins = ['tools.lint']\n", {"tools/lint.py"}),
        ("tools/conftest.py", "from tools.lint import *\n", {"tools/lint.py"}),
        ("tools/conftest.py", "from .lint import pytest_runtest_call\n", {"tools/lint.py"}),
        ("jest.config.js", 'setupFiles: ["<rootDir>/run.mjs"],', {"run.mjs"}),
        ("vitest.config.ts", "globalSetup: './run'", {"run.mjs"}),
        ("vitest.config.ts", 'import { all } from "./run.mjs";', {"run.mjs"}),
        ("package.json", '{"jest": {"reporters": ["./run.mjs"]}}', {"run.mjs"}),
        # Fixtures need the product, and packages export it.
        ("conftest.py", "from shop import price\n", set()),
        ("package.json", '{"exports": {"import": "./run.mjs"}}', set()),
        ("jest.config.js", 'collectCoverageFrom: ["run.mjs"],', set()),
    ],
)
def test_files_named_in_a_runner_configuration_are_named(
    path: str, text: str, named: set[str]
) -> None:
    links = Links.of(TREE | {path}, {})

    assert configurations([path, "shop.py"]) == (path,)
    assert named_by_configuration({path: text.encode()}, links) == named


def test_targets_of_symlinks_are_named() -> None:
    files = frozenset({"tools/check.sh", "more/hooks.txt", "shop.py"})
    links = {
        "ci": "tools",
        "gate.sh": "second",
        "second": "ci/check.sh",
        "web/conftest.py": "../more/hooks.txt",
    }
    known = Links.of(files, links | {"round": "circle", "circle": "round", "out": "../../etc"})

    assert named_by_lines(("sh ci/check.sh",), known) == {"ci/check.sh", "ci", "tools/check.sh"}
    chain = {"gate.sh", "second", "ci", "tools/check.sh"}
    assert named_by_lines(("sh gate.sh",), known) == chain
    assert named_by_configuration({}, known) == {"web/conftest.py", "more/hooks.txt"}


@pytest.mark.parametrize(
    ("path", "before", "after", "steers"),
    [
        ("deep/conftest.py", b"", b"x", True),
        ("pytest.ini", None, b"[pytest]", True),
        ("Makefile", b"a", None, True),
        (".cargo/config.toml", b"", b"", True),
        ("web/vitest.config.ts", b"", b"", True),
        ("app/config.toml", b"", b"", False),
        ("tests/test_shop.py", b"", b"", False),
        ("pyproject.toml", b"[project]\nname = 'a'", b"[project]\nname = 'b'", False),
        ("pyproject.toml", b"", b"[tool.pytest.ini_options]\naddopts = '--co'", True),
        ("pyproject.toml", None, b"[tool.poetry]\nname = 'a'", False),
        ("pyproject.toml", b"", b"[tool.pytest", True),
        ("package.json", b'{"dependencies": {}}', b'{"dependencies": {"a": "1"}}', False),
        ("package.json", b'{"scripts": {}}', b'{"scripts": {"test": "true"}}', True),
        ("package.json", b'{"jest": {}}', None, True),
        ("package.json", b"{}", b"[]", True),
        ("pytest.toml", None, b"[pytest]\naddopts = ['--co']", True),
        ("Cargo.toml", b'[dependencies]\na = "1"', b'[dependencies]\na = "2"\nb = "1"', False),
        ("Cargo.toml", b'[package]\nversion = "1"', b'[package]\nversion = "2"', False),
        ("Cargo.toml", b"[[bin]]\nname = 'a'", b"[[bin]]\nname = 'a'\n[[bin]]\nname = 'b'", False),
        ("Cargo.toml", b"", b"[lib]\ntest = false", True),
        ("Cargo.toml", b"", b"[lib]\ndoctest = false", True),
        ("Cargo.toml", b"", b"[package]\nautotests = false", True),
        ("Cargo.toml", b"", b"[package]\nbuild = 'src/a.rs'", True),
        ("Cargo.toml", b"[features]\ndefault = ['a']", b"[features]\ndefault = []", True),
        ("go.mod", b"module a\n", b"module a\n\nrequire (\n\tb v1\n\tc v2 // indirect\n)\n", False),
        ("go.mod", b"module a\ngo 1.22\n", b"module a\ngo 1.23\nrequire b v1\n", False),
        ("go.mod", b"module a\n", b"module a\nreplace b => ./c\n", True),
        ("go.mod", b"module a\n", b"module a\nignore ./deep\n", True),
        ("deep/go.mod", None, b"module a/deep\n", True),
        ("setup.cfg", b"[metadata]\nname = a", b"[metadata]\nname = b", False),
        ("setup.cfg", b"", b"[tool:pytest]\naddopts = --co", True),
        ("jsconfig.json", None, b"{}", True),
        ("uv.toml", None, b"", True),
        ("web/insta.yaml", None, b"", True),
        ("mise.toml", None, b"", True),
        ("src/setupTests.ts", None, b"", True),
        ("spec/spec_helper.rb", None, b"", True),
        ("patches/vitest+1.0.0.patch", None, b"", True),
        ("docs/patches.md", None, b"", False),
        (".yarn/releases/yarn-4.0.0.cjs", None, b"", True),
        (".mvn/jvm.config", None, b"", True),
        ("__mocks__/axios.js", None, b"", True),
        ("src/__mocks__/shop.js", None, b"", False),
        ("src/test/resources/META-INF/services/org.junit.Listener", None, b"", True),
        ("package.json", b"{}", b'{"devDependencies": {"vitest": "file:kit"}}', True),
        ("package.json", b"{}", b'{"devDependencies": {"jest": "npm:calm@1"}}', True),
        ("package.json", b"{}", b'{"devDependencies": {"kit": "workspace:*"}}', False),
        ("Cargo.toml", b"", b'[dev-dependencies]\nassert = {path = "kit"}', True),
        ("Cargo.toml", b"", b'[dev-dependencies]\na = {version = "1", features = ["x"]}', False),
        ("Cargo.toml", b"", b'[dependencies]\ncore = {path = "../core"}', False),
    ],
)
def test_files_that_runners_read_by_their_names(
    path: str, before: bytes | None, after: bytes | None, steers: bool
) -> None:
    assert is_runner_file(path, before, after) is steers


@pytest.mark.parametrize(
    ("path", "installs"),
    [
        ("setup.py", True),
        ("web/package-lock.json", True),
        ("requirements/dev.txt", True),
        ("requirements-dev.txt", True),
        ("uv.lock", True),
        ("go.sum", True),
        ("src/setup_shop.py", False),
        ("README.md", False),
    ],
)
def test_files_that_setup_depends_on(path: str, installs: bool) -> None:
    assert is_setup_file(path) is installs


@pytest.mark.parametrize(
    ("path", "is_red"),
    [
        ("pytest.py", True),
        ("src/json.py", True),
        ("unittest/__init__.py", True),
        ("random.cpython-311-x86_64-linux-gnu.so", True),
        ("tests/difflib.py", True),
        ("ci/calendar.py", True),
        ("deep/down/sitecustomize.py", True),
        ("usercustomize/__init__.py", True),
        ("a.pth", True),
        ("web/node_modules/.bin/vitest", True),
        ("evil.egg-info/entry_points.txt", True),
        ("src/evil-1.0.dist-info/METADATA", True),
        ("lib/json.py", True),
        ("packaging/__init__.py", True),
        ("pytest_timeout.py", True),
        ("tests/__pycache__/kit.cpython-311.pyc", True),
        ("packaging/debian/control", False),
        ("shop/pytest_shop.py", False),
        # Inside a package a name is nobody else's.
        ("shop/queue.py", False),
        ("package/tests/json.py", False),
        ("http/README.md", False),
        ("test/sum.py", False),
        ("shop.py", False),
    ],
)
def test_new_files_that_a_runner_would_take_for_its_own(path: str, is_red: bool) -> None:
    paths = frozenset(
        {"tests/test_shop.py", "package/tests/test_a.py", "package/tests/__init__.py", path}
    )
    assert bool(shadowing([path], paths, ["ci/check.py"], frozenset({"lib"}))) is is_red


@pytest.mark.parametrize(
    ("link", "is_red"),
    [
        ("pytest", True),
        ("tests/difflib", True),
        ("web/node_modules", True),
        ("shop", False),
        ("package/json", False),
    ],
)
def test_a_symlink_counts_as_a_folder_of_its_name(link: str, *, is_red: bool) -> None:
    paths = frozenset({"tests/test_shop.py", "package/tests/test_a.py"})
    assert bool(shadowing([link], paths, [])) is is_red


def test_import_folders_of_python_are_read_from_commands_and_configuration() -> None:
    lines = ("PYTHONPATH=$PWD/lib:. pytest", "PYTHONPATH=${X:-.}/more make")
    said = {"pyproject.toml": b'pythonpath = ["a", "b/c"]', "web/pytest.ini": b"pythonpath = d\n"}
    assert import_roots(lines, said) == {"lib", "", "more", "a", "b/c", "web/d"}


def test_vendored_packages_are_steering_files_if_their_tools_say_so() -> None:
    path = "vendor/github.com/a/assert/assert.go"
    for base, steers in (("vendor/modules.txt", True), ("vendor/README.md", False)):
        change = Change(base={base: "1", path: "1"}, candidate={}, changed=(path,))
        assert bool(steering(change, frozenset(), None, {}, "head").runner) is steers


def found(changed: str, setup: frozenset[str] | None = None, after: str = "2") -> Steering:
    change = Change(base={changed: "1"}, candidate={changed: after}, changed=(changed,))
    return steering(change, frozenset({"gate.sh"}), setup, {}, "head")


def test_only_changed_files_are_steering_and_digests_depend_on_content() -> None:
    assert found("shop.py") == Steering()
    assert found("gate.sh").runner == ("gate.sh",)
    assert found("setup.py").files == ()
    assert found("setup.py", frozenset()).setup == ("setup.py",)
    assert found("make.sh", frozenset({"make.sh"})).setup == ("make.sh",)
    assert found("gate.sh").digest != found("gate.sh", after="3").digest
    # What is there already shadows nothing new.
    assert found("calendar.py") == Steering()


def test_a_steering_file_without_content_is_identified_by_the_head() -> None:
    link = Change(base={"gate.sh": "1"}, candidate={}, changed=("gate.sh",))
    named = frozenset({"gate.sh"})
    one, other = (steering(link, named, None, {}, head) for head in ("head", "another"))
    assert one.digest != other.digest
