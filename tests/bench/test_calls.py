"""How writes are named for the table of calls."""

import pytest

from tests.bench.calls import counted, kind_of
from tests.bench.stage import WriteExchange


def write(line: str, by: str = "installation") -> WriteExchange:
    method, _, path = line.partition(" ")
    return WriteExchange(method=method, path=path, status=200, by=by)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("POST /team/shop.git/git-receive-pack", "push"),
        ("POST /repos/team/shop/issues", "open an issue"),
        ("POST /repos/team/shop/issues/7/comments", "comment"),
        ("PATCH /repos/team/shop/issues/7", "edit or close an issue"),
        ("PATCH /repos/team/shop/check-runs/9", "update a check run"),
        ("POST /repos/team/shop/actions/workflows/a.yml/dispatches", "dispatch a workflow"),
        ("DELETE /repos/team/shop/labels/9", "DELETE /repos/team/shop/labels/N"),
    ],
)
def test_each_write_has_the_name_of_its_action(line: str, kind: str) -> None:
    assert kind_of(write(line)) == kind


def test_writes_of_people_and_runners_are_not_counted() -> None:
    ours, theirs = write("POST /repos/team/shop/issues"), write("POST /repos/x/y/issues", "user")

    assert counted([ours, theirs, ours]) == {"open an issue": 2}
