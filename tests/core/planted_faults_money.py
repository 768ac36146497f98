"""A fault for every guard of money."""

from tests.testkit.planting import PlantedFault

MONEY = "core/test_stories_of_budgets.py::"
RUN = MONEY + "TestRun::"

MONEY_FAULTS = [
    PlantedFault(
        "core/decide/changes/keep_budgets.py",
        "left.held is not Held.RUN or budget is None or is_asked",
        "left.held is not Held.RUN or budget is None",
        RUN + "test_no_keeps_the_pause_until_someone_answers_yes",
    ),
    PlantedFault(
        "core/decide/changes/keep_budgets.py",
        "return agent.replace(limits=limits.replace(dollars_max=left.dollars))",
        "return agent",
        RUN + "test_an_agent_is_limited_to_the_remaining_budget",
    ),
    PlantedFault(
        "core/state/money.py",
        "left = budget.dollars - budget.spent\n        free = round(left - budget.reserved, 6)",
        "left = budget.dollars - budget.spent\n        free = round(left, 6)",
        RUN + "test_parallel_agents_share_the_budget",
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
        MONEY + "TestDay::test_the_cost_of_yesterday_does_not_count",
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
        MONEY + "test_the_reported_cost_of_a_lost_run_counts",
    ),
    PlantedFault(
        "core/decide/people/answer_money.py",
        "    if before is not None and before.text != money_text.NO:\n",
        "    if False:\n",
        RUN + "test_yes_counts_once",
    ),
    PlantedFault(
        "core/decide/people/answer_question.py",
        "    if not asked.role.covers(needed):\n",
        "    if False:\n",
        RUN + "test_only_plan_approvers_can_raise_the_budget",
    ),
    PlantedFault(
        "core/decide/specs/plan_new_spec.py",
        "last=max(before.last, last)",
        "last=before.last",
        RUN + "test_a_budget_question_uses_no_spec_question_number",
    ),
    PlantedFault(
        "core/state/learned.py",
        "if len(of) >= RUNS_MIN",
        "if of",
        MONEY + "TestEstimates::test_too_few_attempts_give_no_estimate",
    ),
    PlantedFault(
        "core/state/counted.py",
        " | AgentAsked() | OrderDeferred():",
        " | OrderDeferred():",
        "core/test_counters.py::test_the_cost_of_an_agent_before_its_question_is_counted",
    ),
]
