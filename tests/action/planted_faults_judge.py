"""Faults in how the harness lets a gate's line run, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

GATES = "test_gate_order.py::"
LAYERS = "test_layers.py::"
LINE = "harness/gate_line.py"

JUDGE_FAULTS = [
    PlantedFault(
        LINE,
        "    if ended.timed_out:\n",
        "    if ended.timed_out and not ended.output_bytes and not command.line:\n",
        GATES + "test_a_report_counts_only_with_the_ending_that_the_harness_saw",
    ),
    PlantedFault(
        LINE,
        "128 + (ended.signal or 0) if ended.exit_code is None else ended.exit_code",
        "ended.exit_code or 0",
        GATES + "test_a_report_counts_only_with_the_ending_that_the_harness_saw",
    ),
    PlantedFault(
        LINE,
        "    if len(command.line) > walls.SHELL_CHARACTERS_MAX:\n",
        "    if not command.line:\n",
        GATES + "test_a_command_that_cannot_start_could_not_run",
    ),
    PlantedFault(
        LINE,
        '    if "\\0" in command.line:\n',
        "    if not command.line:\n",
        GATES + "test_a_command_that_cannot_start_could_not_run",
    ),
    PlantedFault(
        LINE,
        "            layers=layers,\n",
        "",
        GATES + "test_every_gate_finds_the_checkout_as_setup_left_it",
    ),
    PlantedFault(
        "harness/saved_checkout.py",
        "                remove(part)\n                _copy(self._saved / part.name, part)\n",
        "                pass\n",
        GATES + "test_a_machine_without_overlays_copies_the_checkout",
    ),
    PlantedFault(
        "harness/gate_line.py",
        "        checkout=place.saved.written,\n",
        "        checkout=folder.tree,\n",
        GATES + "test_reports_are_found_in_the_folder_of_the_command",
    ),
    PlantedFault(
        "harness/prepare.py",
        "        before = order.setup_sha if order.setup and order.setup_sha else sha\n",
        "        before = sha\n",
        GATES + "test_setup_runs_on_the_tree_that_the_order_names",
    ),
    PlantedFault(
        "harness/prepare.py",
        "            _backdate(context, git.changed_paths(before, sha))\n",
        "            pass\n",
        GATES + "test_compiled_files_from_main_are_not_used_for_the_candidate",
    ),
    PlantedFault(
        "harness/gate_order.py",
        "        if prepared.planted:\n",
        "        if prepared.failed:\n",
        GATES + "test_a_commit_with_files_in_setups_places_is_not_run",
    ),
    PlantedFault(
        "harness/prepare.py",
        '        or names.covers(f"{path}/")\n',
        "",
        GATES + "test_a_commit_with_files_in_setups_places_is_not_run",
    ),
    PlantedFault(
        "harness/git.py",
        '"read-tree", "--reset", "-u", sha',
        '"read-tree", "--reset", sha',
        GATES + "test_setup_runs_on_the_tree_that_the_order_names",
    ),
    PlantedFault(
        "harness/git.py",
        "        ignore_attributes(self.git_dir)\n",
        "",
        GATES + "test_attributes_of_the_candidate_change_no_file",
    ),
    PlantedFault(
        "harness/layer_store.py",
        "    if not order.setup or not order.setup_sha:\n        return None\n",
        "    order = order.replace(setup_sha=order.setup_sha or order.candidate_sha)\n",
        LAYERS + "test_a_setup_of_the_candidates_own_tree_is_not_cached",
    ),
    PlantedFault(
        "harness/layer_store.py",
        "        lines,\n        sorted(",
        "        sorted(",
        LAYERS + "test_other_setup_commands_or_files_run_setup_again",
    ),
    PlantedFault(
        "harness/layer_store.py",
        "        sorted(files.items()),\n",
        "",
        LAYERS + "test_other_setup_commands_or_files_run_setup_again",
    ),
    PlantedFault(
        "harness/prepare.py",
        "        made = kept.made\n",
        "        made = ()\n",
        LAYERS + "test_a_commit_with_files_in_a_layers_places_is_not_run",
    ),
    PlantedFault(
        "harness/prepare.py",
        "(kept.exclude, *(",
        "(*(",
        LAYERS + "test_an_agent_works_above_a_layer_and_hands_in_only_its_own_files",
    ),
    PlantedFault(
        "sandbox/sandbox.py",
        "command.layers or self.layers",
        "command.layers",
        LAYERS + "test_an_agent_works_above_a_layer_and_hands_in_only_its_own_files",
    ),
]
