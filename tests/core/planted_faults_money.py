"""A fault for every guard of money."""

from tests.testkit.planting import PlantedFault

MONEY = "core/test_stories_of_money.py::"
RUN = MONEY + "TestRun::"

MONEY_FAULTS = [
    PlantedFault(
        "core/decide/changes/keep_budgets.py",
        "left.held is not Held.RUN or budget is None or is_asked",
        "left.held is not Held.RUN or budget is None",
        RUN + "test_a_no_holds_until_somebody_says_yes",
    ),
    PlantedFault(
        "core/decide/changes/keep_budgets.py",
        "return agent.replace(limits=limits.replace(dollars_max=left.dollars))",
        "return agent",
        RUN + "test_an_agent_may_cost_what_is_left",
    ),
    PlantedFault(
        "core/state/money.py",
        "left = budget.dollars - budget.spent\n        free = round(left - budget.reserved, 6)",
        "left = budget.dollars - budget.spent\n        free = round(left, 6)",
        RUN + "test_agents_side_by_side_share_it",
    ),
    PlantedFault(
        "core/state/money.py",
        "change.agent_runs[change.runs_before_budget :]",
        "change.agent_runs",
        MONEY
        + "TestChange::test_a_change_that_spent_its_budget_fails_and_a_retry_gives_as_much_again",
    ),
    PlantedFault(
        "core/state/money.py",
        "if _day(o.placed_at) == day}",
        "if day}",
        MONEY + "TestDay::test_what_was_spent_yesterday_does_not_count",
    ),
    PlantedFault(
        "core/decide/decide.py",
        "    times += (at for at in money.deadlines(state, policy) if at > now)\n",
        "",
        MONEY + "TestDay::test_no_agent_is_ordered_until_the_next_day",
    ),
    PlantedFault(
        "core/state/money.py",
        "    if run.dollars is not None:\n        return run.dollars\n",
        "",
        MONEY + "test_what_a_lost_run_said_that_it_cost_counts",
    ),
    PlantedFault(
        "core/decide/people/answer_money.py",
        "    if before is not None and before.text != money_text.NO:\n",
        "    if False:\n",
        RUN + "test_a_yes_counts_once",
    ),
    PlantedFault(
        "core/decide/people/answer_question.py",
        "    if not asked.role.covers(needed):\n",
        "    if False:\n",
        RUN + "test_only_who_may_approve_plans_may_spend_more",
    ),
    PlantedFault(
        "core/decide/specs/plan_new_spec.py",
        "last=max(before.last, last)",
        "last=before.last",
        RUN + "test_its_question_takes_no_number_of_the_specs",
    ),
    PlantedFault(
        "core/state/learned.py",
        "if len(of) >= RUNS_MIN",
        "if of",
        MONEY + "TestEstimates::test_too_few_attempts_tell_nothing",
    ),
    PlantedFault(
        "core/state/counted.py",
        " | AgentAsked() | OrderDeferred():",
        " | OrderDeferred():",
        "core/test_counted.py::test_what_an_agent_cost_before_it_asked_is_counted",
    ),
]
