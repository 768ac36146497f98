"""A fault for every guard around what GitHub refuses of a push."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_refused_pushes.py::"
WAITS = STORIES + "TestWaitingWork::"
TOLD = STORIES + "TestTexts::"
WORK = STORIES + "TestRetry::"
WORDS = "core/test_github_refusals.py::"
PRESSED = "core/test_stories_of_buttons.py::"
GIT = "adapters/test_workflows.py::"
FOLDER = GIT + "test_a_tree_gets_only_one_folder_of_another_tree"
MERGE = GIT + "test_a_merge_always_takes_the_workflows_of_the_base"

REFUSAL_FAULTS = [
    PlantedFault(
        "adapters/git/mirror_git.py",
        "            theirs = without_workflows(self._git, at, base, head)\n",
        "            theirs = head\n",
        MERGE,
    ),
    PlantedFault(
        "adapters/git/trees.py",
        "            if graft is not None:\n                entries[name] = graft\n",
        "",
        FOLDER,
    ),
    PlantedFault(
        "adapters/git/trees.py",
        "        for name, graft in wanted.grafts.items():\n            entries.pop(name, None)\n",
        "        for name, graft in wanted.grafts.items():\n",
        FOLDER,
    ),
    PlantedFault(
        "core/values/github_refusal.py",
        '            r"push cannot contain secrets|push protection|secret detected|\\bGH009\\b",\n',
        '            r"\\bGH009\\b",\n',
        WORDS + "test_refusals_of_github_are_classified_by_their_text",
    ),
    PlantedFault(
        "core/values/github_refusal.py",
        "        return self not in {RefusalKind.WORKFLOWS, RefusalKind.STALE}\n",
        "        return True\n",
        TOLD + "test_a_refusal_about_workflows_asks_for_no_action",
    ),
    PlantedFault(
        "core/values/github_refusal.py",
        '        return tuple(dict.fromkeys(re.sub(r":\\d+$", "", path) for path in self.paths))\n',
        "        return self.paths\n",
        WORDS + "test_the_places_of_secrets_and_the_page_that_allows_them_are_read",
    ),
    PlantedFault(
        "shell/failure.py",
        "    if refusal is not None and refusal.kind.is_mended_by_people:\n",
        "    if False:\n",
        WAITS + "test_a_refused_push_is_retried_with_growing_delays",
    ),
    PlantedFault(
        "core/journal/evolve_pauses.py",
        "    delays = {key: delay for key, delay in state.delays.items() if delay.refusal is None}\n",
        "    delays = state.delays\n",
        WAITS + "test_resume_retries_a_refused_push_at_once",
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "    if pauses or refused or stopped:\n",
        "    if pauses or stopped:\n",
        WAITS + "test_resume_retries_a_refused_push_at_once",
    ),
    PlantedFault(
        "core/talk/now_text.py",
        "    if reason.refusal is not None and reason.refusal.kind.is_mended_by_people:\n",
        "    if False:\n",
        TOLD + "test_a_refused_push_is_shown_in_the_tracking_issue",
    ),
    PlantedFault(
        "core/decide/people/publish.py",
        "        or change.was_refused\n",
        "",
        TOLD + "test_a_refused_push_is_shown_in_the_issue_of_the_change",
    ),
    PlantedFault(
        "core/state/reason.py",
        "        cause = Cause.DELAYED if delay.refusal is None else Cause.PUSH_REFUSED\n",
        "        cause = Cause.DELAYED\n",
        TOLD + "test_why_quotes_github_and_names_the_next_try",
    ),
    PlantedFault(
        "core/decide/changes/refused_pushes.py",
        " or not delay.refusal.kind.is_of_the_work:\n",
        ":\n",
        WORK + "test_retry_keeps_work_that_a_rule_refused",
    ),
    PlantedFault(
        "core/decide/changes/refused_pushes.py",
        "        decision.emit(EffectRefused(key=effect.key, sentence=sentence))\n",
        "",
        WORK + "test_retry_orders_an_agent_with_the_refused_files",
    ),
    PlantedFault(
        "core/decide/people/press_buttons.py",
        "        elif pressed.role.covers(ROWS[Verb.RETRY].role or Role.WRITE):\n",
        "        elif True:\n",
        PRESSED + "TestButtons::test_a_button_has_no_effect_without_write_access",
    ),
    PlantedFault(
        "core/decide/people/press_buttons.py",
        " and not (order is not None and order.is_open)\n",
        "\n",
        PRESSED + "TestReRun::test_pressing_re_run_twice_orders_the_gates_once",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "    again = Adoption(sha=adoption.sha, is_first=adoption.is_first)\n",
        "    again = adoption\n",
        PRESSED + "TestReRun::test_re_run_of_a_red_main_judges_it_again",
    ),
    PlantedFault(
        "core/state/webhook.py",
        """    if sender.get("type") != "User" or button not in set(Button):\n""",
        "    if button not in set(Button):\n",
        PRESSED + "TestDeliveries::test_other_check_run_deliveries_give_no_hint",
    ),
]
