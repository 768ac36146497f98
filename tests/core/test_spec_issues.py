"""Decisions about specs written as issues: what is proposed, removed, and whose label counts."""

import unicodedata

import pytest
from hypothesis import given, strategies as st

from bot.core.journal import effects as ef
from bot.core.spec.issue_text import path_for, spec_of_issue
from bot.core.state.observed import SpecIssueSnapshot
from bot.core.values.ids import IssueNumber
from bot.core.values.repository import Role
from gates.unseen import unseen_runs
from tests.core.kit import World

NUMBER = IssueNumber(41)


def _sight(body: str = "It works.", **update: object) -> SpecIssueSnapshot:
    snapshot = SpecIssueSnapshot(
        number=NUMBER,
        title="A till",
        body=body,
        author="eve",
        author_id=8,
        is_open=True,
        is_labelled=True,
        labelled_by="ann",
        role=Role.WRITE,
    )
    return snapshot.model_copy(update=update)


def _proposed(world: World) -> list[ef.ProposeSpec]:
    return [e for e in world.intended if isinstance(e, ef.ProposeSpec)]


def _seen(world: World, snapshot: SpecIssueSnapshot | None) -> None:
    world.spec_issues[NUMBER] = snapshot
    world.settle()


def test_a_spec_issue_is_proposed_once_for_each_text() -> None:
    world = World()
    _seen(world, _sight())
    _seen(world, _sight())
    assert [(e.round, e.path) for e in _proposed(world)] == [(1, "specs/a-till.md")]
    _seen(world, _sight("It works well.", title="Another title"))
    assert [(e.round, e.path) for e in _proposed(world)][1:] == [(2, "specs/a-till.md")]
    told = [t for n, t in world.posted if n == NUMBER]
    assert ["This issue is a spec" in t for t in told] == [True, True]


def test_a_spec_label_without_write_permission_proposes_nothing() -> None:
    for role in Role:
        world = World()
        _seen(world, _sight(role=role))
        assert bool(_proposed(world)) is role.covers(Role.WRITE)


@pytest.mark.parametrize(
    "gone", [None, _sight(is_labelled=False), _sight(is_open=False), _sight(labelled_by="")]
)
def test_removing_the_spec_label_withdraws_the_pull_once(
    gone: SpecIssueSnapshot | None,
) -> None:
    world = World()
    _seen(world, gone)
    assert not _proposed(world)
    _seen(world, _sight())
    _seen(world, gone)
    _seen(world, gone)
    assert len([e for e in world.intended if isinstance(e, ef.WithdrawSpec)]) == 1
    _seen(world, _sight())
    assert [e.round for e in _proposed(world)] == [1, 2]


@pytest.mark.parametrize(
    ("body", "text", "hidden", "comments"),
    [
        ("It works.\r\n", "It works.\n", 0, 0),
        ("a\u200bb\u202ec\U000e0041", "abc\n", 3, 0),
        ("\u0646\u0645\u06cc\u200c\u062e", "\u0646\u0645\u06cc\u200c\u062e\n", 0, 0),
        ("a <!-- b --> c <!-- d\ne --> f", "a  c \n f\n", 0, 2),
        ("a\n<!-- never closed\nb", "a\n", 0, 1),
        ("```html\n<!-- seen -->\n```\nb", "```html\n<!-- seen -->\n```\nb\n", 0, 0),
        ("```\n<!-- seen\n```\nb <!-- c -->", "```\n<!-- seen\n```\nb \n", 0, 1),
        ("<!--\n```\n-->\nb", "b\n", 0, 1),
    ],
)
def test_hidden_text_of_an_issue_is_removed_and_counted(
    body: str, text: str, hidden: int, comments: int
) -> None:
    read = spec_of_issue("A till", body)
    assert (read.text, read.hidden, read.comments) == (f"# A till\n\n{text}", hidden, comments)


def test_a_body_with_a_title_of_its_own_keeps_it() -> None:
    assert spec_of_issue("A till", "# Tills\n\nThey work.").text == "# Tills\n\nThey work.\n"


@given(st.text(), st.text())
def test_any_issue_gives_a_text_without_controls(title: str, body: str) -> None:
    read = spec_of_issue(title, body)
    controls = {c for c in read.text if unicodedata.category(c) == "Cc"}
    assert controls <= {"\n", "\t"}
    assert not list(unseen_runs(read.text))


def test_the_path_of_an_existing_file_is_not_used() -> None:
    there = frozenset({"specs/a-till.md"})
    assert path_for("A till!", 7, "specs/", there) == "specs/a-till-7.md"
    assert path_for("\u5f85", 7, "specs/", there) == "specs/issue-7.md"
