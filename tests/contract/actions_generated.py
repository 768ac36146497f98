"""More cases for GitHub's code and localhub, drawn by Hypothesis and the same in every run.

Expressions of every operator and function over the contexts of the written table, well-formed or with
a token removed; and the written workflow files with a line removed. Numbers whose text depends on .NET
are only in the written table.
"""

from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from tests.contract.actions_cases import WORKFLOWS

_EXPRESSIONS_MAX = 700

_LITERALS = st.sampled_from(
    (
        *("null", "true", "false", "0", "1", "-3", "2.5", "0x1F", "''", "'a'", "'A'", "'it''s'"),
        *("' 1 '", "'1'", "'linux'", "'{0}-{1}'", "'{{0}}'", "'{'"),
        *("'[1, \"b\", null]'", "'{\"k\": [true]}'"),
    )
)
_PLACES = st.sampled_from(
    (
        *("github", "github.ref", "github.event", "github.event.labels", "github.event.draft"),
        *("github.event.labels.*.name", "github.event.weights", "github.event.title"),
        *("github.nothing.more", "inputs", "inputs.who", "inputs.deep", "inputs.count"),
        *("inputs['dash-ed']", "matrix.list", "matrix.empty", "matrix.none", "matrix.*"),
        *("steps.*.outputs.x", "steps.one.outputs", "lost.x"),
    )
)
_OPERATORS = ["==", "!=", "<", "<=", ">", ">=", "&&", "||"]
_ONE = ["toJSON", "fromJSON", "join", "format"]
_TWO = ["contains", "startsWith", "endsWith", "join", "format"]


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{} {} {}".format, inner, st.sampled_from(_OPERATORS), inner),
        st.builds("({})".format, inner),
        st.builds("!{}".format, inner),
        st.builds("{}({})".format, st.sampled_from(_ONE), inner),
        st.builds("{}({}, {})".format, st.sampled_from(_TWO), inner, inner),
        st.builds("format({}, {}, {})".format, inner, inner, inner),
        st.builds("fromJSON({})[{}]".format, inner, inner),
        st.builds("github.event.labels[{}].name".format, inner),
    )


_WHOLE = st.recursive(st.one_of(_LITERALS, _PLACES), _grown, max_leaves=6)


@st.composite
def _broken(draw: st.DrawFn) -> str:
    """An expression that has lost one of its characters."""
    text = draw(_WHOLE)
    at = draw(st.integers(0, len(text) - 1))
    return text[:at] + text[at + 1 :]


def generated_expressions() -> tuple[str, ...]:
    """The same expressions in every run."""
    found: dict[str, None] = {}

    @settings(
        derandomize=True,
        database=None,
        max_examples=_EXPRESSIONS_MAX,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of(_WHOLE, _WHOLE, _broken()))
    def draw(text: str) -> None:
        if text.strip():
            found[text] = None

    draw()
    return tuple(found)


def files_with_a_line_lost() -> dict[str, str]:
    """Every written file without one of its lines, by subject and line."""
    found: dict[str, str] = {}
    for name, text in WORKFLOWS.items():
        lines = text.splitlines(keepends=True)
        for at in range(len(lines)):
            lost = "".join(lines[:at] + lines[at + 1 :])
            if lost not in WORKFLOWS.values() and lost not in found.values():
                found[f"{name}, line {at + 1} lost"] = lost
    return found
