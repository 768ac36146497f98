"""A fault for every guard of the probe of Cargo, and of tests that stand beside what they test."""

from tests.testkit.planting import PlantedFault

HERE = "test_rust_inline_tests.py::"
ASKED = HERE + "test_a_probed_program_runs_the_requested_test"
FOUND = HERE + "test_inline_tests_are_found_with_their_comments"
MEASURED = (
    "action/test_measure_languages.py::test_rust_tests_are_measured_by_the_faults_they_detect"
)
PLACES = "harness/inline_tests.py"

RUST_FAULTS = [
    PlantedFault(
        "cargo_probe.py", "        if _DID_NOT_PANIC in output:\n", "        if False:\n", ASKED
    ),
    PlantedFault("cargo_probe.py", "splitlines() if is_old else ()", "splitlines()[:0]", ASKED),
    PlantedFault("cargo_probe.py", 'startswith(("assert!",', 'startswith(("panic!",', ASKED),
    PlantedFault("cargo_probe.py", "return max(fitting)[1] if", "return min(fitting)[1] if", ASKED),
    PlantedFault(
        "cargo_probe.py",
        "if len(sources) == 1:",
        "if not sources:",
        HERE + "test_a_rust_file_is_mapped_to_its_modules",
    ),
    PlantedFault("test_guard/rust_inline.py", " and not is_use:", ":", FOUND),
    PlantedFault(
        "test_guard/rust_inline.py", "        start = line_start\n", "        break\n", FOUND
    ),
    PlantedFault(
        "test_guard/rust_inline.py",
        "        kept.append(source[at:start])\n",
        "        kept.append(source[at:end])\n",
        HERE + "test_a_file_gets_the_tests_of_another",
    ),
    PlantedFault(
        "test_guard/rust_inline.py",
        "return any(one.is_test for one",
        "return any(not one.is_test for one",
        HERE + "test_a_test_in_no_module_is_seen",
    ),
    PlantedFault(PLACES, "if number not in theirs}", "}", MEASURED),
    PlantedFault(PLACES, "{**edits.written, **written}", "{**edits.written}", MEASURED),
    PlantedFault(
        "harness/mains_tests.py",
        "Edits({**inline, **mains.written}",
        "Edits({**mains.written}",
        "action/test_tests_of_main.py::test_rust_tests_of_main_include_tests_in_source_files",
    ),
    PlantedFault(
        "harness/test_runners.py",
        "NodeTests(), CargoTest())",
        "NodeTests())",
        "action/test_measure_languages.py::"
        "test_red_tests_of_other_runners_run_again_alone[rust-alone1]",
    ),
]
