"""A pull that GitHub merges: by its head, by a method that is allowed, or not, with its own words."""

import httpx
import pytest

from bot.core.values.candidate import MergeAnswer
from bot.core.values.ids import PullNumber, Sha
from bot.core.values.rules import MergeMethod
from bot.localhub.rule_model import MergeMethod as Allowed, RefRule, Ruleset
from bot.ports import UserError
from tests.adapters.hub_stage import REPOSITORY, HubStage

EVERY = tuple(MergeMethod)
MESSAGE = "Make the till work\n\nChange: till\n"


def open_pull(stage: HubStage) -> tuple[PullNumber, Sha]:
    """A pull with one file, and its head."""
    asked: dict[str, object] = {"ref": "refs/heads/topic", "sha": stage.head()}
    stage.as_person("ada", "/git/refs", asked)
    headers = {"Authorization": f"token {stage.tokens['ada']}"}
    url = f"{stage.base_url}/repos/{REPOSITORY}/contents/a.txt"
    file = {"message": "Add", "content": "YQ==", "branch": "topic"}
    made = httpx.put(url, json=file, headers=headers).json()
    wish: dict[str, object] = {"title": "Add", "head": "topic", "base": "main"}
    opened = stage.as_person("ada", "/pulls", wish)
    return PullNumber(int(str(opened["number"]))), Sha(made["commit"]["sha"])


def merge(
    stage: HubStage, number: PullNumber, head: Sha, methods: tuple[MergeMethod, ...] = EVERY
) -> MergeAnswer:
    return stage.forge.merge_pull(stage.facts, number, head, methods, MESSAGE)


def test_a_pull_is_merged_with_our_message(stage: HubStage) -> None:
    number, head = open_pull(stage)
    before = stage.head()

    answer = merge(stage, number, head)

    assert answer == MergeAnswer(merged_as=stage.head())
    commit = stage.hub.repository(REPOSITORY).git.commit(stage.head())
    assert commit.parents == (before, head)
    assert commit.message == MESSAGE


def test_a_head_that_was_not_judged_is_not_merged(stage: HubStage) -> None:
    number, _ = open_pull(stage)
    before = stage.head()

    answer = merge(stage, number, Sha("1" * 40))

    assert answer.is_stale
    assert "Head branch was modified" in answer.sentence
    assert stage.head() == before


def test_the_next_merge_method_is_tried_if_one_is_not_allowed(stage: HubStage) -> None:
    number, head = open_pull(stage)
    stage.hub.repository(REPOSITORY).merge_methods = frozenset({Allowed.SQUASH})
    before = stage.head()

    assert merge(stage, number, head, (MergeMethod.MERGE,)).merged_as is None
    assert merge(stage, number, head).merged_as == stage.head()
    assert stage.hub.repository(REPOSITORY).git.commit(stage.head()).parents == (before,)


def test_a_refusal_is_quoted_and_no_other_method_is_tried(stage: HubStage) -> None:
    number, head = open_pull(stage)
    rules = frozenset({RefRule.MERGE_QUEUE})
    stage.hub.add_ruleset(REPOSITORY, Ruleset(1, "queue", ("main",), rules))
    asked = len(stage.hub.exchanges)

    answer = merge(stage, number, head)

    assert answer.merged_as is None
    assert "Changes must be made through the merge queue" in answer.sentence
    assert len([r for r in stage.requests_since(asked) if r.endswith("/merge")]) == 1


def test_merging_a_missing_pull_is_an_error(stage: HubStage) -> None:
    with pytest.raises(UserError):
        merge(stage, PullNumber(4711), Sha("1" * 40))
