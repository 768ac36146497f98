"""Expressions and workflow files that both GitHub's own code and localhub evaluate."""

from pydantic import JsonValue

CONTEXTS: dict[str, JsonValue] = {
    "github": {
        "ref": "refs/heads/main",
        "actor": "Mona",
        "sha": "0123abc",
        "run_id": 42,
        "event": {
            "number": 7,
            "draft": False,
            "title": None,
            "labels": [{"name": "bug"}, {"name": "Held"}, {"colour": "red"}],
            "weights": [1, 2.5, -3],
        },
    },
    "inputs": {"who": "tide", "deep": True, "count": 0, "dash-ed": "yes"},
    "matrix": {"os": "linux", "list": ["a", "b", 3], "empty": [], "none": {}},
    "steps": {"one": {"outputs": {"x": "1"}}, "two": {"outputs": {"x": "2", "y": "3"}}},
}

EXPRESSIONS = (
    # Literals
    "null", "true", "FALSE", "True", "0", "-0", "+1", "1.5", "-.5", "5.", "1e3", "1E-2", "0x1F",
    "0xff", "0o17", "0b11", "Infinity", "-Infinity", "NaN", "nan", "''", "'it''s'", "'a''b''c'",
    "'''", '"double"', "'open", "1_000", "1.2.3", "'ä ✓'",
    # Contexts
    "github.ref", "GitHub.REF", "github['ref']", "github['REF']", "github[format('r{0}', 'ef')]",
    "github.nothing", "github.nothing.at.all", "github.event.labels[0].name",
    "github.event.labels[1]['name']", "github.event.labels[9]", "github.event.labels[-1]",
    "github.event.labels['0']", "github.event.labels[0.9]", "github.event.labels.*.name",
    "github.event.labels[*].name", "github.event.*", "github.*.number", "steps.*.outputs.x",
    "steps.*.outputs.*", "join(steps.*.outputs.x)", "github.event.weights.*", "matrix.list.*.x",
    "inputs.dash-ed", "inputs['dash-ed']", "inputs.who.length", "unknown.ref", "github.",
    "github..ref", ".ref", "github[", "github]", "github['ref'", "github.1", "github.event.draft",
    "matrix.none", "matrix.empty", "github[null]", "github[true]", "matrix.list[true]",
    "matrix.list['1']", "matrix.list['x']",
    # Operators
    "1 == 1", "1 == '1'", "1 == ' 1 '", "1 == '1.0'", "1 == '0x1'", "true == 1", "true == 'true'",
    "null == ''", "null == 0", "null == false", "'' == 0", "'A' == 'a'", "'a' < 'B'", "'a' < 'A'",
    "1 < '2'", "'10' < '9'", "10 < 9", "null < 1", "true > false", "'x' < 1", "'x' > 1", "'x' == 1",
    "NaN == NaN", "NaN != NaN", "'x' == null", "matrix == matrix", "matrix == github",
    "matrix.list == matrix.list", "matrix.list == 0", "1 != 1", "1 <= 1", "1 >= 2",
    "'ä' == 'Ä'", "'straße' == 'STRASSE'",
    "true && 'yes' || 'no'", "false && 'yes' || 'no'", "'' || 0 || null", "0 || 'x'", "1 && 0",
    "null && unknown.ref", "true || unknown.ref", "!true", "!''", "!'x'", "!!1", "!null == true",
    "!(1 == 1)", "1 == 1 == true", "1 < 2 == true", "1 || 0 && 0", "(1 || 0) && 0", "1 & 1", "1 | 1",
    "1 = 1", "1 + 1", "- 1", "!", "()", "(1", "1)", "1 1", "", "  ", "true false",
    # Functions
    "contains('Hello', 'ELL')", "contains('abc', '')", "contains(matrix.list, 'A')",
    "contains(matrix.list, '3')", "contains(github.event.labels.*.name, 'held')",
    "contains(matrix.none, 'x')", "contains(12345, 234)", "contains(null, '')",
    "startsWith('Hello', 'he')", "endsWith('Hello', 'LO')", "startsWith(123, 12)",
    "startsWith(matrix.list, 'a')", "endsWith('x', matrix.list)",
    "format('{0} {1} {0}', 'a', 'b')", "format('{{{0}}}', 'x')", "format('{{0}}', 'x')",
    "format('{0}')", "format('{1}', 'a')", "format('{x}', 'a')", "format('{', 'a')",
    "format('}', 'a')", "format('none', 'a')", "format('{0}', null)", "format('{0}', 1.50)",
    "format('{0}', true)", "format('{0}', matrix.list)", "format('{0}', matrix)", "format(1)",
    "format('{0} {1}', 'it''s', '{0}')",
    "join(matrix.list)", "join(matrix.list, ' - ')", "join('alone', '-')", "join(matrix.empty)",
    "join(github.event.weights, 0)", "join(null)", "join(matrix, ',')",
    "toJSON(matrix.list)", "toJSON(matrix.empty)", "toJSON(matrix.none)", "toJSON(null)",
    "toJSON('it''s \"q\"')", "toJSON(1.0)", "toJSON(0.1)", "toJSON(1e21)", "toJSON(github.event)",
    "toJSON(NaN)", "toJSON(true)",
    "fromJSON('{\"a\": [1, null]}').a[0]", "fromJSON('[1, 2]')[1]", "fromJSON('\"x\"')",
    "fromJSON('true')", "fromJSON('1.0')", "fromJSON('null')", "fromJSON('{')", "fromJSON('')",
    "fromJSON(' [ ] ')", "fromJSON('{\"A\": 1}').a", "fromJSON('{\"a\": 1, \"A\": 2}').A",
    "fromJson(toJson(github)).event.number", "FROMJSON('1')", "toJSON(fromJSON('{\"a\":{}}'))",
    "unknown()", "contains('a')", "contains('a', 'b', 'c')", "format()", "join()", "toJSON()",
    "contains", "contains('a' 'b')", "contains('a',)", "contains(,'a')",
    # Numbers as text
    "format('{0}', 1e3)", "format('{0}', 1e21)", "format('{0}', 0.1)", "format('{0}', -0)",
    "format('{0}', 123456789012345678)", "format('{0}', 1e-7)", "format('{0}', 0x10)",
    "format('{0}', 3.0)", "format('{0}', 100000000000000000000)",
)  # fmt: skip

