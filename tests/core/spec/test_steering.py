"""Which files of a change steer how it is judged."""

import pytest

from bot.core.spec.steering.find import Change, named_next, steering
from bot.core.spec.steering.known_files import is_runner_file
from bot.core.spec.steering.named_files import named_files
from bot.core.spec.steering.shadows import shadowing
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
        ("python -m tools.lint", {"tools/lint.py"}),
        ("python3 -m app --selftest", {"src/app/__main__.py"}),
        ("node --no-warnings run.mjs", {"run.mjs"}),
        ("grep -aF -f ci/banned.txt shop.py", {"ci/banned.txt"}),
        ("lint --config=ci/banned.txt shop.py", {"ci/banned.txt"}),
        # What is judged is no part of the judgement.
        ("python3 -m pytest -q tests/test_shop.py", set()),
        ("grep -q hello shop.py", set()),
        ("test -f shop.py || [ -f gate.sh ]", set()),
        ("python3 -c 'import shop'", set()),
    ],
)
def test_a_line_names_what_it_starts_and_is_configured_by(line: str, named: set[str]) -> None:
    assert named_files([line], TREE) == named


def test_what_a_script_starts_is_named_too() -> None:
    script = b"#!/bin/sh\n. ./lib.sh\n"
    assert named_next({"ci/check.sh": script}, frozenset({"ci/check.sh"}), TREE) == ("ci/lib.sh",)
    scripts = b'{"scripts": {"test": "node run.mjs"}, "main": "shop.py"}'
    assert named_next({"package.json": scripts}, frozenset(), TREE) == ("run.mjs",)
    assert named_next({"package.json": b"[]"}, frozenset(), TREE) == ()


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
        ("setup.cfg", b"[metadata]\nname = a", b"[metadata]\nname = b", False),
        ("setup.cfg", b"", b"[tool:pytest]\naddopts = --co", True),
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
    assert bool(shadowing([path], paths, ["ci/check.py"])) is is_red


def found(changed: str, setup: frozenset[str] | None = None, after: str = "2") -> Steering:
    change = Change(base={changed: "1"}, candidate={changed: after}, changed=(changed,))
    return steering(change, frozenset({"gate.sh"}), setup, {}, "head")


def test_only_what_changes_steers_and_contents_are_told_apart() -> None:
    assert found("shop.py") == Steering()
    assert found("gate.sh").runner == ("gate.sh",)
    assert found("setup.py").files == ()
    assert found("setup.py", frozenset()).setup == ("setup.py",)
    assert found("make.sh", frozenset({"make.sh"})).setup == ("make.sh",)
    assert found("gate.sh").digest != found("gate.sh", after="3").digest
    # What is there already shadows nothing new.
    assert found("calendar.py") == Steering()


def test_what_has_no_contents_is_told_apart_by_the_work() -> None:
    link = Change(base={"gate.sh": "1"}, candidate={}, changed=("gate.sh",))
    named = frozenset({"gate.sh"})
    one, other = (steering(link, named, None, {}, head) for head in ("head", "another"))
    assert one.digest != other.digest
