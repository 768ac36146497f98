"""Faults in the sandbox and in the harness around it, for every attack from inside that has no other."""

from tests.testkit.planting import PlantedFault

INSIDE = "test_sandbox.py::"
WAY = "test_agent_attacks.py::"
TREES = "test_hostile_trees.py::"
ENVIRONMENT = (
    "env={**self._view.env, **command.env},",
    "env={**os.environ, **self._view.env, **command.env},",
)
NETWORK = ('        "--unshare-all",\n', '        "--unshare-all",\n        "--share-net",\n')
LEFT_RUNNING = (
    "        if ended == child:\n",
    "        if ended == child and not own_children():\n",
)
OWN_GIT = ('"GIT_DIR": str(git_dir),', '"GIT_DIR": str(tree / ".git"),')
EDIT_PATH = ("path = (tree / named).resolve()", "path = (tree / named).absolute()")
RECURSION = (
    "    for met in walk(root):\n        with contextlib.suppress(OSError):\n            if met.step is",
    "    import shutil\n\n    shutil.rmtree(root)\n    for met in ():\n"
    "        with contextlib.suppress(OSError):\n            if met.step is",
)

SANDBOX_FAULTS = [
    PlantedFault(
        "sandbox/sandbox.py",
        "                    _wait(process, command.timeout_seconds)\n",
        "                    process.wait(command.timeout_seconds)\n",
        INSIDE + "test_the_end_of_a_command_is_noticed_at_once",
    ),
    PlantedFault(
        "sandbox/sandbox.py",
        "        if not waiting.poll(seconds * 1000):\n",
        "        if waiting.poll(seconds * 1000) is None:\n",
        INSIDE + "test_the_end_of_a_command_is_noticed_at_once",
    ),
    # Who and what a command is.
    PlantedFault(
        "sandbox/enter.py",
        '            drop_to(plan["uid"])\n',
        "",
        INSIDE + "test_a_command_runs_without_privileges",
    ),
    PlantedFault(
        "sandbox/enter.py",
        'check(libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0), "prctl")',
        "pass",
        INSIDE + "test_no_privilege_can_be_gained",
    ),
    PlantedFault(
        "sandbox/sandbox.py", *ENVIRONMENT, INSIDE + "test_the_environment_is_an_allow_list"
    ),
    PlantedFault(
        "sandbox/view.py",
        "{name: outer[name] for name in ENVIRONMENT_ALLOWED if name in outer}",
        "dict(outer)",
        INSIDE + "test_the_environment_is_an_allow_list",
    ),
    # What it sees and reaches.
    PlantedFault(
        "sandbox/enter.py",
        'mount("proc", f"{STAGE}/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)',
        'mount("/proc", f"{STAGE}/proc", "", MS_BIND | MS_REC)',
        INSIDE + "test_no_process_of_the_machine_can_be_seen_or_read",
    ),
    PlantedFault(
        "sandbox/enter.py", *NETWORK, INSIDE + "test_only_the_loopback_network_is_available"
    ),
    PlantedFault(
        "sandbox/enter.py",
        *NETWORK,
        INSIDE + "test_abstract_sockets_of_the_machine_cannot_be_reached",
    ),
    PlantedFault(
        "sandbox/view.py",
        'SYSTEM_FOLDERS = ("/usr", ',
        'SYSTEM_FOLDERS = ("/usr", "/var", ',
        INSIDE + "test_files_outside_the_tree_can_be_neither_written_nor_seen",
    ),
    PlantedFault(
        "sandbox/enter.py",
        'how = "--bind" if bind["writable"] else "--ro-bind"',
        'how = "--bind"',
        INSIDE + "test_shown_folders_are_read_only_even_if_writable_outside",
    ),
    PlantedFault(
        "sandbox/enter.py",
        '(0 if bind["writable"] else MOUNT_ATTR_RDONLY)',
        "0",
        INSIDE + "test_shown_folders_are_read_only_even_if_writable_outside",
    ),
    PlantedFault(
        "harness/folder.py",
        "for path in (self.given, *also_shown)]",
        "for path in (self.root, *also_shown)]",
        INSIDE + "test_the_harness_own_folder_is_not_shown",
    ),
    PlantedFault(
        "sandbox/view.py",
        "candidates += [entry.parent / name for name in TOOL_FOLDERS]",
        "candidates.append(entry.parent)",
        INSIDE + "test_the_view_shows_tools_but_not_the_credentials_beside_them",
    ),
    PlantedFault(
        "agents/edit_program.py",
        *EDIT_PATH,
        INSIDE + "test_the_edit_tool_does_not_follow_a_symlink_out_of_the_tree",
    ),
    PlantedFault(
        "agents/edit_program.py",
        *EDIT_PATH,
        INSIDE + "test_the_edit_program_refuses_paths_outside_the_tree",
    ),
    # How it ends.
    PlantedFault(
        "sandbox/inside.py",
        *LEFT_RUNNING,
        INSIDE + "test_a_background_process_does_not_outlive_its_command",
    ),
    PlantedFault(
        "sandbox/sandbox.py",
        "_wait(process, command.timeout_seconds)",
        "_wait(process, 20 * command.timeout_seconds)",
        INSIDE + "test_a_timeout_kills_processes_that_ignore_signals",
    ),
    PlantedFault(
        "sandbox/enter.py",
        '        check(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")\n'
        '        if plan["kind"] == "bubblewrap":',
        '        if plan["kind"] == "bubblewrap":',
        INSIDE + "test_the_sandbox_ends_with_the_harness",
    ),
    PlantedFault(
        "sandbox/inside.py",
        "        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)\n",
        "",
        INSIDE + "test_no_process_survives_even_without_a_sandbox",
    ),
    PlantedFault(
        "sandbox/choice.py",
        "if rule is SandboxRule.NONE_ALLOWED:",
        "if True:",
        INSIDE + "test_without_a_working_sandbox_the_refusal_names_the_package_to_install",
    ),
    # How much it may have.
    PlantedFault(
        "sandbox/sandbox.py",
        '"NPROC": self.processes_max,',
        '"NPROC": 100_000,',
        INSIDE + "test_a_fork_bomb_is_limited_and_killed",
    ),
    PlantedFault(
        "sandbox/sandbox.py",
        '"FSIZE": self.file_bytes_max,',
        '"FSIZE": 10**12,',
        INSIDE + "test_files_and_memory_are_limited",
    ),
    PlantedFault(
        "sandbox/sandbox.py",
        '"DATA": self.memory_bytes_max,',
        '"DATA": 10**12,',
        INSIDE + "test_files_and_memory_are_limited",
    ),
    PlantedFault(
        "sandbox/sandbox.py",
        "del self._kept[:-OUTPUT_TAIL_BYTES]",
        "del self._kept[: -10 * OUTPUT_TAIL_BYTES]",
        INSIDE + "test_the_sandbox_keeps_only_the_end_of_a_large_output",
    ),
    PlantedFault(
        "sandbox/enter.py",
        'options = f"mode=1777,size={SHARED_MEMORY_BYTES}"',
        'options = "mode=1777"',
        "test_sandbox_limits.py::test_shared_memory_is_bounded",
    ),
]

