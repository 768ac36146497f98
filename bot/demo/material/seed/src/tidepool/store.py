"""The shed and the JSON file in which it is kept."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from tidepool.gear import Catalogue, Gear

Record = dict[str, str]


@dataclass
class Shed:
    """The catalogue, and whatever else a part of Tidepool keeps, in sections of records."""

    catalogue: Catalogue = field(default_factory=Catalogue)
    sections: dict[str, list[Record]] = field(default_factory=dict)

    def section(self, name: str) -> list[Record]:
        """The records of one section, to be read and changed; a new section is empty."""
        return self.sections.setdefault(name, [])


def load(path: Path) -> Shed:
    """The shed in a file; a file that is not there is an empty shed."""
    if not path.exists():
        return Shed()
    content = json.loads(path.read_text(encoding="utf-8"))
    gear = content.pop("gear", [])
    return Shed(Catalogue(Gear.from_record(record) for record in gear), content)


def save(shed: Shed, path: Path) -> None:
    """Write the whole shed; empty sections are left out."""
    content: dict[str, list[Record]] = {"gear": [piece.to_record() for piece in shed.catalogue]}
    content |= {name: records for name, records in shed.sections.items() if records}
    text = json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
