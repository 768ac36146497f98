"""New files that an interpreter or a runner would take for a library, itself or a start-up hook."""

import posixpath
import re
import sys
from collections.abc import Iterable

_RUNNERS = frozenset(
    {"pytest", "_pytest", "pluggy", "iniconfig", "coverage", "pytest_cov", "xdist", "hypothesis"}
    | {"nose", "nose2", "tox", "nox", "ruff", "mypy", "flake8", "pyflakes", "pycodestyle", "pylint"}
    | {"black", "isort", "bandit", "pip", "setuptools", "pkg_resources", "wheel"}
    # What pytest imports as it starts, and plugins that it loads by themselves.
    | {"packaging", "pygments", "exceptiongroup", "tomli", "colorama", "execnet", "anyio"}
    | {"pytest_asyncio", "pytest_mock", "pytest_timeout", "pytest_randomly", "pytest_metadata"}
    | {"pytest_rerunfailures", "pytest_django", "pytest_env", "pytest_html", "pytest_benchmark"}
)
_TAKEN = _RUNNERS | frozenset(sys.stdlib_module_names)
# Headgate puts the last one into a project's pytest.
_START_UP = frozenset({"sitecustomize", "usercustomize", "headgate_probe"})
_MODULE = re.compile(r"(\w+)(?:\.[\w-]+)?\.(?:pyc?|so|pyd)")
_TEST = re.compile(r"(?:test_\w*|\w*_test|conftest)\.py")
# Where an interpreter of Python looks first, whatever it is started with.
_ROOTS = frozenset({"", "src"})


# What pip leaves beside a package. pytest loads the plugins that it names, wherever Python imports from.
_INSTALLED = (".egg-info", ".dist-info", ".egg-link", ".egg")


def shadowing(
    added: Iterable[str],
    paths: frozenset[str],
    started: Iterable[str],
    first: frozenset[str] = frozenset(),
) -> tuple[str, ...]:
    """The added files that shadow, sorted.

    `paths` are the candidate's regular files: what is added and none of them is a link, and stands for a
    module or a folder. `started` are scripts of gates; from the folders `first` Python imports first.
    """
    roots = _ROOTS | _test_folders(paths) | {posixpath.dirname(path) for path in started} | first
    return tuple(
        sorted(
            path
            for path in added
            if _shadows(path, roots)
            or (path not in paths and _shadows(f"{path}/__init__.py", roots))
        )
    )


def _test_folders(paths: frozenset[str]) -> frozenset[str]:
    """Folders that pytest puts before all others: those of tests that are in no package."""
    folders = {posixpath.dirname(p) for p in paths if _TEST.fullmatch(posixpath.basename(p))}
    return frozenset(f for f in folders if posixpath.join(f, "__init__.py") not in paths)


def _shadows(path: str, roots: frozenset[str]) -> bool:
    folders = posixpath.dirname(path).split("/")
    if "node_modules" in folders or path.endswith(".pth"):
        return True
    # Python runs it in place of the source beside it, and nobody can read it.
    if "__pycache__" in folders and path.endswith(".pyc"):
        return True
    if any(part.endswith(_INSTALLED) for part in path.split("/")):
        return True
    found = _MODULE.fullmatch(posixpath.basename(path))
    if found is None:
        return False
    folder, module = posixpath.dirname(path), found[1]
    if module == "__init__":
        folder, module = posixpath.split(folder)
    return module in _START_UP or (module in _TAKEN and folder in roots)
