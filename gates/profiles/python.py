"""Projects in Python: pip, uv or Poetry, and pytest."""

import re
import shlex
import tomllib
from collections.abc import Collection, Sequence

from gates.profiles.profile import LockFile, Profile, Project, Proposal, ProposedGate, Sign
from gates.test_guard.found_test import TestFile
from gates.test_guard.python_tests import read_python

_PYPI = ("pypi.org", "files.pythonhosted.org")
# pytest, "Conventions for Python test discovery"; Django's `tests.py`.
_TESTS = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test|tests)\.py$")


def _detect(project: Project) -> Sign:
    if "pyproject.toml" in project.paths:
        return Sign.STRONG
    is_older = not {"requirements.txt", *_OLDER}.isdisjoint(project.paths)
    return Sign.WEAK if is_older else Sign.NONE


def _propose(project: Project) -> Proposal:
    paths = project.paths
    text = project.texts.get("pyproject.toml", "")
    linters = [name for name, signs in _LINTERS.items() if _is_set_up(signs, paths, text)]
    run, setup = "python3 -m", ""
    if "uv.lock" in paths:
        extras = "".join(f" --extra {name}" for name in _extras(text))
        run, setup = "uv run python -m", f"uv sync --locked{extras}"
    elif "poetry.lock" in paths:
        run, setup = "poetry run python -m", "poetry install --no-interaction"
    elif what := _installed(paths, text):
        run = ".venv/bin/python -m"
        tools = " ".join(("pytest", *linters))
        setup = f"python3 -m venv .venv && .venv/bin/pip install {what} {tools}"
    if not run.startswith(".venv"):
        # A lock says which tools there are, and without a set-up there are none for sure.
        linters = [name for name in linters if setup and re.search(rf"[\"'\s]{name}\b", text)]
    gates = (
        ProposedGate("build", f"{run} compileall -q . -x '[.]venv'"),
        *(ProposedGate(_gate_of(name, linters), f"{run} {_LINES[name]}") for name in linters),
        ProposedGate("test", f"{run} pytest -q --junitxml=$HEADGATE_JUNIT", junit=True),
    )
    return Proposal(gates, (setup,), _PYPI) if setup else Proposal(gates)


_OLDER = ("setup.py", "setup.cfg")
# Files and names under which projects list what their tests need.
_MORE = re.compile(r"(?:(?:dev|tests?)[-_]requirements|requirements[-_](?:dev|tests?))\.txt")
_FOR_TESTS = ("dev", "test", "tests", "testing")


def _installed(paths: Collection[str], text: str) -> str:
    """What pip is asked for before the tools; empty where the project lists nothing."""
    lists = [name for name in sorted(paths) if _MORE.fullmatch(name)]
    if "requirements.txt" in paths:
        return " ".join(f"-r {name}" for name in ("requirements.txt", *lists))
    if "[project]" not in text and not set(_OLDER) & set(paths):
        return ""
    extras = ",".join(_extras(text))
    own = f"-e '.[{extras}]'" if extras else "-e ."
    return " ".join((own, *(f"-r {name}" for name in lists), *map(shlex.quote, _groups(text))))


def _extras(text: str) -> list[str]:
    extras = _table(_table(_toml(text), "project"), "optional-dependencies")
    return [name for name in _FOR_TESTS if name in extras]


def _groups(text: str) -> list[str]:
    """Of dependency groups (PEP 735), which older versions of pip do not know."""
    groups = _table(_toml(text), "dependency-groups")
    found: set[str] = set()
    for name in _FOR_TESTS:
        asked = groups.get(name)
        found.update(
            one for one in (asked if isinstance(asked, list) else ()) if isinstance(one, str)
        )
    return sorted(found)


def _toml(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _table(of: dict[str, object], name: str) -> dict[str, object]:
    found = of.get(name)
    return found if isinstance(found, dict) else {}


# A linter that the project has set up; without that its own main would seldom be green.
_LINTERS = {
    "ruff": ("ruff.toml", ".ruff.toml", "[tool.ruff"),
    "flake8": (".flake8",),
}
_LINES = {"ruff": "ruff check .", "flake8": "flake8 --extend-exclude .venv"}


def _is_set_up(signs: Sequence[str], paths: Collection[str], text: str) -> bool:
    return any(sign in paths or (sign.startswith("[") and sign in text) for sign in signs)


def _gate_of(name: str, linters: Sequence[str]) -> str:
    return "lint" if len(linters) == 1 else name


class _Tests:
    def is_test_path(self, path: str) -> bool:
        return bool(_TESTS.search(path))

    def read(self, path: str, source: str) -> TestFile:
        return read_python(path, source)


PROFILE = Profile(
    name="python",
    version="1",
    detect=_detect,
    propose=_propose,
    tests=_Tests(),
    reads=("pyproject.toml",),
    locks=(LockFile("poetry.lock", "poetry lock", _PYPI), LockFile("uv.lock", "uv lock", _PYPI)),
)
