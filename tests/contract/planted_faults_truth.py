"""A fault for every guard of `make truth`, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

TRUTH = "test_truth.py::"
READY = TRUTH + "test_wrong_arguments_are_answered_with_the_next_step"
ITSELF = TRUTH + "test_localhub_does_not_differ_from_itself_and_is_left_as_it_was"
LEFT = TRUTH + "test_an_interrupted_run_cleans_up_and_a_killed_one_is_cleaned_up_later"
PLANTED = TRUTH + "test_only_the_planted_difference_is_reported"

PLANTED_FAULTS = [
    PlantedFault(
        "tests/contract/scratch.py",
        'if "truth" not in self._name.partition("/")[2]:',
        "if not self._name:",
        READY,
    ),
    PlantedFault(
        "tests/contract/scratch.py",
        "            raise NotReady(\n"
        '                f"{self._name} has open issues or pulls: close them, or take an empty one."\n'
        "            )\n",
        "            pass\n",
        TRUTH + "test_a_repository_with_work_in_it_is_refused",
    ),
    PlantedFault(
        "tests/contract/scratch.py",
        "        finally:\n            self._tidy(self._begin)\n",
        "        finally:\n            pass\n",
        ITSELF,
    ),
    PlantedFault(
        "tests/contract/scratch.py",
        '            self._tidy(str(mark.json()["object"]["sha"]))\n',
        "            pass\n",
        LEFT,
    ),
    PlantedFault(
        "tests/contract/scratch.py",
        'ask("PATCH", "git/refs/heads/main", {"sha": begin, "force": True})',
        "pass",
        ITSELF,
    ),
    PlantedFault(
        "tests/contract/truth.py",
        'if address.scheme != "https" and address.hostname not in _LOOPBACK:',
        "if not address.scheme:",
        READY,
    ),
    PlantedFault(
        "tests/contract/truth.py",
        "if yours.status_code == 403 and message(yours).startswith(_NO_PERMISSION):",
        "if yours.status_code == 402:",
        TRUTH + "test_a_missing_app_permission_is_reported_with_the_request_that_needs_it",
    ),
    PlantedFault(
        "tests/contract/truth.py",
        "if line and line not in told:",
        "if not line:",
        PLANTED,
    ),
    PlantedFault(
        "tests/contract/differences.py",
        '        elif key != "[]":\n            yield at\n',
        "        else:\n            yield at\n",
        TRUTH + "test_null_and_missing_values_are_not_a_difference",
    ),
    PlantedFault(
        "tests/contract/differences.py",
        "        if value is not None:\n",
        "        if True:\n",
        TRUTH + "test_null_and_missing_values_are_not_a_difference",
    ),
]