WAY_FAULTS = [
    PlantedFault(
        "sandbox/sandbox.py", *ENVIRONMENT, WAY + "test_no_secret_can_be_found_from_inside"
    ),
    PlantedFault(
        "sandbox/sandbox.py",
        "            self._on_output(chunk)\n",
        "            self._on_output(chunk)\n            os.write(1, chunk)\n",
        WAY + "test_the_workflows_command_files_cannot_be_reached",
    ),
    PlantedFault(
        "harness/git.py",
        *OWN_GIT,
        WAY + "test_planted_hooks_filters_and_configuration_never_run",
    ),
    PlantedFault(
        "harness/git.py", *OWN_GIT, WAY + "test_a_git_folder_that_points_elsewhere_is_ignored"
    ),
    PlantedFault(
        "harness/git.py", *OWN_GIT, WAY + "test_history_that_the_agent_rewrote_is_ignored"
    ),
    PlantedFault(
        "harness/work.py",
        'return "is a symbolic link that leads out of the tree" if is_outside else ""',
        'return ""',
        WAY + "test_harmful_files_are_refused_before_they_are_committed",
    ),
    PlantedFault(
        "harness/work.py",
        "    if size > BUNDLE_BYTES_MAX:\n",
        "    if False:\n",
        WAY + "test_work_that_is_too_large_as_a_whole_is_refused",
    ),
    PlantedFault(
        "sandbox/inside.py",
        *LEFT_RUNNING,
        WAY + "test_a_surviving_process_cannot_change_the_work_afterwards",
    ),
    PlantedFault(
        "harness/egress.py",
        "not is_listed(self.server.hosts, host, port)",
        "False",
        WAY + "test_setup_reaches_only_listed_hosts_and_the_agent_reaches_none",
    ),
    PlantedFault(
        "harness/egress.py",
        "    if not hosts:\n",
        "    if False:\n",
        WAY + "test_without_listed_hosts_setup_has_no_network",
    ),
    PlantedFault(
        "harness/work.py",
        "        remove(own)\n    shutil.copytree(folder.git, own, symlinks=True)\n",
        "        pass\n    shutil.copytree(folder.git, own, symlinks=True, dirs_exist_ok=True)\n",
        WAY + "test_setup_cannot_redirect_writes_of_the_harness",
    ),
    PlantedFault(
        "action/command_line.py",
        "ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)",
        "ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)",
        WAY + "test_the_harness_memory_is_closed_to_its_own_user",
    ),
    PlantedFault(
        "harness/git.py",
        "            source.clone_url,\n",
        '            source.clone_url.replace("://", f"://x:{source.read_token}@"),\n',
        "test_our_own_machines.py::test_the_harness_passes_no_token_on_a_command_line",
    ),
    PlantedFault(
        "sandbox/trees.py",
        *RECURSION,
        TREES + "test_deeply_nested_folders_lose_neither_the_work_nor_the_report",
    ),
    PlantedFault(
        "sandbox/trees.py", *RECURSION, TREES + "test_nested_folders_of_a_candidate_end_as_a_report"
    ),
    PlantedFault(
        "sandbox/trees.py",
        "entry.is_dir(follow_symlinks=False)",
        "entry.is_dir()",
        TREES + "test_an_unreadable_folder_is_removed_completely",
    ),
]
