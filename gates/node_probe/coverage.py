"""Which lines of JavaScript ran inside a function, by V8's own coverage or by Istanbul's.

What runs when a module is loaded says nothing of a test.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit


def v8_lines(
    place: Path, root: Path, asked: Mapping[str, frozenset[int]]
) -> tuple[set[tuple[str, int]], set[tuple[str, int]]]:
    """The asked lines that ran, and those that can run, by what NODE_V8_COVERAGE left."""
    ran: set[tuple[str, int]] = set()
    can: set[tuple[str, int]] = set()
    for file in sorted((place / "v8").glob("*.json")):
        known = _json(file)
        mapped = known.get("source-map-cache", {})
        for script in known.get("result", ()):
            url = script["url"]
            path = _below(root, unquote(urlsplit(url).path)) if url.startswith("file:") else ""
            # Where another text ran, its offsets say nothing.
            if path not in asked or url in mapped:
                continue
            text = (root / path).read_text(encoding="utf-8", errors="replace")
            for number, offset in _offsets(text, asked[path]):
                count = _count_at(script["functions"], offset)
                if count is not None:
                    can.add((path, number))
                    ran |= {(path, number)} if count else set()
    return ran, can


def _offsets(text: str, asked: frozenset[int]) -> list[tuple[int, int]]:
    """Where each line's text begins, in UTF-16 units."""
    found = []
    at = 0
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.lstrip()
        is_code = bool(stripped.strip("{}()[];, \r")) and not stripped.startswith(("//", "/*", "*"))
        if number in asked and is_code:
            found.append((number, at + _units(line[: len(line) - len(stripped)])))
        at += _units(line) + 1
    return found


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _count_at(functions: list[dict[str, Any]], offset: int) -> int | None:
    """How often what stands there ran; None outside of functions."""
    innermost: tuple[int, int] | None = None
    is_inside = False
    for function in functions:
        whole = function["ranges"][0]
        if not whole["startOffset"] < offset < whole["endOffset"]:
            continue
        is_inside = is_inside or bool(function["functionName"]) or whole["startOffset"] > 0
        for one in function["ranges"]:
            size = one["endOffset"] - one["startOffset"]
            is_there = one["startOffset"] <= offset < one["endOffset"]
            if is_there and (innermost is None or size < innermost[0]):
                innermost = (size, one["count"])
    return innermost[1] if is_inside and innermost else None


def istanbul_lines(
    place: Path, root: Path, asked: Mapping[str, frozenset[int]]
) -> tuple[set[tuple[str, int]], set[tuple[str, int]]]:
    """The same by the `coverage-final.json` of jest and vitest."""
    ran: set[tuple[str, int]] = set()
    can: set[tuple[str, int]] = set()
    for name, file in _json(place / "coverage-final.json").items():
        path = _below(root, name)
        functions = [one["loc"] for one in file.get("fnMap", {}).values()]
        statements = [
            (where["end"]["line"] - where["start"]["line"], where, file["s"][key])
            for key, where in file["statementMap"].items()
        ]
        for number in asked.get(path, ()):
            there = [(size, count) for size, where, count in statements if _is_in(number, where)]
            if there and any(_is_of_body(number, where) for where in functions):
                can.add((path, number))
                ran |= {(path, number)} if min(there)[1] else set()
    return ran, can


def _is_in(number: int, where: dict[str, Any]) -> bool:
    return bool(where["start"]["line"] <= number <= where["end"]["line"])


def _is_of_body(number: int, where: dict[str, Any]) -> bool:
    first, last = where["start"]["line"], where["end"]["line"]
    # A function's first line runs when it is defined, unless all of it stands there.
    return bool(first < number <= last or first == number == last)


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _below(root: Path, name: str) -> str:
    return os.path.relpath(os.path.realpath(name), root)
