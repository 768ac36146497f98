"""Faults in what becomes of a change whose pull or whose landing somebody moved."""

from tests.testkit.planting import PlantedFault

MAIN = "core/test_stories_of_main.py::TestRewound::"
LOST = MAIN + "test_a_landing_lost_from_main_is_reported_until_it_is_back"
POLICY = "core/test_policy.py::"

WALL_CORE_FAULTS = [
    PlantedFault(
        "core/state/off_main.py",
        "    return landed not in _commits",
        "    return landed in _commits",
        LOST,
    ),
    PlantedFault(
        "core/state/off_main.py",
        "earlier = [n for n in range(at) if ledger[n].sha == line.sha]",
        "earlier: list[int] = []",
        MAIN + "test_a_landing_before_the_commit_that_main_went_back_to_is_still_there",
    ),
    PlantedFault(
        "core/decide/people/publish.py",
        "if was_moved_back(decision.state) and run.issue is not None:",
        "if False:",
        LOST,
    ),
    PlantedFault(
        "core/spec/policy.py",
        "return said.allow if isinstance(said, SandboxEntry) else ()",
        "return ()",
        POLICY + "test_a_policy_lists_what_the_sandbox_allows",
    ),
]
