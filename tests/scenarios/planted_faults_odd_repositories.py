"""A fault for every guard of repositories that are not as a first day expects them."""

from tests.testkit.planting import PlantedFault

_ODD = "test_odd_repositories_on_the_first_day.py::"

ODD_FAULTS = [
    PlantedFault(
        "shell/installation.py",
        '        meet(ports, TroubleKind.EMPTY, str(facts.id), "", facts.full_name)\n',
        "",
        _ODD + "test_a_repository_without_a_commit_is_named_and_begins_with_the_first_one",
    ),
    PlantedFault(
        "shell/installation.py",
        "    ports.troubles.over((TroubleKind.EMPTY,), (str(facts.id),))\n",
        "",
        _ODD + "test_a_repository_without_a_commit_is_named_and_begins_with_the_first_one",
    ),
    PlantedFault(
        "shell/intake.py",
        "    if not is_push or repository is None or installation is None:\n",
        "    if True:\n",
        _ODD + "test_a_repository_without_a_commit_is_named_and_begins_with_the_first_one",
    ),
    PlantedFault(
        "core/talk/trouble_text.py",
        "what[0] if name and what.startswith(name) else what[0].upper()",
        "what[0].upper()",
        _ODD + "test_a_repository_without_a_commit_is_named_and_begins_with_the_first_one",
    ),
    PlantedFault(
        "shell/troubles.py",
        "why_and_fix(away), facts.full_name)",
        '"", facts.full_name)',
        _ODD + "test_an_archive_during_the_first_pull_is_waited_for",
    ),
    PlantedFault(
        "shell/selftest.py",
        "            raise _DidNotHold(refused.sentence, text.NOT_STARTED) from refused\n",
        "            raise\n",
        _ODD + "test_a_self_test_says_that_actions_are_switched_off",
    ),
    PlantedFault(
        "localhub/actions/service.py",
        "        if self._starter.is_off(facts):\n",
        "        if False:\n",
        _ODD + "test_actions_that_are_switched_off_are_named_with_the_setting",
    ),
]
