"""The expression language. The expected values are those of GitHub's own evaluator."""

import pytest
from hypothesis import given, strategies as st
from pydantic import JsonValue

from bot.localhub.actions.evaluation import (
    EvaluationScope,
    WorldFunction,
    condition_holds,
    evaluate,
    fill,
    parse_condition,
    resolve,
)
from bot.localhub.actions.expressions import (
    STATUS_FUNCTIONS,
    ExpressionError,
    Vocabulary,
    check_names,
    parse_expression,
)
from bot.localhub.actions.runner_messages import Conclusion
from bot.localhub.actions.values import as_text

CONTEXTS: dict[str, JsonValue] = {
    "github": {
        "ref": "refs/heads/main",
        "actor": "Alice",
        "event": {"labels": [{"name": "bug"}, {"name": "ready"}, {"id": 3}], "number": 7},
    },
    "env": {"EMPTY": "", "LEVEL": "3", "Mixed-Case": "yes"},
    "matrix": {"os": ["linux", "mac"], "nested": {"a": {"v": 1}, "b": {"v": 2}, "c": {}}},
}

VALUES: list[tuple[str, JsonValue]] = [
    ("null", None),
    ("true", True),
    ("-9.25", -9.25),
    ("0xff", 255.0),
    ("2.99e-2", 0.0299),
    ("'it''s'", "it's"),
    ("''", ""),
    ("github.ref", "refs/heads/main"),
    ("GitHub.REF", "refs/heads/main"),
    ("github['actor']", "Alice"),
    ("env.Mixed-Case", "yes"),
    ("env['mixed-case']", "yes"),
    ("github.nothing", None),
    ("github.nothing.below", None),
    ("github.event.labels[1].name", "ready"),
    ("github.event.labels[1.7].name", "ready"),
    ("github.event.labels[9]", None),
    ("github.event.labels[-1]", None),
    ("toJSON(github.event.labels.*.name)", '[\n  "bug",\n  "ready"\n]'),
    ("join(github.event.labels.*.name, '+')", "bug+ready"),
    ("join(matrix.nested.*.v, '-')", "1-2"),
    ("contains(github.event.labels.*.name, 'BUG')", True),
    ("1 == 1.0", True),
    ("'1' == 1", True),
    ("'' == 0", True),
    ("null == ''", True),
    ("null == 0", True),
    ("true == 1", True),
    ("true == '1'", True),
    ("true == 'true'", False),
    ("'abc' == 0", False),
    ("'ABC' == 'abc'", True),
    ("'abc' != 'ABD'", True),
    ("'a' < 'B'", True),
    ("'abc' < 1", False),
    ("'abc' > 1", False),
    ("null <= null", True),
    ("null < null", False),
    ("2 > 1 && 1 >= 1", True),
    ("false < true", True),
    ("matrix.os == matrix.os", True),
    ("matrix.os == 'Array'", False),
    ("fromJSON('[1]') == fromJSON('[1]')", False),
    ("env.LEVEL > 2", True),
    ("!env.EMPTY", True),
    ("!'false'", False),
    ("!!'x'", True),
    ("env.EMPTY || 'default'", "default"),
    ("'first' || 'second'", "first"),
    ("'first' && 'second'", "second"),
    ("false && 'never'", False),
    ("'' && 'never'", ""),
    ("0 || null", None),
    ("1 == 2 || 3 == 3 && 'yes'", "yes"),
    ("(1 == 2 || 3 == 3) && 'yes'", "yes"),
    ("1 < 2 == true", True),
    ("contains('Hello world', 'LLO')", True),
    ("contains('x10', 10)", True),
    ("contains(fromJSON('[1, 2]'), '2')", True),
    ("contains(github.event, 'x')", False),
    ("startsWith('Hello', 'he')", True),
    ("startsWith(github.event, 'x')", False),
    ("endsWith('Hello', 'LO')", True),
    ("format('{0}-{1}-{0}', 'a', 2)", "a-2-a"),
    ("format('{{0}} {0}', true)", "{0} true"),
    ("format('{0}', null)", ""),
    ("format('{0}', github.event)", "Object"),
    ("format('{0}', matrix.os)", "Array"),
    ("format('{0} {1}', 1.0, 1.5)", "1 1.5"),
    ("join('alone')", "alone"),
    ("join(matrix.os)", "linux,mac"),
    ("toJSON('a\"b')", '"a\\"b"'),
    ("toJSON(1)", "1"),
    ("toJSON(null)", "null"),
    ('fromJSON(\'{"a": {"b": [true]}}\').a.b[0]', True),
    ("NaN == NaN", False),
    ("NaN || 'nan is falsy'", "nan is falsy"),
    ("Infinity > 1", True),
]

