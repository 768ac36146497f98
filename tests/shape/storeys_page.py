"""docs/storeys.md: the floors of the bot and the storeys of its core, from the import graph.

The order is that of the import contracts in pyproject.toml, the purpose is the first sentence of
each package's docstring.
"""

import ast
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[2]
_CORE = "bot.core"

Imports = frozenset[tuple[str, str]]


@cache
def storeys_page() -> str:
    """The whole page."""
    graph = grimp.build_graph("bot", cache_dir=None)
    floors = [unit for unit in (*_layers("bot"), "bot.localhub") if unit != _CORE]
    storeys = _layers(_CORE)
    imports = imports_between([*floors, *storeys], graph)
    modules = Counter(_unit_of(m, [*floors, *storeys]) for m in graph.modules if _is_file(m))
    lines = [
        "# Floors and storeys",
        "",
        "An import goes down only. An arrow is drawn where there are imports; one that follows from",
        "other arrows is left out, and the tables name all.",
        "",
        *_picture(floors, storeys, modules, imports),
        "## Floors of the bot",
        "",
        *_table(floors, [*floors, *storeys], modules, imports),
        "",
        "## Storeys of the core",
        "",
        *_table(storeys, storeys, modules, imports),
    ]
    return "\n".join(lines) + "\n"


def _layers(container: str) -> list[str]:
    """The packages of a layers contract, top first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = next(c["layers"] for c in settings["contracts"] if c.get("containers") == [container])
    return [f"{container}.{name.strip()}" for layer in layers for name in layer.split("|")]


def _is_file(module: str) -> bool:
    return not (ROOT / module.replace(".", "/")).is_dir()


def _unit_of(module: str, units: Iterable[str]) -> str | None:
    return next((u for u in units if module == u or module.startswith(f"{u}.")), None)


def imports_between(units: list[str], graph: grimp.ImportGraph) -> Imports:
    """Which unit imports which other one."""
    found = set[tuple[str, str]]()
    for importer in graph.modules:
        above = _unit_of(importer, units)
        for imported in graph.find_modules_directly_imported_by(importer):
            below = _unit_of(imported, units)
            if above and below and above != below:
                found.add((above, below))
    return frozenset(found)


def drawn(imports: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The arrows that do not follow from others."""
    arrows = set(imports)
    return sorted(
        (a, b)
        for a, b in arrows
        if not any(_leads(c, b, arrows) for x, c in arrows if x == a and c != b)
    )


def _leads(start: str, end: str, arrows: set[tuple[str, str]]) -> bool:
    return (start, end) in arrows or any(_leads(b, end, arrows) for a, b in arrows if a == start)


def _picture(
    floors: list[str], storeys: list[str], modules: Mapping[str | None, int], imports: Imports
) -> list[str]:
    def node(unit: str) -> str:
        return f'{_short(unit)}["{_short(unit)}<br>{_counted(modules[unit])}"]'

    return [
        "```mermaid",
        "flowchart TD",
        *(f"    {node(unit)}" for unit in floors),
        "    subgraph core",
        *(f"        {node(unit)}" for unit in storeys),
        "    end",
        *(f"    {_short(a)} --> {_short(b)}" for a, b in drawn(imports)),
        "```",
        "",
    ]


def _table(
    units: list[str], others: list[str], modules: Mapping[str | None, int], imports: Imports
) -> list[str]:
    rows = ["| Name | Purpose | Modules | Imports |", "|---|---|---|---|"]
    for unit in units:
        below = ", ".join(_short(other) for other in others if (unit, other) in imports)
        rows.append(f"| `{unit}` | {_purpose(unit)} | {modules[unit]} | {below or '–'} |")
    return rows


def _counted(modules: int) -> str:
    return "1 module" if modules == 1 else f"{modules} modules"


def _short(unit: str) -> str:
    return unit.rpartition(".")[2]


def _purpose(unit: str) -> str:
    file = ROOT / unit.replace(".", "/")
    text = (file / "__init__.py" if file.is_dir() else file.with_suffix(".py")).read_text()
    said = ast.get_docstring(ast.parse(text)) or ""
    return " ".join(said.split("\n\n")[0].split())
