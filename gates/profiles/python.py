"""Projects in Python: pip, uv or Poetry, and pytest."""

import re
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
    return Sign.WEAK if "requirements.txt" in project.paths else Sign.NONE


def _propose(project: Project) -> Proposal:
    paths = project.paths
    text = project.texts.get("pyproject.toml", "")
    linters = [name for name, signs in _LINTERS.items() if _is_set_up(signs, paths, text)]
    run, setup = "python3 -m", ""
    if "uv.lock" in paths:
        run, setup = "uv run python -m", "uv sync --locked"
    elif "poetry.lock" in paths:
        run, setup = "poetry run python -m", "poetry install --no-interaction"
    elif "requirements.txt" in paths or "[project]" in text:
        what = "-r requirements.txt" if "requirements.txt" in paths else "-e ."
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
