"""What a script of a gate takes from its own folder: helpers, data, what it compares with.

A script among the product's own files is followed no further, because its folder is what is judged.
"""

import posixpath
import re
from collections.abc import Iterator

from gates.test_guard.languages import OWN_READERS

# Where products lie.
_OF_THE_PRODUCT = frozenset({"", "src", "lib", "app", "pkg", "cmd", "internal"})
_FILE_NAME = re.compile(r"(?<![\w-])[\w-]++(?:\.[\w-]++)+")
_PYTHON_IMPORT = re.compile(
    r"^[ \t]*(?:from\s++\.*+([\w.]*+)\s++import\s++([\w, ]+)|import\s++([\w., ]+))", re.M
)
_JAVASCRIPT_IMPORT = re.compile(r"""["'](\.{1,2}/[\w./-]+)["']""")
_JAVASCRIPT = (".js", ".mjs", ".cjs", ".ts", ".mts", ".json")


def beside(path: str, content: bytes, paths: frozenset[str]) -> frozenset[str]:
    """The files at or below a script's folder that its text names or imports."""
    folder = posixpath.dirname(path)
    if folder in _OF_THE_PRODUCT or f"{folder}/__init__.py" in paths:
        return frozenset()
    near = frozenset(
        one for one in paths if one.startswith(f"{folder}/") and not OWN_READERS.is_test_path(one)
    )
    text = content.decode("utf-8", "replace")
    names = set(_FILE_NAME.findall(text))
    named = {one for one in near if posixpath.basename(one) in names}
    return frozenset(named | set(_imported(path, text, near)))


def _imported(path: str, text: str, near: frozenset[str]) -> Iterator[str]:
    folder = posixpath.dirname(path)
    if path.endswith(".py"):
        for module in _modules(text):
            place = module.replace(".", "/")
            for root in (folder, ""):
                at = posixpath.normpath(posixpath.join(root, place))
                yield from (p for p in (f"{at}.py", f"{at}/__init__.py") if p in near)
        return
    for match in _JAVASCRIPT_IMPORT.finditer(text):
        at = posixpath.normpath(posixpath.join(folder, match[1]))
        ends = ("", *_JAVASCRIPT, *(f"/index{end}" for end in _JAVASCRIPT))
        yield from (at + end for end in ends if at + end in near)


def _modules(text: str) -> Iterator[str]:
    for match in _PYTHON_IMPORT.finditer(text):
        package, names, modules = match[1] or "", match[2] or "", match[3] or ""
        yield from (one.split()[0] for one in modules.split(",") if one.strip())
        if match[3] is None:
            yield package
            inside = f"{package}." if package else ""
            yield from (f"{inside}{one.split()[0]}" for one in names.split(",") if one.strip())
