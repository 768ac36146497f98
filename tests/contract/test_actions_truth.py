"""localhub reads workflow files and evaluates `${{ }}` like GitHub's own parser and evaluator."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import pytest
from pydantic import BaseModel

from bot.localhub.actions.document import DocumentError
from bot.localhub.actions.evaluation import EvaluationScope, evaluate
from bot.localhub.actions.expressions import (
    ExpressionError,
    Vocabulary,
    check_names,
    parse_expression,
)
from bot.localhub.actions.parse_workflow import read_workflow
from bot.localhub.actions.values import as_text, kind_of
from tests.contract.actions_cases import CONTEXTS, EXPRESSIONS, WORKFLOWS
from tests.contract.actions_generated import files_with_a_line_lost, generated_expressions
from tests.contract.foreign import NODE, NODE_PROGRAM

# Where GitHub's runner (C#) differs from this code (JavaScript).
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
# Refusals with other texts, and why; both refuse.
IN_OTHER_WORDS = {
    "'''": "this code takes the rest of the text for the symbol, the runner its first character",
    "1_000": "where a broken number ends",
    "1.2.3": "where a broken number ends",
    ".ref": "a point without a name before it is a broken number here",
    "github..ref": "a point without a name before it is a broken number here",
    "github.1": "a number after a point",
    "github.": "this code names the end `EOF`",
    "github['ref'": "this code names the end `EOF`",
    "github[": "this code names the last symbol, the runner the whole expression",
    "!": "this code names the last symbol, the runner the whole expression",
    "(1": "this code names the last symbol, the runner the whole expression",
    "": "a fault of this code: it reads a property of nothing",
    "  ": "a fault of this code: it reads a property of nothing",
    "fromJSON('{')": "each repeats what its JSON reader says",
    "fromJSON('')": "each repeats what its JSON reader says",
    "contains('a' 'b')": "this code shows a text without its quotes",
    "contains('a',)": "a comma at the end is no error of its own here, but too few arguments are",
    "no YAML": "each repeats what its YAML reader says",
    "tabs": "each repeats what its YAML reader says",
    "nothing": "each repeats what its YAML reader says",
    "a call, line 4 lost": "this code takes a job with arguments for a call, and misses its `uses`",
    "a bad name of a job": "this code says `and` twice",
    "a job name with a dot": "this code says `and` twice",
    "a bad id of a step": "this code says `and` twice",
}
# What this code, which is made for editors, accepts and the service refuses.
REFUSED_BY_THE_SERVICE = {
    "both kinds of filters": "GitHub documents that they cannot be used together",
    "no steps": "a job without steps has nothing to run; GitHub refuses the file",
    "two steps of one id": "the identifier may not be used more than once in a scope",
    "a call without a ref": "a workflow of another repository needs a ref",
    "an action without a ref": "an action of another repository needs a ref",
}


class Evaluated(BaseModel):
    """A value by its kind and as text, or an error."""

    kind: str = ""
    text: str = ""
    error: str | None = None


class Truth(BaseModel):
    """The results of GitHub's code."""

    expressions: list[Evaluated]
    workflows: list[list[str]]


@dataclass(frozen=True)
class _Asked:
    expressions: dict[str, Evaluated]
    workflows: dict[str, list[str]]


@cache
def truth() -> _Asked:
    """The results of GitHub's code for the written cases."""
    return _ask(EXPRESSIONS, WORKFLOWS)


@cache
def truth_of_generated() -> _Asked:
    """The results of GitHub's code for the generated cases."""
    return _ask(generated_expressions(), files_with_a_line_lost())


