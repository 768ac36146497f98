"""The truth table of a verdict: ending of a gate × its source × its mode."""

from itertools import product

import pytest

from bot.core.state.verdict import Verdict, judge
from bot.core.values.plan_model import ChangeType
from gates.result import Ending, GateResult, Judges
from tests.core.values import policy

SOURCES = {
    "a runner's line": "run: make check",
    "Headgate's own": "builtin: junk",
    "a check of another App": "external: {app: 7, check: scan}",
    "a model on a worker": "review: {block: major}",
    "a person": "acceptance: maintain",
}
# What a verdict waits for before it is asked; a runner's gate that is not reported could not run.
AWAITED = frozenset({"a check of another App", "a model on a worker", "a person"})
MODES = {
    "required": "required: true",
    "warn": "required: false",
    "required for this type": "required: false, modes: {fix: required}",
    "warn for this type": "required: true, modes: {fix: warn}",
    "off for this type": "required: true, modes: {fix: 'off'}",
}
ENDINGS = [*Ending, None]


def _policy(source: str, mode: str) -> str:
    first = "gates:\n  other: {run: make other, judges: tree}\n"
    return f"version: 1\n{first}  one: {{{SOURCES[source]}, {MODES[mode]}}}\n"


def _result(gate: str, ending: Ending) -> GateResult:
    return GateResult(gate=gate, judges=Judges.TREE, ending=ending, sentence="It ended.")


def _is_green(source: str, mode: str, ending: Ending | None) -> bool:
    """Only what ran and passed counts as passed, for all that must pass."""
    if not mode.startswith("required"):
        return True
    if ending is None:
        return source in AWAITED
    return ending is Ending.PASSED


@pytest.mark.parametrize(
    ("source", "mode", "ending"), list(product(SOURCES, MODES, ENDINGS)), ids=lambda one: str(one)
)
def test_a_verdict_is_green_if_all_required_gates_passed(
    source: str, mode: str, ending: Ending | None
) -> None:
    asked = policy(_policy(source, mode)).of_type(ChangeType.FIX)
    results = [_result("other", Ending.PASSED)]
    results += [] if ending is None else [_result("one", ending)]

    judged = judge(asked, tuple(results))

    expected = Verdict.GREEN if _is_green(source, mode, ending) else Verdict.RED
    assert judged.verdict is expected
    if expected is Verdict.RED:
        said = (ending or Ending.COULD_NOT_RUN).replace("_", " ")
        assert judged.sentence == f"Did not pass: one ({said})."


@pytest.mark.parametrize(("mode", "type_"), list(product(MODES, ChangeType)), ids=str)
def test_touched_paths_only_add_required_gates(mode: str, type_: ChangeType) -> None:
    plain = policy(_policy("a runner's line", mode))
    for raised in ((), ("one",), ("other",), ("one", "other", "gone")):
        with_it = plain.of_type(type_, raised)
        assert set(plain.of_type(type_).required_gates) <= set(with_it.required_gates)
        assert {g.name for g in plain.of_type(type_).gates} <= {g.name for g in with_it.gates}
        assert {"one", "other"}.intersection(raised) <= set(with_it.required_gates)


@pytest.mark.parametrize(("source", "ending"), list(product(SOURCES, Ending)), ids=str)
def test_a_gate_required_by_touched_paths_counts_from_every_source(
    source: str, ending: Ending
) -> None:
    asked = policy(_policy(source, "off for this type")).of_type(ChangeType.FIX, ("one",))
    judged = judge(asked, (_result("other", Ending.PASSED), _result("one", ending)))
    assert (judged.verdict is Verdict.GREEN) is (ending is Ending.PASSED)


@pytest.mark.parametrize(("source", "ending"), list(product(SOURCES, Ending)), ids=str)
def test_other_passed_gates_do_not_make_a_red_verdict_green(source: str, ending: Ending) -> None:
    asked = policy(_policy(source, "required"))

    judged = judge(asked, (_result("other", Ending.CRASHED), _result("one", ending)))

    assert judged.verdict is Verdict.RED
    assert "other (crashed)" in judged.sentence


@pytest.mark.parametrize("source", SOURCES)
def test_the_worse_of_two_results_of_a_gate_counts(source: str) -> None:
    asked = policy(_policy(source, "required"))
    good, bad = _result("one", Ending.PASSED), _result("one", Ending.TIMED_OUT)

    for results in ((good, bad), (bad, good)):
        judged = judge(asked, (_result("other", Ending.PASSED), *results))
        assert judged.verdict is Verdict.RED
