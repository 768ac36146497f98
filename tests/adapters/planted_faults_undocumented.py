"""Faults in limits of GitHub that its documentation does not have: bytes of a check run, and plans."""

from tests.testkit.planting import PlantedFault

UNDOCUMENTED_FAULTS = [
    PlantedFault(
        "adapters/github/review_reads.py",
        "            if complaint:\n",
        "            if False:\n",
        "adapters/test_github_graphql.py::test_hidden_review_threads_are_an_error_not_an_empty_list[a part]",
    ),
    PlantedFault(
        "adapters/github/review_reads.py",
        "            if page is None or (page.page.has_next and page.page.end in {None, after}):\n",
        "            if page is None:\n                return ()\n            if False:\n",
        "adapters/test_github_graphql.py::test_hidden_review_threads_are_an_error_not_an_empty_list[no pull]",
    ),
    PlantedFault(
        "adapters/github/review_reads.py",
        " or (page.page.has_next and page.page.end in {None, after})",
        "",
        "adapters/test_github_graphql.py::"
        "test_hidden_review_threads_are_an_error_not_an_empty_list[no next page]",
    ),
    PlantedFault(
        "adapters/github/classify.py",
        '_NAMED.sub("", message)',
        "message",
        "adapters/test_github_classify.py::test_a_check_named_rate_limit_is_not_a_rate_limit",
    ),
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
        "adapters/test_github_truncate.py::test_a_marker_of_many_bytes_stays_and_fits",
    ),
    PlantedFault(
        "localhub/routes/checks.py",
        "len(value.encode()) > OUTPUT_BYTES_MAX",
        "len(value) > OUTPUT_BYTES_MAX",
        "localhub/test_strictness.py::test_check_runs_keep_to_their_limits",
    ),
    PlantedFault(
        "adapters/github/rule_reads.py",
        "            if _NEEDS_A_PLAN not in refused.message.lower():\n",
        "            if True:\n",
        "adapters/test_github_rules.py::test_a_private_repository_of_the_free_plan_has_no_rules",
    ),
]
