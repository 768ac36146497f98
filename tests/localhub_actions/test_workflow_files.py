"""Tables of valid workflow and action files, and of the errors of invalid ones."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bot.core.talk.workflow_file import workflow_files
from bot.localhub.actions.document import DocumentError
from bot.localhub.actions.expressions import ExpressionError
from bot.localhub.actions.filters import matches_pattern, passes, push_passes
from bot.localhub.actions.inputs import InputError, dispatch_inputs
from bot.localhub.actions.matrix import combination_title, combinations
from bot.localhub.actions.parse_steps import read_action
from bot.localhub.actions.parse_workflow import read_workflow
from bot.localhub.actions.workflow import Filter, Input, InputKind, Level, PushTrigger

ROOT = Path(__file__).parents[2]

STEP = "    runs-on: self-hosted\n    steps:\n      - run: 'true'\n"
JOB = f"jobs:\n  one:\n{STEP}"

GOOD = """
name: Everything
run-name: by ${{ github.actor }} for ${{ inputs.what }}
on:
  workflow_dispatch:
    inputs:
      what: {type: choice, options: [a, b], default: b, required: true}
      count: {type: number}
  workflow_call:
    inputs:
      what: {type: string, required: true}
    secrets:
      KEY: {required: true}
    outputs:
      result: {value: "${{ jobs.one.outputs.result }}"}
  push:
    branches: [main, 'release/**', '!release/old']
    paths-ignore: ['docs/**']
  pull_request:
    types: [opened]
  schedule:
    - cron: '0 0 * * *'
permissions: read-all
env: {LEVEL: 1.50, ON: true}
defaults:
  run: {shell: bash, working-directory: src}
concurrency:
  group: ${{ github.workflow }}-${{ github.ref }}
  cancel-in-progress: true
jobs:
  one:
    name: one on ${{ matrix.os }}
    runs-on: {group: Default, labels: [self-hosted, "${{ matrix.os }}"]}
    strategy:
      fail-fast: false
      matrix: {os: [linux, mac], include: [{os: linux, extra: 1}]}
    permissions: {contents: write, id-token: write, issues: none}
    timeout-minutes: 5
    outputs: {result: "${{ steps.first.outputs.x }}"}
    steps:
      - {id: first, run: echo, shell: sh, continue-on-error: true, timeout-minutes: 0.5}
      - {uses: ./tools/action, with: {a: 1}, if: "failure() && env.LEVEL"}
      - {uses: acme/tools/sub/dir@v1, env: {A: "${{ secrets.KEY }}"}}
  two:
    needs: [one]
    if: always() && needs.one.result == 'success'
    uses: acme/tide/.github/workflows/other.yml@main
    with: {flag: true}
    secrets: inherit
