"""The name of a list of definitions, which both sides of the wire reckon."""

from gates.result import GateDefinition, Judges, definition_hash

UNIT = GateDefinition(name="unit", judges=Judges.TREE, command="pytest")
LINT = GateDefinition(name="lint", judges=Judges.TREE, command="ruff check")


def test_the_hash_is_the_same_tomorrow() -> None:
    # Changes only together with the contract: results kept under the old name stop counting.
    assert definition_hash([UNIT, LINT]) == (
        "a8ca16c3c05a4f552fc2c699520dd210270a51825dc32a9a610d2fcc4653a210"
    )


def test_a_default_that_is_spelled_out_changes_nothing() -> None:
    spelled_out = GateDefinition.model_validate_json(
        '{"required": true, "command": "pytest", "judges": "tree", "name": "unit"}'
    )
    assert definition_hash([spelled_out]) == definition_hash([UNIT])


def test_every_part_of_a_definition_counts() -> None:
    others = [
        UNIT.model_copy(update=change)
        for change in (
            {"name": "units"},
            {"judges": Judges.DIFF},
            {"command": "pytest -x"},
            {"junit": "*.xml"},
            {"gate_timeout_seconds": 601},
            {"required": False},
        )
    ]
    assert len({definition_hash([one]) for one in [UNIT, *others]}) == 7
    assert definition_hash([UNIT, LINT]) != definition_hash([LINT, UNIT])
    assert definition_hash([]) != definition_hash([UNIT])
