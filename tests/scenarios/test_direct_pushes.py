"""A push without git in a story equals one by git."""

import pytest

from bot.localhub.model import Activity
from bot.localhub.rule_model import RefRule, Ruleset
from tests.testkit.direct_push import pushed_by_hub
from tests.testkit.house import House

MAIN = "refs/heads/main"


def _seen(shop: House, sha: str) -> tuple[object, ...]:
    """All that a commit and its push say, but when."""
    repository = shop.hub.repository(shop.full_name)
    made = repository.git.commit(sha)
    pushed: Activity = repository.activities[-1]
    who = (made.author.name, made.author.email, made.committer.name, made.committer.email)
    how = (pushed.kind, pushed.actor, pushed.ref, pushed.before, pushed.after == sha)
    return made.tree, made.parents, made.message, who, how


def test_a_push_by_the_hub_equals_a_push_by_git(shop: House) -> None:
    files = {"specs/a.md": "# One\n", "gate.sh": "exit 0\n", ".github/headgate.yml": None}
    repository = shop.hub.repository(shop.full_name)
    before = repository.refs[MAIN]
    git = repository.git
    assert git.entry(before, ".github/headgate.yml") is not None
    by_hub = pushed_by_hub(shop.hub, shop.full_name, files, "Ask for work")
    assert by_hub == repository.refs[MAIN]
    seen = _seen(shop, by_hub or "")
    shop.hub.refs.force(repository, shop.hub.as_user("ada"), MAIN, before)
    assert _seen(shop, shop.push_by_git(files, "Ask for work")) == seen


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.txt": "a\n"}, "Two\n\nlines"),
        ({".gitignore": "*.txt\n"}, "Leave texts out"),
        ({"below/.gitattributes": "* text\n"}, "Say what is text"),
        ({"nothing.txt": None}, "Delete nothing"),
    ],
)
def test_files_that_git_may_treat_specially_are_pushed_by_git(
    shop: House, files: dict[str, str | None], message: str
) -> None:
    assert pushed_by_hub(shop.hub, shop.full_name, files, message) is None


def test_a_push_that_rules_may_refuse_is_left_to_git(shop: House) -> None:
    rule = Ruleset(
        id=1, name="main", branches=("main",), rules=frozenset({RefRule.NON_FAST_FORWARD})
    )
    shop.hub.add_ruleset(shop.full_name, rule)
    assert pushed_by_hub(shop.hub, shop.full_name, {"a.txt": "a\n"}, "A file") is None
