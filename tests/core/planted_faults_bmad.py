"""Faults in what is a spec in a folder of BMAD, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

ROOTS = "core/spec/roots.py"
READ = "core/spec/read.py"
UNIT = "core/spec/test_roots.py::"
ONE = UNIT + "test_bmad_planning_files_are_one_spec_without_neighbouring_documents"

BMAD_FAULTS = [
    PlantedFault(
        ROOTS,
        "        if _BMAD_SPEC.match(planned[2]):\n            return planned[1]\n",
        "",
        ONE,
    ),
    PlantedFault(
        ROOTS,
        '        if _BESIDE_BMAD.search(planned[2].rpartition("/")[2]):\n            return None\n',
        "",
        ONE,
    ),
    PlantedFault(
        ROOTS,
        'if _BESIDE_BMAD.search(planned[2].rpartition("/")[2]):',
        "if True:",
        UNIT + "test_a_page_that_bmad_does_not_know_is_a_spec_of_its_own",
    ),
    PlantedFault(
        READ,
        "main or epics or page or [",
        "main or epics or [",
        "core/plan/test_plans_of_authors_lists.py::test_without_epics_a_folder_of_bmad_is_read_by_its_page",
    ),
]
