"""A fault for every guard of the label that queues a pull."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_labelled_pulls.py::"
REAL = "scenarios/test_people_queue_pulls.py::"

LABELLED_PULLS_FAULTS = [
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "    if not role.covers(needed):\n        return refuse(queue_text.label_not_permitted",
        "    if False:\n        return refuse(queue_text.label_not_permitted",
        STORIES + "test_who_may_not_queue_is_told_once",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        'is_heard or f"comment:{subject}" in decision.state.published',
        "is_heard",
        STORIES + "test_who_may_not_queue_is_told_once",
    ),
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "is_by_label = known is not None and known.is_by_label",
        "is_by_label = known is not None and not known.has_left",
        STORIES + "test_what_a_comment_queued_stays_without_a_label",
    ),
    PlantedFault(
        "core/state/webhook.py",
        'is_ours = _at(payload, "label").get("name") == QUEUE_LABEL',
        "is_ours = True",
        STORIES + "test_only_the_queues_label_is_looked_at",
    ),
    PlantedFault(
        "shell/observe_queue.py",
        "if (QUEUE_LABEL in pull.labels or pull.number in by_label)",
        "if (pull.number in by_label)",
        REAL + "test_a_label_queues_a_pull_also_where_its_webhook_is_lost",
    ),
]
