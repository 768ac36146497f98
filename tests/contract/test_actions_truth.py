"""localhub reads workflow files and reckons `${{ }}` as GitHub's own parser and evaluator do."""

import json
import subprocess
from dataclasses import dataclass
from functools import cache

import pytest
from pydantic import BaseModel

from bot.localhub.actions.document import DocumentError
from bot.localhub.actions.evaluation import Surroundings, evaluate
from bot.localhub.actions.expressions import (
    ExpressionError,
    Vocabulary,
    check_names,
    parse_expression,
)
from bot.localhub.actions.reading import read_workflow
from bot.localhub.actions.values import as_text, kind_of
from tests.contract.actions_cases import CONTEXTS, EXPRESSIONS, WORKFLOWS
from tests.contract.foreign import NODE, needs_node

pytestmark = needs_node

# Where GitHub's runner, which is written in C#, says otherwise than this code, which is JavaScript.
UNLIKE_THE_RUNNER = {
    "0b11": "binary numbers are JavaScript's; the runner reads decimal, 0x and 0o",
    "'a''b''c'": "only the first doubled quote is undoubled here, which is a fault of this code",
    "toJSON(1e21)": "numbers are written by .NET's G15 there",
    "toJSON(NaN)": "JSON has no NaN, and .NET writes it nevertheless",
    "format('{0}', 1e21)": "G15",
    "format('{0}', 123456789012345678)": "G15",
    "format('{0}', 1e-7)": "G15",
    "format('{0}', 100000000000000000000)": "G15",
}
# What this code, which is made for editors, leaves to the service to refuse.
REFUSED_BY_THE_SERVICE = {
    "both kinds of filters": "GitHub documents that they cannot be used together",
    "no steps": "a job without steps has nothing to run; GitHub refuses the file",
    "two steps of one id": "the identifier may not be used more than once in a scope",
    "a call without a ref": "a workflow of another repository needs a ref",
    "an action without a ref": "an action of another repository needs a ref",
}


class Reckoned(BaseModel):
    """A value by its kind and as text, or an error."""

    kind: str = ""
    text: str = ""
    error: str | None = None


class Truth(BaseModel):
    """Everything that GitHub's code says."""

    expressions: list[Reckoned]
    workflows: list[list[str]]


@dataclass(frozen=True)
class _Asked:
    expressions: dict[str, Reckoned]
    workflows: dict[str, list[str]]


@cache
def truth() -> _Asked:
    """What GitHub's code says of all cases, asked once."""
    asked = {
        "contexts": CONTEXTS,
        "expressions": EXPRESSIONS,
        "workflows": list(WORKFLOWS.values()),
    }
    done = subprocess.run(
        ["node", "--import", "./json_modules.mjs", "actions_truth.mjs"],
        cwd=NODE,
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    said = Truth.model_validate_json(done.stdout)
    return _Asked(
        dict(zip(EXPRESSIONS, said.expressions, strict=True)),
        dict(zip(WORKFLOWS, said.workflows, strict=True)),
    )


def reckoned(text: str) -> Reckoned:
    """What localhub says of an expression."""
    try:
        tree = parse_expression(text)
        check_names(tree, Vocabulary(frozenset(CONTEXTS), frozenset()), "a test")
        value = evaluate(tree, Surroundings(CONTEXTS))
    except ExpressionError as error:
        return Reckoned(error=str(error))
    kind = kind_of(value)
    return Reckoned(
        kind=kind, text=json.dumps(value) if kind in ("array", "object") else as_text(value)
    )


@pytest.mark.parametrize("text", [case for case in EXPRESSIONS if case not in UNLIKE_THE_RUNNER])
def test_an_expression_is_reckoned_as_by_github(text: str) -> None:
    github, ours = truth().expressions[text], reckoned(text)
    if github.error is not None or ours.error is not None:
        assert (ours.error is None) == (github.error is None), f"{ours} and {github}"
        return
    kind = {"Dictionary": "object"}.get(github.kind, github.kind.lower())
    assert ours.kind == kind
    if kind in ("array", "object"):
        assert json.loads(ours.text) == json.loads(github.text)
    else:
        assert ours.text == github.text


@pytest.mark.parametrize("name", [case for case in WORKFLOWS if case not in REFUSED_BY_THE_SERVICE])
def test_a_workflow_file_is_taken_or_refused_as_by_github(name: str) -> None:
    refusal = ""
    try:
        read_workflow(WORKFLOWS[name])
    except DocumentError as error:
        refusal = str(error)
    assert bool(refusal) == bool(truth().workflows[name]), refusal or truth().workflows[name]


@pytest.mark.parametrize("name", REFUSED_BY_THE_SERVICE)
def test_what_only_the_service_refuses_is_refused(name: str) -> None:
    assert truth().workflows[name] == []
    with pytest.raises(DocumentError):
        read_workflow(WORKFLOWS[name])


@pytest.mark.parametrize("text", UNLIKE_THE_RUNNER)
def test_a_difference_that_is_argued_is_still_there(text: str) -> None:
    github, ours = truth().expressions[text], reckoned(text)
    assert (github.error is None, github.text) != (ours.error is None, ours.text)