_STEPS = "    runs-on: ubuntu-latest\n    steps:\n"
_HEAD = f"on: push\njobs:\n  a:\n{_STEPS}"
_RUN = f"{_HEAD}      - run: echo\n"

# Files that both must accept and files that both must refuse, by subject.
WORKFLOWS: dict[str, str] = {
    "the least": _RUN,
    "several triggers": _RUN.replace("on: push", "on: [push, pull_request, workflow_dispatch]"),
    "filters": _RUN.replace(
        "on: push", "on:\n  push:\n    branches: [main, 'releases/**']\n    paths-ignore: ['*.md']"
    ),
    "both kinds of filters": _RUN.replace(
        "on: push", "on:\n  push:\n    branches: [main]\n    branches-ignore: [x]"
    ),
    "an unknown event": _RUN.replace("on: push", "on: parade"),
    "no trigger": _RUN.replace("on: push\n", ""),
    "no jobs": "on: push\n",
    "empty jobs": "on: push\njobs: {}\n",
    "an unknown key": _RUN + "colour: red\n",
    "an unknown key of a job": _RUN.replace("    runs-on", "    colour: red\n    runs-on"),
    "an unknown key of a step": f"{_HEAD}      - run: echo\n        colour: red\n",
    "no runs-on": "on: push\njobs:\n  a:\n    steps:\n      - run: echo\n",
    "no steps": "on: push\njobs:\n  a:\n    runs-on: x\n",
    "a step without run or uses": f"{_HEAD}      - name: nothing\n",
    "a step with run and uses": f"{_HEAD}      - run: echo\n        uses: ./here\n",
    "labels of a runner": _RUN.replace("ubuntu-latest", "[self-hosted, linux]"),
    "a group of runners": _RUN.replace("ubuntu-latest", "{group: big, labels: [x]}"),
    "needs": _RUN + f"  b:\n    needs: a\n{_STEPS}      - run: echo\n",
    "needs of nobody": _RUN + f"  b:\n    needs: c\n{_STEPS}      - run: echo\n",
    "needs in a circle": (
        f"on: push\njobs:\n  a:\n    needs: b\n{_STEPS}      - run: echo\n"
        f"  b:\n    needs: a\n{_STEPS}      - run: echo\n"
    ),
    "a bad name of a job": _RUN.replace("  a:", "  1a:"),
    "a job name with a dot": _RUN.replace("  a:", "  a.b:"),
    "a bad id of a step": f"{_HEAD}      - run: echo\n        id: 1x\n",
    "two steps of one id": f"{_HEAD}      - {{run: a, id: x}}\n      - {{run: b, id: X}}\n",
    "permissions": _RUN + "permissions:\n  contents: read\n  id-token: write\n",
    "all permissions": _RUN + "permissions: write-all\n",
    "an unknown permission": _RUN + "permissions:\n  moods: read\n",
    "an unknown level": _RUN + "permissions:\n  contents: admin\n",
    "no permissions": _RUN + "permissions: {}\n",
    "environment variables": _RUN + "env:\n  A: ${{ github.sha }}\n  B: 1\n",
    "secrets in a job's if": _RUN.replace("    runs-on", "    if: secrets.X == ''\n    runs-on"),
    "github in a job's if": _RUN.replace("    runs-on", "    if: github.ref == 'x'\n    runs-on"),
    "status in a job's if": _RUN.replace("    runs-on", "    if: always()\n    runs-on"),
    "a step's output in a job's if": _RUN.replace("    runs-on", "    if: steps.x\n    runs-on"),
    "a status in a run": f"{_HEAD}      - run: echo ${{{{ success() }}}}\n",
    "hashFiles in a step": f"{_HEAD}      - run: echo ${{{{ hashFiles('**/*.py') }}}}\n",
    "hashFiles in a job": _RUN.replace(
        "    runs-on", "    name: ${{ hashFiles('x') }}\n    runs-on"
    ),
    "an unclosed expression": f"{_HEAD}      - run: echo ${{{{ github.sha\n",
    "an unknown context": f"{_HEAD}      - run: echo ${{{{ weather.sun }}}}\n",
    "an unknown function": f"{_HEAD}      - run: echo ${{{{ shout('x') }}}}\n",
    "too few arguments": f"{_HEAD}      - run: echo ${{{{ contains('x') }}}}\n",
    "a matrix": _RUN.replace(
        "    runs-on", "    strategy: {matrix: {os: [a, b], include: [{os: c}]}}\n    runs-on"
    ),
    "a matrix that is computed": _RUN.replace(
        "    runs-on", "    strategy:\n      matrix: ${{ fromJSON('{}') }}\n    runs-on"
    ),
    "an empty matrix": _RUN.replace("    runs-on", "    strategy: {matrix: {}}\n    runs-on"),
    "a timeout": _RUN.replace("    runs-on", "    timeout-minutes: 5\n    runs-on"),
    "a timeout in words": _RUN.replace("    runs-on", "    timeout-minutes: long\n    runs-on"),
    "outputs": _RUN.replace("    runs-on", "    outputs: {x: '${{ steps.y.outputs.z }}'}\n    runs-on"),
    "a concurrency group": _RUN + "concurrency:\n  group: ${{ github.ref }}\n  cancel-in-progress: true\n",
    "secrets in a concurrency group": _RUN + "concurrency: ${{ secrets.X }}\n",
    "a name of its own": _RUN + "run-name: Run ${{ inputs.x }} by ${{ github.actor }}\n",
    "a name of secrets": _RUN + "run-name: ${{ secrets.X }}\n",
    "inputs": _RUN.replace(
        "on: push",
        "on:\n  workflow_dispatch:\n    inputs:\n      who: {type: choice, options: [a, b], default: a}",
    ),
    "a choice of nothing": _RUN.replace(
        "on: push", "on:\n  workflow_dispatch:\n    inputs:\n      who: {type: choice}"
    ),
    "an unknown type of input": _RUN.replace(
        "on: push", "on:\n  workflow_dispatch:\n    inputs:\n      who: {type: colour}"
    ),
    "a reusable workflow": _RUN.replace(
        "on: push",
        "on:\n  workflow_call:\n    inputs: {x: {type: string, required: true}}\n"
        "    secrets: {s: {required: true}}\n    outputs: {o: {value: '${{ jobs.a.outputs.o }}'}}",
    ),
    "an input without a type": _RUN.replace(
        "on: push", "on:\n  workflow_call:\n    inputs: {x: {required: true}}"
    ),
    "a call": "on: push\njobs:\n  a:\n    uses: o/r/.github/workflows/w.yml@v1\n    with: {x: 1}\n    secrets: inherit\n",
    "a call with steps": "on: push\njobs:\n  a:\n    uses: o/r/.github/workflows/w.yml@v1\n    steps: [{run: x}]\n",
    "a call without a ref": "on: push\njobs:\n  a:\n    uses: o/r/.github/workflows/w.yml\n",
    "a schedule": _RUN.replace("on: push", "on:\n  schedule: [{cron: '0 5 * * 1'}]"),
    "a schedule that is none": _RUN.replace("on: push", "on:\n  schedule: [{cron: 'often'}]"),
    "types of pulls": _RUN.replace("on: push", "on:\n  pull_request:\n    types: [opened, labeled]"),
    "unknown types of pulls": _RUN.replace("on: push", "on:\n  pull_request:\n    types: [applauded]"),
    "a key twice": _RUN + "name: a\nname: b\n",
    "no YAML": "on: [push\njobs",
    "a list": "- on: push\n",
    "nothing": "",
    "a word": "hello",
    "tabs": "on: push\njobs:\n\ta: x\n",
    "an anchor": _RUN + "env: &e {A: 1}\n",
    "defaults": _RUN + "defaults: {run: {shell: bash, working-directory: x}}\n",
    "a shell of a step": f"{_HEAD}      - {{run: x, shell: python}}\n",
    "an if of a step": f"{_HEAD}      - {{run: x, if: \"failure() && steps.y.outcome == 'success'\"}}\n",
    "needs in a step": f"{_HEAD}      - {{run: x, if: needs.b.result}}\n",
    "continue on error": f"{_HEAD}      - {{run: x, continue-on-error: true}}\n",
    "an action": f"{_HEAD}      - uses: actions/checkout@v4\n        with: {{fetch-depth: 0}}\n",
    "an action without a ref": f"{_HEAD}      - uses: actions/checkout\n",
}  # fmt: skip
