"""The name of a list of definitions, which both sides of the wire compute."""

import json
import math
from dataclasses import asdict, replace

import pytest
from pydantic import TypeAdapter, ValidationError

from gates.definition_file import UnreadableDefinitionError, read_definition
from gates.result import (
    Ending,
    GateDefinition,
    GateReport,
    GateResult,
    Judges,
    definition_hash,
    report_json,
)

UNIT = GateDefinition(name="unit", judges=Judges.TREE, command="pytest")
LINT = GateDefinition(name="lint", judges=Judges.TREE, command="ruff check")


def test_the_hash_does_not_change_between_versions() -> None:
    # Changes only together with the contract: results kept under the old name stop counting.
    assert definition_hash([UNIT, LINT]) == (
        "a8ca16c3c05a4f552fc2c699520dd210270a51825dc32a9a610d2fcc4653a210"
    )


def test_an_explicit_default_does_not_change_the_hash() -> None:
    spelled_out = TypeAdapter(GateDefinition).validate_json(
        '{"required": true, "command": "pytest", "judges": "tree", "name": "unit"}'
    )
    assert definition_hash([spelled_out]) == definition_hash([UNIT])


def test_every_part_of_a_definition_counts() -> None:
    others = [
        replace(UNIT, name="units"),
        replace(UNIT, judges=Judges.DIFF),
        replace(UNIT, command="pytest -x"),
        replace(UNIT, junit="*.xml"),
        replace(UNIT, gate_timeout_seconds=601),
        replace(UNIT, required=False),
    ]
    assert len({definition_hash([one]) for one in [UNIT, *others]}) == 7
    assert definition_hash([UNIT, LINT]) != definition_hash([LINT, UNIT])
    assert definition_hash([]) != definition_hash([UNIT])


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "Unit"},
        {"name": "x" * 51},
        {"gate_timeout_seconds": 0},
        {"gate_timeout_seconds": 21_601},
        {"required": "perhaps"},
        {"unknown": 1},
    ],
)
def test_an_invalid_definition_is_refused_by_every_reader(
    wrong: dict[str, object],
) -> None:
    raw = {"name": "unit", "judges": "tree", "command": "pytest"} | wrong
    with pytest.raises(ValidationError):
        TypeAdapter(GateDefinition).validate_python(raw)
    with pytest.raises(UnreadableDefinitionError):
        read_definition(json.dumps({"gates": [raw]}).encode())


def test_infinite_numbers_are_neither_written_nor_read() -> None:
    result = GateResult(
        gate="unit", judges=Judges.TREE, ending=Ending.PASSED, sentence="", seconds=math.inf
    )
    report = GateReport(candidate_sha="c", tree_sha="t", definition_hash="d", results=(result,))
    with pytest.raises(ValueError, match="JSON"):
        report_json(report)
    with pytest.raises(ValidationError):
        TypeAdapter(GateReport).validate_python(asdict(report))
