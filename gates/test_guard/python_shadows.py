"""Modules in Python that a change puts before the product's own, so that tests import another one of the same name."""

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from gates.test_guard.aware import is_product_code
from gates.test_guard.languages import is_test_path

_FOLDERS_MAX = 50
# Where products lie.
_ROOTS = ("", "src", "lib", "python")
_PATHS = re.compile(
    r"^.*(?:\bsys\.path\.(?:insert|append|extend)\b|\bsys\.path(?:\[[^\]\n]{0,20}\])?\s*\+?=[^=]"
    r"|\bsite\.addsitedir\(|\bsyspath_prepend\().*$",
    re.MULTILINE,
)
_MODULES = re.compile(r"\bsys\.modules\[\s*[\"']([\w.]{1,100})[\"']\s*\]\s*=(?!=)")


@dataclass(frozen=True)
class Shadow:
    """A module of the product, and the file that stands in its place."""

    module: str
    path: str
    said: str


def shadows(
    paths: Collection[str], added: Mapping[str, str], edited: Mapping[str, tuple[str, str]]
) -> Iterator[Shadow]:
    """`paths` are all of the candidate's; `added` the texts of new files; `edited` those of files that are there for
    tests, before and after.
    """
    known = frozenset(paths)
    modules = dict(_modules(one for one in paths if one not in added))
    first = _first_folders(known)
    told = {path: _new_lines(*texts) for path, texts in edited.items()}
    for path, text in added.items():
        if not text.strip() or is_test_path(path) or not path.endswith(".py"):
            continue
        for module, folder in _provided(path):
            if module not in modules or folder == modules[module]:
                continue
            if folder in first:
                yield Shadow(module, path, f"Tests import `{module}` from {path} first")
            for file, lines in told.items():
                near = posixpath.dirname(file) == folder
                if any(near or posixpath.basename(folder) in line for line in lines):
                    yield Shadow(module, path, f"{file} makes tests import `{module}` from {path}")
    for path, (before, after) in edited.items():
        for name in sorted(set(_MODULES.findall(after)) - set(_MODULES.findall(before))):
            is_kept = re.search(
                rf"=\s*sys\.modules(?:\.pop\(|\.get\(|\[)\s*[\"']{re.escape(name)}[\"']", after
            )
            if not is_kept and name.partition(".")[0] in modules and _is_there(name, known):
                yield Shadow(name, path, f"{path} puts something else in the place of `{name}`")


def _modules(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The modules at the top of the product, each with the folder that Python finds it in."""
    for path in paths:
        for root in _ROOTS:
            rest = path.removeprefix(f"{root}/") if root else path
            name, _, more = rest.partition("/")
            is_one = (not more and name.endswith(".py")) or more == "__init__.py"
            if (not root or rest != path) and is_one and is_product_code(path):
                yield name.removesuffix(".py"), root


def _provided(path: str) -> Iterator[tuple[str, str]]:
    """`shop` in `tests/easy`, of `tests/easy/shop.py` and of `tests/easy/shop/prices.py`."""
    parts = path.split("/", _FOLDERS_MAX)
    for at, part in enumerate(parts):
        yield part.removesuffix(".py"), "/".join(parts[:at])


def _first_folders(paths: frozenset[str]) -> frozenset[str]:
    """Those that pytest puts in front for its test files: the first without an `__init__.py`."""
    found: set[str] = set()
    for path in paths:
        if path.endswith(".py") and is_test_path(path):
            folder = posixpath.dirname(path)
            while folder and f"{folder}/__init__.py" in paths:
                folder = posixpath.dirname(folder)
            found.add(folder)
    return frozenset(found)


def _new_lines(before: str, after: str) -> list[str]:
    return [one[0] for one in _PATHS.finditer(after) if one[0] not in before]


def _is_there(name: str, paths: frozenset[str]) -> bool:
    place = name.replace(".", "/")
    return any(
        posixpath.join(root, f"{place}{end}") in paths
        for root in _ROOTS
        for end in (".py", "/__init__.py")
    )