REFUSED = [
    "",
    "1 +",
    "fromJSON('3') + 0",
    "unknown(1)",
    "github.",
    "github[",
    "(1",
    "'open",
    '"double quoted"',
    "contains('one')",
    "contains('a', 'b', 'c')",
    "always(1)",
    "a b",
    "github..ref",
]


@pytest.mark.parametrize(("text", "expected"), VALUES)
def test_expressions_have_githubs_values(text: str, expected: JsonValue) -> None:
    found = evaluate(parse_expression(text), EvaluationScope(CONTEXTS))
    assert found == expected
    assert isinstance(found, bool) == isinstance(expected, bool)


@pytest.mark.parametrize("text", REFUSED)
def test_invalid_expressions_are_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse_expression(text)


@pytest.mark.parametrize(
    "text", ["format('{0} {1}', 1)", "format('{', 1)", "fromJSON('{')", "fromJSON('')"]
)
def test_impossible_calls_fail_when_evaluated(text: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(parse_expression(text), EvaluationScope({}))


def test_a_single_expression_keeps_its_type_and_a_mixed_value_is_text() -> None:
    seen = EvaluationScope(CONTEXTS)
    assert resolve("${{ github.event.number }}", seen) == 7
    assert resolve("no ${{ github.event.number }} of ${{ '}}' }}", seen) == "no 7 of }}"
    assert resolve({"a": ["${{ env.LEVEL }}", 1]}, seen) == {"a": ["3", 1]}
    assert fill("${{ github.nothing }}", seen) == ""
    with pytest.raises(ExpressionError):
        fill("${{ github.ref", seen)


@pytest.mark.parametrize(
    ("condition", "holds_after_success", "holds_after_failure"),
    [
        (None, True, False),
        ("", True, False),
        ("github.actor == 'alice'", True, False),
        ("${{ github.actor == 'bob' }}", False, False),
        ("always()", True, True),
        ("failure()", False, True),
        ("failure() && github.actor == 'alice'", False, True),
        ("!cancelled()", True, True),
        ("success() || failure()", True, True),
        # Text around an expression makes it a string, and a string is true.
        ("${{ false }} ", False, False),
        ("x ${{ false }}", True, False),
    ],
)
def test_conditions_imply_success_unless_they_use_a_status_function(
    condition: str | None, holds_after_success: bool, holds_after_failure: bool
) -> None:
    for succeeded, expected in ((True, holds_after_success), (False, holds_after_failure)):
        functions = status_functions(Conclusion.SUCCESS if succeeded else Conclusion.FAILURE)
        assert condition_holds(condition, EvaluationScope(CONTEXTS, functions)) is expected


def status_functions(status: Conclusion) -> dict[str, WorldFunction]:
    """The status functions of a job in this state."""
    return {
        "success": lambda _: status is Conclusion.SUCCESS,
        "failure": lambda _: status is Conclusion.FAILURE,
        "always": lambda _: True,
        "cancelled": lambda _: False,
    }


def test_names_are_checked_against_their_workflow_key() -> None:
    place = Vocabulary(frozenset({"github"}), STATUS_FUNCTIONS)
    check_names(parse_condition("always() && contains(github.ref, 'x')"), place, "…")
    for text in ("secrets.TOKEN == ''", "hashFiles('x') == ''", "always() && matrix.os"):
        with pytest.raises(ExpressionError, match=r"Unrecognized (named-value|function)"):
            check_names(parse_condition(text), place, text)


@given(st.text(alphabet="'()[]{}.,*!=<>&|$ abz019_-\"", max_size=40))
def test_parsing_raises_only_its_own_error(text: str) -> None:
    try:
        value = evaluate(parse_expression(text), EvaluationScope(CONTEXTS))
    except ExpressionError:
        return
    assert isinstance(as_text(value), str)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(), st.lists, max_leaves=8
    )
)
def test_to_json_and_from_json_round_trip(value: JsonValue) -> None:
    seen = EvaluationScope({"github": {"v": value}})
    text = evaluate(parse_expression("fromJSON(toJSON(github.v))"), seen)
    assert text == value
