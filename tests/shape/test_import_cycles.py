"""No file of the program imports itself by way of others; imports for type checking count."""

import textwrap
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest


def import_cycle(*packages: str) -> list[str]:
    """The modules of one import cycle, each imported by the next; empty where there is none."""
    graph = grimp.build_graph(*packages, cache_dir=None)
    imports = {m: graph.find_modules_directly_imported_by(m) for m in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as found:
        cycle: list[str] = found.args[1]
        return cycle
    return []


def test_no_file_is_in_an_import_cycle() -> None:
    assert import_cycle("bot", "action", "gates") == []


def test_an_import_for_type_checking_closes_a_cycle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "__init__.py": "",
        "hub.py": "from circular_example import side\n",
        "side.py": """
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from circular_example.hub import Hub
        """,
    }
    folder = tmp_path / "circular_example"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(textwrap.dedent(text))
    monkeypatch.syspath_prepend(str(tmp_path))
    assert set(import_cycle("circular_example")) == {
        "circular_example.hub",
        "circular_example.side",
    }
