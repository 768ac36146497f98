"""Faults in what keeps a stranger's commits from costing the server."""

from tests.testkit.planting import PlantedFault

COMMITS = "test_hostile_commits.py::"

COMMIT_FAULTS = [
    PlantedFault(
        "adapters/git/trees.py",
        "        except OutputTooLong:\n            return False\n",
        "        except OutputTooLong:\n            return True\n",
        COMMITS + "test_a_tree_bomb_of_a_pull_is_refused_quickly",
    ),
    PlantedFault(
        "adapters/git/commits.py",
        '"merge.renameLimit={_RENAMES_MAX}"',
        '"merge.renameLimit=7000"',
        COMMITS + "test_rename_detection_is_limited",
    ),
]
