"""Problems with branch names: long and foreign paths, and a branch in place of our folder."""

import pytest

from bot.core.talk.news_text import standing
from bot.shell.installation import install
from tests.testkit.crash import ports_on_story_clock
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
TILL = "src/till-make-the-till-work.txt"


@pytest.mark.parametrize(
    "path",
    [
        f"specs/{'/'.join(['a-part-of-the-shop-with-a-long-name'] * 7)}/till.md",
        f"specs/{'ä' * 120}.md",
        "specs/till..lock",
        "specs/till@{now}..md",
    ],
    ids=["long", "multibyte", "lock", "braces"],
)
def test_a_spec_with_an_unusual_path_lands(shop: House, path: str) -> None:
    path = path if path.endswith(".md") else f"{path}.md"
    shop.start(SHOP, path)
    shop.work()
    assert any(file.startswith("src/") for file in shop.main_files())


def open_a_branch(shop: House, name: str, login: str = "ada") -> None:
    made = {"ref": f"refs/heads/{name}", "sha": shop.ref()}
    answer = shop.api("POST", shop.repo("/git/refs"), made, shop.tokens[login])
    assert answer.status_code == 201


def is_free_again(shop: House, name: str, login: str = "ada") -> None:
    path = shop.repo(f"/git/refs/heads/{name}")
    assert shop.api("DELETE", path, token=shop.tokens[login]).status_code == 204
    shop.forward(minutes=6)
    shop.ring_due()


def test_work_waits_until_a_branch_named_headgate_is_removed(shop: House) -> None:
    shop.restart(ports_on_story_clock(shop))
    open_a_branch(shop, "headgate")
    tracking = shop.start(SHOP)
    shop.work()
    says = (
        "A branch has the same name as the folder of Headgate's branches: `headgate`. Rename "
        "or delete that branch."
    )
    assert f"**To do:** #2: {says}" in shop.body(tracking)
    assert standing(shop.state) == [says]

    is_free_again(shop, "headgate")
    shop.work()

    assert TILL in shop.main_files()
    assert [change.attempt for change in shop.state.changes.values()] == [1]
    assert standing(shop.state) == []


def test_the_first_pull_waits_until_a_conflicting_branch_is_removed(shop: House) -> None:
    shop.hub.add_repository("team", "stall")
    shop.hub.commit_files("team/stall", {"README.md": b"# A stall\n"}, "Begin", "ada")
    shop.full_name = "team/stall"
    shop.hire("grace")
    shop.restart(ports_on_story_clock(shop))
    open_a_branch(shop, "headgate", "grace")
    install_what_is_listed(shop)
    assert shop.pulls() == []
    (said,) = standing(shop.state)
    assert "`headgate`. Rename or delete that branch." in said

    is_free_again(shop, "headgate", "grace")

    assert [pull["head"]["ref"] for pull in shop.pulls()] == ["headgate/first-gates"]


def install_what_is_listed(shop: House) -> None:
    for found in shop.ports.forge.installations():
        install(shop.ports, found)
    shop.settle()
