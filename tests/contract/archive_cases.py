"""Projects to archive, each for one thing that an archive must do or refuse."""

from tests.contract.archive_worlds import World


def _requirement(name: str, *scenarios: str, text: str = "The till SHALL do it.") -> str:
    told = "".join(
        f"\n#### Scenario: {s}\n- **WHEN** a\n- **THEN** b\n" for s in scenarios or ("Ok",)
    )
    return f"### Requirement: {name}\n{text}\n{told}\n"


_HEAD = "# till Specification\n\n## Purpose\nWhat the till does for the people at the counter.\n\n## Requirements\n\n"
MAIN = _HEAD + _requirement("Sum up", "One", "Two") + _requirement("Say thanks")
_ADDED = "## ADDED Requirements\n\n" + _requirement("Print a receipt")
_REMOVES_ALL = (
    "## REMOVED Requirements\n- `### Requirement: Sum up`\n- `### Requirement: Say thanks`\n"
)


def _world(main: str | None, name: str = "receipts", **files: str) -> World:
    """A project; the files of its change are named with `__` for a slash and `_yaml` for the marker."""
    at = f"openspec/changes/{name}/"
    laid = {"openspec/config.yaml": "schema: spec-driven\n"}
    laid |= {} if main is None else {"openspec/specs/till/spec.md": main}
    for key, text in files.items():
        path = {"delta": "specs/till/spec.md", "yaml": ".openspec.yaml"}.get(
            key, key.replace("__", "/") + ".md"
        )
        laid[at + path] = text
    return World({path: text.encode() for path, text in laid.items()}, name)


CASES: dict[str, World] = {
    "adds": _world(MAIN, delta=_ADDED, proposal="## Why\nPeople ask.\n"),
    "adds what is there": _world(
        MAIN, delta="## ADDED Requirements\n" + _requirement("Say thanks")
    ),
    "adds what is there with other words": _world(
        MAIN, delta="## ADDED Requirements\n" + _requirement("Say thanks", text="It SHALL not.")
    ),
    "renames and modifies": _world(
        MAIN,
        delta="## MODIFIED Requirements\n"
        + _requirement("Add up", "One", "Two", "Three")
        + "## RENAMED Requirements\n- FROM: `### Requirement: Sum up`\n- TO: `### Requirement: Add up`\n",
    ),
    "drops a scenario": _world(
        MAIN, delta="## MODIFIED Requirements\n" + _requirement("Sum up", "One")
    ),
    "keeps the line ends of windows": _world(MAIN.replace("\n", "\r\n"), delta=_ADDED),
    "a new capability in a folder": _world(MAIN, specs__pay__card__spec=_ADDED),
    "a name that has a date": _world(MAIN, "2025-12-31-receipts", delta=_ADDED),
    "open tasks": _world(MAIN, delta=_ADDED, tasks="## 1. Do\n- [ ] 1.1 Open\n- [x] 1.2 Done\n"),
    "no specs at all": _world(MAIN, proposal="## Why\nA chore.\n"),
    "says that it has no specs, and has": _world(
        MAIN, delta=_ADDED, yaml="schema: spec-driven\nskip_specs: true\n"
    ),
    "removes all": _world(MAIN, delta=_REMOVES_ALL),
    "retires": _world(
        MAIN, delta=_REMOVES_ALL, yaml="schema: spec-driven\nretire_capabilities: true\n"
    ),
    "retires, and would lose a note": _world(
        MAIN + "## Notes\nKeep.\n",
        delta=_REMOVES_ALL,
        yaml="schema: spec-driven\nretire_capabilities: true\n",
    ),
    "a delta in the wrong place": _world(MAIN, specs__till=_ADDED),
    "one of two capabilities fails": _world(
        MAIN, delta=_ADDED, specs__pay__spec="## MODIFIED Requirements\n" + _requirement("Pay")
    ),
    "a folder of folders": _world(MAIN, "wave", one__specs__till__spec=_ADDED),
    "no such folder": World({"openspec/specs/till/spec.md": MAIN.encode()}, "receipts"),
}