"""

# text, and a piece of GitHub's refusal
BAD = [
    ("on: push\nfoo: 1\n" + JOB, "(Line: 2, Col: 1): Unexpected value 'foo'"),
    (JOB, "Required property is missing: on"),
    ("on: push\n", "Required property is missing: jobs"),
    ("on: shove\n" + JOB, "Unexpected value 'shove'"),
    (
        "on: push\njobs:\n  one:\n    steps:\n      - run: x\n",
        "(Line: 4, Col: 5): Required property is missing: runs-on",
    ),
    ("on: push\njobs:\n  one:\n    runs-on: x\n", "Required property is missing: steps"),
    (
        "on: push\njobs:\n  one:\n    runs-on: x\n    stepz: []\n    steps:\n      - run: x\n",
        "(Line: 5, Col: 5): Unexpected value 'stepz'",
    ),
    (
        "on: push\njobs:\n  one:\n    runs-on: x\n    steps:\n      - name: x\n",
        "There's not enough info to determine what you meant",
    ),
    (
        "on: push\njobs:\n  one:\n    runs-on: x\n    steps:\n      - run: x\n        uses: a/b@c\n",
        "(Line: 7, Col: 9): Unexpected value 'uses'",
    ),
    (
        "on: push\njobs:\n  one:\n    runs-on: x\n    steps:\n      - run: x\n        with: {a: b}\n",
        "Unexpected value 'with'",
    ),
    (
        "on: push\njobs:\n  one:\n    runs-on: x\n    steps:\n      - run: x\n        iff: x\n",
        "(Line: 7, Col: 9): Unexpected value 'iff'",
    ),
    ("on: push\njobs:\n  one:\n    needs: two\n" + STEP, "depends on unknown job 'two'"),
    ("on: push\njobs:\n  one:\n    needs: one\n" + STEP, "at least one job with no dependencies"),
    (
        f"on: push\njobs:\n  zero:\n{STEP}  one:\n    needs: two\n{STEP}  two:\n    needs: one\n{STEP}",
        "creates a cycle in the dependency graph",
    ),
    ("on: push\njobs:\n  1st:\n" + STEP, "The identifier '1st' is invalid"),
    (
        "on: push\njobs:\n  one:\n    if: matrix.os == 'x'\n" + STEP,
        "Unrecognized named-value: 'matrix'",
    ),
    (
        "on: push\njobs:\n  one:\n    if: secrets.A == 'x'\n" + STEP,
        "Unrecognized named-value: 'secrets'",
    ),
    ("on: push\nrun-name: ${{ env.A }}\n" + JOB, "Unrecognized named-value: 'env'"),
    ("on: push\nrun-name: ${{ github.ref\n" + JOB, "The expression is not closed"),
    ("on: push\nrun-name: ${{ nothing(1) }}\n" + JOB, "Unrecognized function: 'nothing'"),
    ("on: push\npermissions: {content: read}\n" + JOB, "Unexpected value 'content'"),
    ("on: push\npermissions: {contents: admin}\n" + JOB, "Unexpected value 'admin'"),
    ("on: push\non: pull_request\n" + JOB, "'on' is already defined"),
    ("on: push\njobs: [1]\n", "A sequence was not expected"),
    ("on: {push: {branches: [a], branches-ignore: [b]}}\n" + JOB, "only define one of"),
    ("on: push\njobs:\n  one:\n    uses: ./other.yml\n", "Invalid workflow reference"),
    (
        "on: push\njobs:\n  one:\n    uses: ./.github/workflows/a.yml\n    steps: []\n",
        "Unexpected value 'steps'",
    ),
    (
        "on: push\njobs:\n  one:\n    runs-on: x\n    steps:\n      - {id: a, run: x}\n      - {id: A, run: x}\n",
        "may not be used more than once",
    ),
    ("on: push\njobs:\n  one:\n    container: x\n" + STEP, "localhub does not execute 'container'"),
    ("on: push\njobs:\n  one: {\n", "(Line: "),
    ("", "empty"),
]


def test_a_file_with_all_supported_keys_is_parsed() -> None:
    workflow = read_workflow(GOOD)
    one, two = workflow.jobs["one"], workflow.jobs["two"]
    assert workflow.env == {"LEVEL": "1.5", "ON": "true"}
    assert workflow.triggers.others == ("schedule",)
    assert workflow.triggers.dispatch is not None
    assert workflow.triggers.dispatch.inputs["what"].options == ("a", "b")
    assert workflow.triggers.pull_request is not None
    assert workflow.triggers.pull_request.types == ("opened",)
    assert one.permissions == {
        "contents": Level.WRITE,
        "id-token": Level.WRITE,
        "issues": Level.NONE,
    }
    assert [step.line for step in one.steps] == [41, 42, 43]
    assert one.steps[1].arguments == {"a": "1"}
    assert two.needs == ("one",)
    assert two.secrets == "inherit"


@pytest.mark.parametrize(("text", "sentence"), BAD)
def test_invalid_files_are_refused_with_githubs_position(text: str, sentence: str) -> None:
    with pytest.raises(DocumentError) as refusal:
        read_workflow(text)
    assert sentence in str(refusal.value)


@given(st.text(max_size=200))
def test_parsing_raises_only_its_own_error(text: str) -> None:
    try:
        read_workflow(text)
    except DocumentError:
        return


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name: a\ndescription: b\nruns: {using: node24, main: x.js}\n", "composite actions only"),
        (
            "name: a\ndescription: b\nruns: {using: composite, steps: [{run: x}]}\n",
            "missing: shell",
        ),
        ("name: a\nruns: {using: composite, steps: []}\n", "missing: description"),
        (
            "name: a\ndescription: b\nruns:\n  using: composite\n  steps:\n"
            "    - {run: x, shell: sh, timeout-minutes: 1}\n",
            "Unexpected value 'timeout-minutes'",
        ),
        (
            "name: a\ndescription: b\nruns:\n  using: composite\n  steps:\n"
            "    - {run: '${{ secrets.A }}', shell: sh}\n",
            "Unrecognized named-value: 'secrets'",
        ),
    ],
)
def test_invalid_action_files_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(DocumentError) as refusal:
        read_action(text)
    assert sentence in str(refusal.value)


def test_our_own_workflows_and_action_are_valid() -> None:
    for text in workflow_files(None).values():
        assert read_workflow(text).jobs
    assert read_action((ROOT / "action" / "action.yml").read_text()).inputs["mode"].required


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("main", "main", True),
        ("main", "maint", False),
        ("*", "main", True),
        ("*", "a/b", False),
        ("**", "a/b", True),
        ("release/**", "release/1/2", True),
        ("v[12].[0-9]+", "v2.10", True),
        ("v[12].[0-9]+", "v3.1", False),
        ("**/*.md", "README.md", True),
        ("**/*.md", "a/b/c.md", True),
        ("docs/*", "docs/a/b", False),
        ("*.jsx?", "page.js", True),
    ],
)
def test_filter_patterns_match_as_on_github(pattern: str, text: str, fits: bool) -> None:
    assert matches_pattern(pattern, text) is fits


def test_the_last_matching_pattern_decides_and_tags_need_their_own_filter() -> None:
    wanted = Filter(patterns=("release/**", "!release/old", "release/old/kept"))
    assert passes(wanted, "release/1")
    assert not passes(wanted, "release/old")
    only_branches = PushTrigger(branches=Filter(patterns=("main",)))
    assert push_passes(only_branches, "refs/heads/main", None)
    assert not push_passes(only_branches, "refs/tags/v1", None)
    assert not push_passes(PushTrigger(), "refs/headgate/c/1", None)
    quiet = PushTrigger(paths=Filter(ignored=("docs/**",)))
    assert not push_passes(quiet, "refs/heads/main", ["docs/a.md"])
    assert push_passes(quiet, "refs/heads/main", ["docs/a.md", "src/a.py"])


def test_matrix_includes_and_excludes_are_applied() -> None:
    found = combinations(
        {
            "fruit": ["apple", "pear"],
            "animal": ["cat", "dog"],
            "exclude": [{"fruit": "pear", "animal": "dog"}],
            "include": [
                {"color": "green"},
                {"color": "pink", "animal": "cat"},
                {"fruit": "apple", "shape": "circle"},
                {"fruit": "banana"},
            ],
        }
    )
    assert found == [
        {"fruit": "apple", "animal": "cat", "color": "pink", "shape": "circle"},
        {"fruit": "apple", "animal": "dog", "color": "green", "shape": "circle"},
        {"fruit": "pear", "animal": "cat", "color": "pink"},
        {"fruit": "banana"},
    ]
    assert combination_title({"a": 1, "b": {"c": [True, "x"]}}) == "1, true, x"
    with pytest.raises(ExpressionError):
        combinations({"os": []})


@pytest.mark.parametrize(
    ("given_inputs", "sentence"),
    [
        ({}, "Required input 'what' not provided"),
        ({"what": "a", "x": "1"}, 'Unexpected inputs provided: ["x"]'),
        ({"what": "a", "kind": "z"}, "not in the list of allowed values"),
        ({"what": "a", "flag": "perhaps"}, "not a boolean"),
        ({"what": "a", "count": "many"}, "not a number"),
        ({f"i{number}": "" for number in range(26)}, "More than 25"),
        ({"what": "x" * 65_536}, "too large"),
    ],
)
def test_dispatch_inputs_are_checked(given_inputs: dict[str, str], sentence: str) -> None:
    declared = {
        "what": Input(required=True),
        "kind": Input(kind=InputKind.CHOICE, options=("a", "b")),
        "flag": Input(kind=InputKind.BOOLEAN, default=True),
        "count": Input(kind=InputKind.NUMBER, default=3),
    }
    with pytest.raises(InputError) as refusal:
        dispatch_inputs(declared, dict(given_inputs))
    assert sentence in str(refusal.value)
    typed, texts = dispatch_inputs(declared, {"what": "a", "flag": False})
    assert typed == {"what": "a", "kind": "a", "flag": False, "count": 3.0}
    assert texts["flag"] == "false"
