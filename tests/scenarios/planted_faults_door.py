"""A fault for every guard of what is spent at GitHub, that only shows where the world is.

The rule and its mechanism are those of `planted_faults.py`.
"""

from tests.testkit.planting import PlantedFault

LIMITS = "scenarios/test_github_limits.py::"
OWN = "scenarios/test_own_github.py::"
QUOTA = "adapters/test_quota.py::"

DOOR = [
    # Reads count against the limits.
    PlantedFault(
        "adapters/github/api.py",
        "self._count_read(0 if answer is None else 1)",
        "pass",
        LIMITS + "test_every_look_is_counted",
    ),
    PlantedFault(
        "shell/reconcile.py",
        "        count_reads(ports, budget_of(facts))\n",
        "",
        LIMITS + "test_every_look_is_counted",
    ),
    PlantedFault(
        "adapters/quota/budget.py",
        "self._link.ask(lambda client: _spend_there(client, whom, one, None))",
        "pass",
        QUOTA + "test_counted_reads_reduce_the_budget_of_the_next_caller",
    ),
    # Looking around comes last.
    PlantedFault(
        "shell/rate_limit.py",
        "if ports.budget.wait(whom, ONE_READ, Priority.SWEEP, ports.clock.now()) is None:",
        "if ports.clock.now():",
        LIMITS
        + "test_where_little_is_left_nobody_looks_around_and_a_command_that_came_is_answered",
    ),
    # A check that a ruleset may require is published before main moves.
    PlantedFault(
        "core/journal/effects_talk.py",
        "urgency=Urgency.CHECK",
        "urgency=Urgency.TALK",
        "scenarios/test_github_refuses.py::"
        "test_a_change_lands_at_once_where_a_ruleset_requires_the_verdict",
    ),
    # Addresses of authors are those of the GitHub that the repository is on.
    PlantedFault(
        "core/talk/links.py",
        "{author_id}+{name}@{facts.mail_domain}",
        "{author_id}+{name}@users.noreply.github.com",
        OWN + "test_every_link_and_every_author_is_at_the_instance_itself",
    ),
    PlantedFault(
        "shell/perform_git.py",
        'f"headgate[bot]@{facts.mail_domain}"',
        '"headgate[bot]@users.noreply.github.com"',
        OWN + "test_every_link_and_every_author_is_at_the_instance_itself",
    ),
]
