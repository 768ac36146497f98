"""Where a failing test can be shown: a path of the judged tree and a line.

Only paths of the tree count, so that an annotation never points at a library or an invented file.
The disk is not read.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

# Tracebacks longer than this are searched from their beginning only.
_TEXT_CHARS_MAX = 20_000
# Of more files with one name, none is meant that is not named by its path.
_SAME_NAME_MAX = 1_000
LINE_MAX = 10_000_000

_MENTIONS = re.compile(
    r'File "(?P<python>[^"\n]{1,500})", line (?P<python_line>\d{1,7})'
    # The name before the extension is bounded, or a long word would be searched again and again.
    r"|(?<![\w./@+-])(?P<path>[\w./@+-]{1,300}\.\w{1,10}):(?P<line>\d{1,7})\b"
)


class FailureLocations:
    def __init__(self, paths: Iterable[str], checkout: Path) -> None:
        self._paths = frozenset(paths)
        self._prefixes = {f"{checkout}/", f"{checkout.resolve()}/"}
        self._by_name: defaultdict[str, list[str]] = defaultdict(list)
        for path in self._paths:
            self._by_name[PurePosixPath(path).name].append(path)

    def find(self, file: str, classname: str, line: int, text: str) -> tuple[str, int] | None:
        """The best path and line for a failure, or None.

        In order: a line of the test's own file in the text; any line of the tree in the text; the
        test's own file as the report or, for Python, its class name states it.
        """
        own = self.in_tree(file) or self._module(classname)
        mentioned = list(self._mentioned(text[:_TEXT_CHARS_MAX]))
        for path, mentioned_line in mentioned:
            if path == own:
                return path, mentioned_line
        if mentioned:
            return mentioned[0]
        return (own, min(max(line, 1), LINE_MAX)) if own else None

    def _mentioned(self, text: str) -> Iterator[tuple[str, int]]:
        for found in _MENTIONS.finditer(text):
            path = self.in_tree(found["python"] or found["path"])
            if path:
                yield path, max(int(found["python_line"] or found["line"]), 1)

    def in_tree(self, mention: str, folder: str = "") -> str | None:
        """The path that is meant, perhaps from `folder` on; None where that is not one file."""
        if mention.startswith("//"):  # what is left of a file:// address
            mention = f"/{mention.lstrip('/')}"
        for prefix in self._prefixes:
            mention = mention.removeprefix(prefix)
        mention = mention.removeprefix("./")
        if folder and f"{folder}/{mention}" in self._paths:
            return f"{folder}/{mention}"
        if mention in self._paths:
            return mention
        if mention.startswith("/") or not mention:
            return None
        # Go and Java name a file without its folder; taken where only one file can be meant.
        ending = f"/{mention}"
        same_name = self._by_name.get(PurePosixPath(mention).name, [])
        if len(same_name) > _SAME_NAME_MAX:
            return None
        meant = [path for path in same_name if path.endswith(ending)]
        return meant[0] if len(meant) == 1 else None

    def without_checkout(self, text: str) -> str:
        """A text that names files of the tree as each checkout of it would."""
        for prefix in self._prefixes:
            text = text.replace(prefix, "")
        return text

    def _module(self, classname: str) -> str | None:
        parts = classname.split(".")
        for length in range(len(parts), 0, -1):
            path = "/".join(parts[:length]) + ".py"
            if path in self._paths:
                return path
        return None
