"""Faults in what a run is said to have come to, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

FILE = "harness/fingerprint.py"
MOVES = "test_fingerprint.py::test_the_fingerprint_changes_only_with_files_of_the_tree"

PLANTED_FAULTS = [
    PlantedFault(FILE, 'walk(tree, without=".git")', "walk(tree)", MOVES),
    PlantedFault(FILE, "status.st_ctime_ns", "status.st_mtime_ns", MOVES),
    PlantedFault(
        FILE, "            self._looked_at = self._clock()\n", "            pass\n", MOVES
    ),
    PlantedFault(
        "agents/rounds.py",
        "        self._red[gate.name] = not ended.is_success\n",
        "        self._red[gate.name] = True\n",
        "test_fingerprint.py::test_a_gate_counts_as_red_until_it_was_green",
    ),
]