def _ask(expressions: Sequence[str], workflows: Mapping[str, str]) -> _Asked:
    asked = {
        "contexts": CONTEXTS,
        "expressions": list(expressions),
        "workflows": list(workflows.values()),
    }
    done = subprocess.run(
        [NODE_PROGRAM, "--import", "./json_modules.mjs", "actions_truth.mjs"],
        cwd=NODE,
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    said = Truth.model_validate_json(done.stdout)
    return _Asked(
        dict(zip(expressions, said.expressions, strict=True)),
        dict(zip(workflows, said.workflows, strict=True)),
    )


def evaluated(text: str) -> Evaluated:
    """localhub's result for an expression."""
    try:
        tree = parse_expression(text)
        check_names(tree, Vocabulary(frozenset(CONTEXTS), frozenset()), "a test")
        value = evaluate(tree, EvaluationScope(CONTEXTS))
    except ExpressionError as error:
        return Evaluated(error=str(error))
    kind = kind_of(value)
    return Evaluated(
        kind=kind, text=json.dumps(value) if kind in ("array", "object") else as_text(value)
    )


def refusal_of(text: str) -> str:
    """localhub's refusal of a workflow file; empty where it is accepted."""
    try:
        read_workflow(text)
    except DocumentError as error:
        return str(error)
    return ""


def difference(github: Evaluated, ours: Evaluated) -> str:
    """The difference of two results; localhub's error may be longer."""
    if github.error is not None or ours.error is not None:
        if github.error is None or ours.error is None:
            return f"{ours} and {github}"
        # The runner gives the place; this code does so in some refusals only.
        plain = github.error.split(". Located at")[0]
        return "" if ours.error.startswith(plain) else f"{ours.error} and {github.error}"
    kind = {"Dictionary": "object"}.get(github.kind, github.kind.lower())
    if kind in ("array", "object"):
        is_same = json.loads(ours.text) == json.loads(github.text)
    else:
        is_same = ours.text == github.text
    return "" if is_same and ours.kind == kind else f"{ours} and {github}"


def unlike_words(ours: str, github: list[str]) -> bool:
    """Whether localhub's refusal is none of GitHub's, by place and text."""
    return not any(ours.startswith(one.removeprefix("workflow.yml ")) for one in github)


@pytest.mark.parametrize("text", [case for case in EXPRESSIONS if case not in UNLIKE_THE_RUNNER])
def test_an_expression_is_evaluated_or_refused_as_by_github(text: str) -> None:
    github, ours = truth().expressions[text], evaluated(text)
    if text in IN_OTHER_WORDS:
        assert github.error is not None
        assert ours.error is not None
        assert difference(github, ours) != ""
    else:
        assert difference(github, ours) == ""


@pytest.mark.parametrize("name", [case for case in WORKFLOWS if case not in REFUSED_BY_THE_SERVICE])
def test_a_workflow_file_is_accepted_or_refused_as_by_github(name: str) -> None:
    ours, github = refusal_of(WORKFLOWS[name]), truth().workflows[name]
    assert bool(ours) == bool(github), ours or github
    assert not ours or unlike_words(ours, github) == (name in IN_OTHER_WORDS), f"{ours} {github}"


def test_generated_expressions_are_evaluated_as_by_github() -> None:
    found = {
        text: difference(github, evaluated(text))
        for text, github in truth_of_generated().expressions.items()
    }
    assert len(found) > 500
    # Texts of refusals are compared only for the written cases, where each difference has a reason.
    wrong = {text: what for text, what in found.items() if what and " error=None" in what}
    assert wrong == {}


def test_workflow_files_without_one_line_are_accepted_or_refused_as_by_github() -> None:
    truth_of_them = truth_of_generated().workflows
    files = files_with_a_line_lost()
    ours = {name: refusal_of(files[name]) for name in truth_of_them}
    assert len(files) > 300
    assert {name for name, said in ours.items() if bool(said) != bool(truth_of_them[name])} == set()
    # Each may report another of several faults first, and the YAML parsers' texts differ.
    sound = [name for name in ours if ours[name] and not _has_other_faults(name, truth_of_them)]
    assert len(sound) > 50
    unlike = {name for name in sound if unlike_words(ours[name], truth_of_them[name])}
    assert unlike == {name for name in sound if name in IN_OTHER_WORDS}


def _has_other_faults(name: str, said: Mapping[str, list[str]]) -> bool:
    whole = name.rpartition(", line ")[0]
    is_yaml = any(not one.startswith("workflow.yml (Line") for one in said[name])
    return is_yaml or whole in REFUSED_BY_THE_SERVICE or bool(truth().workflows[whole])


@pytest.mark.parametrize("name", REFUSED_BY_THE_SERVICE)
def test_files_that_only_the_service_refuses_are_refused(name: str) -> None:
    assert truth().workflows[name] == []
    with pytest.raises(DocumentError):
        read_workflow(WORKFLOWS[name])


@pytest.mark.parametrize("text", UNLIKE_THE_RUNNER)
def test_each_listed_difference_still_exists(text: str) -> None:
    github, ours = truth().expressions[text], evaluated(text)
    assert (github.error is None, github.text) != (ours.error is None, ours.text)
