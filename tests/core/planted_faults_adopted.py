"""A fault for every guard of what is done about commits that came to main past Headgate."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_adopted_commits.py::"
FREEZES = STORIES + "test_a_bypassing_commit_freezes_the_queue_until_a_person_unfreezes_it"

ADOPTED_FAULTS = [
    PlantedFault(
        "core/decide/main/note_adopted.py",
        " or rule is OnAdopted.JUDGE:\n",
        ":\n",
        STORIES + "test_by_default_an_adopted_commit_is_judged_without_an_issue",
    ),
    PlantedFault(
        "core/decide/main/note_adopted.py",
        "    if not commits or",
        "    commits = commits or decision.observed.main.history\n    if",
        STORIES + "test_admitted_pushes_are_not_reported",
    ),
    PlantedFault(
        "core/decide/main/note_adopted.py",
        "    is_frozen = rule is OnAdopted.FREEZE\n",
        "    is_frozen = True\n",
        STORIES + "test_one_issue_reports_all_commits_of_a_look",
    ),
    PlantedFault(
        "core/state/queue_order.py",
        "    if FreezeCause.ADOPTED in state.freezes:\n",
        "    if False:\n",
        FREEZES,
    ),
    PlantedFault(
        "core/decide/people/freeze_queue.py",
        "for cause in OF_PEOPLE if cause in freezes}",
        "for cause in OF_PEOPLE[:1] if cause in freezes}",
        FREEZES,
    ),
    PlantedFault(
        "core/journal/freeze_events.py",
        "    causes: tuple[FreezeCause, ...] = (FreezeCause.PERSON,)\n",
        "    causes: tuple[FreezeCause, ...] = tuple(FreezeCause)\n",
        STORIES + "test_the_end_of_a_persons_freeze_keeps_the_other_freeze",
    ),
    PlantedFault(
        "core/state/reason.py",
        "    FreezeCause.ADOPTED: Cause.ADOPTED,\n",
        "",
        STORIES + "test_why_explains_the_freeze_after_an_adopted_commit",
    ),
    PlantedFault(
        "core/decide/main/account_commits.py",
        "            elif commit.sha not in landed:\n",
        "            else:\n",
        "core/test_stories_of_queue_interference.py::"
        "test_a_landing_that_a_look_misses_is_recognised_later",
    ),
]
