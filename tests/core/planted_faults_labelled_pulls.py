"""A fault for every guard of the label that queues a pull."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_labelled_pulls.py::"
FEW = "shell/test_few_requests_for_pulls.py::"
REAL = "scenarios/test_people_queue_pulls.py::"

LABELLED_PULLS_FAULTS = [
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "    if not role.covers(needed):\n        return refuse(queue_text.label_not_permitted",
        "    if False:\n        return refuse(queue_text.label_not_permitted",
        STORIES + "test_a_label_without_the_role_is_answered_once",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        'is_heard or f"comment:{subject}" in decision.state.published',
        "is_heard",
        STORIES + "test_a_label_without_the_role_is_answered_once",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "if known is None or not known.is_by_label:",
        "if known is None or known.has_left:",
        STORIES + "test_a_pull_queued_by_a_comment_does_not_need_the_label",
    ),
    PlantedFault(
        "core/state/webhook.py",
        'is_ours = _at(payload, "label").get("name") == QUEUE_LABEL',
        "is_ours = True",
        STORIES + "test_only_the_queue_label_is_read",
    ),
    PlantedFault(
        "shell/observe_queue.py",
        "if (QUEUE_LABEL in pull.labels) is not (pull.number in by_label)",
        "if pull.number in by_label",
        REAL + "test_a_label_queues_a_pull_even_if_its_webhook_is_lost",
    ),
    PlantedFault(
        "shell/observe_queue.py",
        "if (QUEUE_LABEL in pull.labels) is not (pull.number in by_label)",
        "if (QUEUE_LABEL in pull.labels or pull.number in by_label)",
        FEW + "test_a_label_that_queued_a_pull_is_not_read_again_while_it_is_there",
    ),
    PlantedFault(
        "shell/observe_queue.py",
        "named = named_pulls(ports, facts, looks.labelled_pulls, listed)",
        "named = {n: forge.pull(facts, n) for n in looks.labelled_pulls}",
        FEW + "test_labels_of_many_pulls_are_read_from_the_list",
    ),
    PlantedFault(
        "shell/observe_queue.py",
        "**_pulls_asked_about(ports, facts, looks.pulls, listed)",
        "**{n: forge.pull(facts, n) for n in looks.pulls}",
        FEW + "test_of_many_queued_pulls_only_closed_ones_are_requested_one_by_one",
    ),
    PlantedFault(
        "shell/observe_queue.py",
        "return {n: pull or ports.forge.pull(facts, n) for n, pull in found.items()}",
        "return found",
        FEW + "test_of_many_queued_pulls_only_closed_ones_are_requested_one_by_one",
    ),
    PlantedFault(
        "shell/observe_approved.py",
        "named_pulls(self._ports, facts, looks.unqueued_pulls, listed).values()",
        "(self._ports.forge.pull(facts, number) for number in looks.unqueued_pulls)",
        FEW + "test_pulls_that_may_enter_by_themselves_are_read_from_the_list",
    ),
    PlantedFault(
        "shell/observe_queue.py",
        "labelled = {number: pull for number, pull in named.items() if pull is not None}",
        "labelled = dict(named)",
        FEW + "test_a_closed_pull_is_not_treated_as_missing",
    ),
]
