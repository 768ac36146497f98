"""The shed file."""

from pathlib import Path

from tidepool.gear import Gear
from tidepool.store import Shed, load, save


def test_a_shed_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    shed = Shed()
    shed.catalogue.add(Gear("k-01", "Red kayak"))
    shed.section("notes").append({"code": "k-01", "text": "paddle is cracked"})
    save(shed, tmp_path / "shed.json")
    again = load(tmp_path / "shed.json")
    assert list(again.catalogue) == list(shed.catalogue)
    assert again.sections == shed.sections


def test_no_file_is_an_empty_shed(tmp_path: Path) -> None:
    assert list(load(tmp_path / "none.json").catalogue) == []
