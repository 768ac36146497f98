"""A fault for each guard of GitHub's limits that only stories show.

The rule and its mechanism are those of `planted_faults.py`.
"""

from tests.testkit.planting import PlantedFault

LIMITS = "scenarios/test_github_limits.py::"
OWN = "scenarios/test_own_github_instance.py::"
QUOTA = "adapters/test_quota.py::"

DOOR = [
    # Reads count against the limits.
    PlantedFault(
        "adapters/github/api.py",
        "self._count_read(0 if answer is None else 1)",
        "pass",
        LIMITS + "test_every_read_is_counted",
    ),
    PlantedFault(
        "shell/reconcile.py",
        "        count_reads(ports, budget_of(facts))\n",
        "",
        LIMITS + "test_every_read_is_counted",
    ),
    PlantedFault(
        "adapters/quota/budget.py",
        "self._link.ask(lambda client: _spend_there(client, whom, one, None))",
        "pass",
        QUOTA + "test_counted_reads_reduce_the_budget_of_the_next_caller",
    ),
    PlantedFault(
        "adapters/quota/budget.py",
        '            client.zremrangebyscore(key, now.timestamp() + _SLOT_SECONDS, "+inf")\n',
        "",
        QUOTA + "test_slots_taken_with_a_wrong_clock_are_free_once_it_is_right",
    ),
    # Looking around comes last.
    PlantedFault(
        "shell/rate_limit.py",
        "if ports.budget.wait(whom, ONE_READ, Priority.SWEEP, ports.clock.now()) is None:",
        "if ports.clock.now():",
        LIMITS + "test_with_little_github_budget_the_sweep_stops_but_commands_are_answered",
    ),
    # A check that a ruleset may require is published before main moves.
    PlantedFault(
        "core/journal/effects_talk.py",
        "urgency=Urgency.CHECK",
        "urgency=Urgency.TALK",
        "scenarios/test_github_refuses.py::"
        "test_a_change_lands_at_once_if_a_ruleset_requires_the_verdict",
    ),
    # Addresses of authors are those of the GitHub that the repository is on.
    PlantedFault(
        "core/talk/links.py",
        "{author_id}+{name}@{facts.mail_domain}",
        "{author_id}+{name}@users.noreply.github.com",
        OWN + "test_links_and_authors_use_the_own_instance",
    ),
    PlantedFault(
        "core/values/repository.py",
        'f"headgate[bot]@{self.mail_domain}"',
        '"headgate[bot]@users.noreply.github.com"',
        OWN + "test_links_and_authors_use_the_own_instance",
    ),
]
