"""What a delta folder's `.openspec.yaml` permits: no specs at all, or retiring a capability.

OpenSpec's rule: a marker counts only if the whole file is valid metadata. In an invalid file a
marker is *unreadable*, which is neither yes nor no: an archive that needs it is refused.
"""

import re
from collections.abc import Set as AbstractSet
from enum import StrEnum

from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor

from bot.core.spec.yaml_bounds import YAML_FAULTS, check_yaml
from bot.core.values.ids import Frozen

# The schema that OpenSpec brings; a project may have more below openspec/schemas/.
OPENSPEC_SCHEMAS = frozenset({"spec-driven"})

_KEBAB = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Marker(StrEnum):
    ABSENT = "absent"
    DECLARED = "declared"
    UNREADABLE = "unreadable"


class Markers(Frozen):
    skip_specs: Marker = Marker.ABSENT
    retire_capabilities: Marker = Marker.ABSENT


class _Plain(SafeConstructor):
    """Keeps dates as text."""


_Plain.add_constructor("tag:yaml.org,2002:timestamp", SafeConstructor.construct_yaml_str)


def read_markers(text: str, schemas: AbstractSet[str] = OPENSPEC_SCHEMAS) -> Markers:
    """The text of `.openspec.yaml`; an empty text has no markers."""
    try:
        check_yaml(text)
        yaml = YAML(typ="safe", pure=True)
        yaml.Constructor = _Plain
        tree: object = yaml.load(text)
    except YAML_FAULTS:
        return Markers(
            skip_specs=_mentioned(text, "skip_specs"),
            retire_capabilities=_mentioned(text, "retire_capabilities"),
        )
    if not isinstance(tree, dict):
        return Markers()
    is_known = _is_metadata(tree) and tree.get("schema") in schemas
    return Markers(
        skip_specs=_marker(tree, "skip_specs", is_known),
        retire_capabilities=_marker(tree, "retire_capabilities", is_known),
    )


def _mentioned(text: str, key: str) -> Marker:
    found = re.search(rf"^[^\S\n]*+(['\"]?){key}\1\s*:", text, re.MULTILINE)
    return Marker.UNREADABLE if found else Marker.ABSENT


def _marker(tree: dict[object, object], key: str, is_known: bool) -> Marker:
    if tree.get(key, False) is False:
        return Marker.ABSENT
    return Marker.DECLARED if is_known else Marker.UNREADABLE


def _is_metadata(tree: dict[object, object]) -> bool:
    """Whether every key that OpenSpec knows has a valid value; other keys are free."""
    areas = tree.get("affected_areas", [])
    return (
        _is_text(tree.get("schema"))
        and _is_text(tree.get("goal", "none"))
        and _is_day(tree.get("created", "2000-01-01"))
        and isinstance(areas, list)
        and all(_is_text(area) for area in areas)
        and ("initiative" not in tree or _is_initiative(tree["initiative"]))
        and isinstance(tree.get("skip_specs", False), bool)
        and isinstance(tree.get("retire_capabilities", False), bool)
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_day(value: object) -> bool:
    return isinstance(value, str) and bool(_DAY.fullmatch(value))


def _is_initiative(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"store", "id"}
        and all(isinstance(part, str) and _KEBAB.fullmatch(part) for part in value.values())
    )
