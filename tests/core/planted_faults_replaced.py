"""A fault for each guard of check runs at commits that are not judged any more."""

from tests.testkit.planting import PlantedFault

REPLACED = "core/decide/people/replaced_checks.py"
STORY = "core/test_stories_of_live_gates.py::TestReplaced::"
CANCELLED = STORY + "test_open_check_runs_of_a_replaced_candidate_are_cancelled"

REPLACED_FAULTS = [
    PlantedFault(
        "core/decide/people/publish.py", "    conclude_replaced(decision)\n", "", CANCELLED
    ),
    PlantedFault(REPLACED, "(?::(?P<gate>[^:]+))?)", ")", CANCELLED),
    PlantedFault(
        "core/decide/people/check_runs.py",
        '        digest = f"{OPEN}{sha}:{digest}"\n',
        '        digest = f"{OPEN}{digest}"\n',
        CANCELLED,
    ),
    PlantedFault(
        REPLACED,
        'candidate is None or candidate.number != int(named["number"])',
        "True",
        CANCELLED,
    ),
]
