"""Faults in what is cut to GitHub's limits, which are bytes for a check run."""

from tests.testkit.planting import PlantedFault

BYTES_FAULTS = [
    PlantedFault(
        "adapters/github/writes.py",
        "cut_markdown_bytes(text.summary, OUTPUT_BYTES_MAX)",
        "cut_markdown(text.summary, OUTPUT_BYTES_MAX)",
        "adapters/test_github_forge.py::test_a_check_run_can_have_any_number_of_annotations",
    ),
    PlantedFault(
        "adapters/github/truncate.py",
        ".encode()) > bytes_max and characters:",
        ".encode()) > bytes_max and False:",
        "adapters/test_github_truncate.py::test_a_text_that_is_cut_by_bytes_fits",
    ),
    PlantedFault(
        "localhub/routes/checks.py",
        "len(value.encode()) > OUTPUT_BYTES_MAX",
        "len(value) > OUTPUT_BYTES_MAX",
        "localhub/test_strictness.py::test_check_runs_keep_to_their_limits",
    ),
]
