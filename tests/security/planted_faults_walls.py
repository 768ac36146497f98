"""Faults in the walls of the sandbox, in the web door and in what the harness speaks to."""

from tests.testkit.planting import PlantedFault

WALLS = "test_sandbox_limits.py::"
TREES = "test_hostile_trees.py::"
DOOR = "security/test_web_admission.py::"
KEPT = "security/test_file_permissions.py::"
LIES = "security/test_malformed_http_requests.py::"

WALL_FAULTS = [
    PlantedFault(
        "bot/adapters/git/remote.py",
        "        return self.git.attempt(mirror, arguments, options=call)\n",
        '        shown = ("-c", f"a.b={basic}") if token else ()\n'
        "        return self.git.attempt(mirror, (*shown, *arguments), options=call)\n",
        "test_command_lines.py::test_git_command_lines_contain_no_token",
    ),
    PlantedFault(
        "sandbox/bounds.py",
        'if not (_PROC / left.name.removeprefix(GROUP_PREFIX).partition("-")[0]).exists():',
        "if True:",
        WALLS + "test_a_group_of_a_living_harness_is_left_to_it",
    ),
    # Words of others.
    PlantedFault(
        "core/talk/text.py",
        "    return text if _is_closed(text) else _BACKTICKS",
        "    return text if text else _BACKTICKS",
        "test_untrusted_text.py::test_text_shown_as_code_stays_code",
    ),
    PlantedFault(
        "core/talk/text.py",
        "{0,60}(?<![a-z])skip(?![a-z]))|-(?=-skip-)",
        "{0,0}(?<![a-z])skip(?![a-z]))|-(?=-skip-)",
        "test_untrusted_text.py::test_text_of_a_spec_never_skips_checks_or_closes_issues",
    ),
    PlantedFault(
        "core/talk/text.py",
        '        return plain(text)\n    return f"{plain(found[1])} {found[2]}"',
        "        return text\n    return text",
        "test_untrusted_text.py::test_no_name_of_a_person_skips_checks",
    ),
    # What git cannot read of a tree.
    PlantedFault(
        "sandbox/trees.py",
        "elif not stat.S_ISLNK(mode) or _leads_git_astray(met):",
        "elif not stat.S_ISLNK(mode):",
        TREES + "test_endless_links_of_a_repository_are_removed",
    ),
    PlantedFault(
        "sandbox/trees.py",
        "            if stat.S_ISDIR(mode):\n                _give_back(met, mode, stat.S_IRWXU)",
        "            if stat.S_ISDIR(mode):\n                pass",
        TREES + "test_files_without_read_permission_are_read_and_links_are_kept",
    ),
    PlantedFault(
        "harness/git.py",
        "        keep_readable(self._tree)\n",
        "",
        TREES + "test_a_pipe_is_removed_when_a_tree_is_listed",
    ),
    PlantedFault(
        "harness/work.py",
        "    faults |= dict.fromkeys(git.not_staged(wanted), _NOT_HELD)\n",
        "",
        TREES + "test_files_that_git_cannot_read_do_not_lose_the_work",
    ),
    PlantedFault(
        "harness/git.py",
        '"update-index", "--add", "--replace", "-z", "--stdin", stdin=new)',
        '"--literal-pathspecs", "add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul", stdin=new)',
        TREES + "test_many_files_are_staged_in_linear_time",
    ),
    PlantedFault(
        "harness/work.py",
        "    faults |= dict.fromkeys(large, _TOO_LARGE)\n",
        "",
        TREES + "test_files_that_git_cannot_read_do_not_lose_the_work",
    ),
    # The runner's keys.
    PlantedFault(
        "sandbox/inside.py",
        "    number = KEYCTL_BY_MACHINE.get(os.uname().machine)\n",
        "    number = None\n",
        WALLS + "test_the_keys_of_the_runners_session_stay_outside",
    ),
    # Calls.
    PlantedFault(
        "sandbox/inside.py",
        'if plan["filter"]:',
        "if False:",
        WALLS + "test_unneeded_system_calls_are_refused",
    ),
    PlantedFault(
        "sandbox/seccomp.py",
        "yield from _refuse((*machine.keys, *machine.kernel), errno.EPERM)",
        "yield from _refuse(machine.kernel, errno.EPERM)",
        WALLS + "test_unneeded_system_calls_are_refused",
    ),
    PlantedFault(
        "sandbox/seccomp.py",
        "for number in (machine.clone, machine.unshare):",
        "for number in (machine.clone,):",
        WALLS + "test_no_user_namespace_can_be_made_inside",
    ),
    PlantedFault(
        "sandbox/seccomp.py",
        "yield from _allow_only(number, _FAMILIES)",
        "yield from ()",
        WALLS + "test_unneeded_system_calls_are_refused",
    ),
    PlantedFault(
        "sandbox/seccomp.py",
        "yield (_IS_AT_LEAST, 0, 1, machine.foreign_from)",
        "yield (_IS_AT_LEAST, 0, 1, 0xFFFFFFFF)",
        WALLS + "test_system_calls_of_another_architecture_end_the_process",
    ),
    PlantedFault(
        "sandbox/seccomp.py",
        "if SandboxAllowance.USER_NAMESPACES not in allowed:",
        "if True:",
        WALLS + "test_a_policy_can_allow_a_system_call_by_name",
    ),
    PlantedFault(
        "sandbox/choice.py",
        "if filter_here() is None:",
        "if False:",
        WALLS + "test_an_unknown_machine_architecture_has_no_sandbox",
    ),
    # Names.
    PlantedFault(
        "harness/folder.py",
        "        readable += self._names(user_inside(kind) or os.geteuid())\n",
        "",
        WALLS + "test_the_user_inside_has_a_name_and_git_an_author",
    ),
    # Memory and disk.
    PlantedFault(
        "sandbox/enter.py",
        'if plan["group"]:',
        "if False:",
        WALLS + "test_memory_of_all_processes_together_is_bounded",
    ),
    PlantedFault(
        "sandbox/bounds.py",
        "self.sentence = self._disk(free_before) or self._memory()",
        "self.sentence = self._disk(free_before)",
        WALLS + "test_memory_of_all_processes_together_is_bounded",
    ),
    PlantedFault(
        "sandbox/bounds.py",
        "if before - free > limit and holds_more_than(folder, limit):",
        "if False:",
        WALLS + "test_files_of_a_command_together_are_bounded",
    ),
    PlantedFault(
        "sandbox/bounds.py",
        "if free < min(DISK_LEFT_BYTES, before // 2):",
        "if False:",
        WALLS + "test_a_nearly_full_disk_ends_the_command",
    ),
    PlantedFault(
        "sandbox/bounds.py",
        "return bound if bound <= enough else",
        "return bound if True else",
        WALLS + "test_shared_memory_of_processes_counts_once",
    ),
    PlantedFault(
        "sandbox/sandbox.py",
        "                group.remove()\n",
        "                pass\n",
        WALLS + "test_no_process_group_of_a_command_remains",
    ),
    # Trees.
    PlantedFault(
        "sandbox/trees.py",
        '                parent = os.open("..", _FOLDER, dir_fd=current)\n                os.close(current)\n',
        '                parent = os.open("..", _FOLDER, dir_fd=current)\n',
        TREES + "test_a_deep_tree_is_walked_given_and_removed_with_few_descriptors",
    ),
    PlantedFault(
        "harness/folder.py",
        "    remove_abandoned(Path(parent or tempfile.gettempdir()))\n",
        "",
        TREES + "test_files_of_a_killed_harness_are_removed_by_the_next_order",
    ),
    PlantedFault(
        "harness/folder.py",
        "                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)\n",
        "",
        TREES + "test_the_folder_of_a_running_harness_is_not_removed",
    ),
    PlantedFault(
        "harness/session.py",
        "except Exception as failure:  # noqa: BLE001 - whatever a tree can be, the server is told",
        "except ZeroDivisionError as failure:",
        TREES + "test_every_failure_of_the_harness_is_reported",
    ),
    # Addresses.
    PlantedFault(
        "harness/addresses.py",
        "if listed and url.rstrip",
        "if False and url.rstrip",
        TREES + "test_a_runner_works_only_for_listed_servers",
    ),
    PlantedFault(
        "harness/git.py",
        "if refused := refusal_of_url(source.clone_url, source.plain_http):",
        'if refused := "":',
        TREES + "test_an_order_cannot_fetch_from_another_kind_of_address",
    ),
]

DOOR_FAULTS = [
    PlantedFault(
        "sandbox/bounds.py",
        "shared = now - self._shared_before",
        "shared = 0",
        "test_sandbox_limits.py::test_memory_that_belongs_to_no_process_is_limited",
    ),
    PlantedFault(
        "sandbox/bounds.py",
        "self._shared_before = min(self._shared_before, now)",
        "now = max(self._shared_before, now)",
        "test_sandbox_limits.py::test_memory_freed_late_by_an_earlier_command_does_not_raise_the_limit",
    ),
    PlantedFault(
        "sandbox/bounds.py",
        "if _shared_memory() <= self._shared_before + _LEFT_BYTES:",
        "if _shared_memory():",
        "test_sandbox_limits.py::test_the_next_command_begins_when_shared_memory_was_given_back",
    ),
    PlantedFault(
        "sandbox/bounds.py",
        " - _seen_in_memory()\n",
        "\n",
        "test_sandbox_limits.py::test_files_of_other_processes_in_memory_do_not_end_a_command",
    ),
    PlantedFault(
        "entry/web/keep_alive.py",
        "return _unread_bytes(self.sock) > UNREAD_BYTES_MAX",
        "return False",
        "test_malformed_http_requests.py::test_a_client_that_does_not_read_blocks_no_thread",
    ),
    PlantedFault(
        "entry/web/keep_alive.py",
        'getattr(reader, "length", None) == 0 and not buffer.tell()',
        "reader is not None",
        LIES + "test_plain_requests_on_one_connection_are_answered_in_order",
    ),
    PlantedFault(
        "entry/web/keep_alive.py",
        "elif seen is None or len(seen) < found.wanted:",
        "elif seen is None:",
        LIES + "test_a_content_length_of_many_digits_blocks_no_thread",
    ),
    PlantedFault(
        "entry/web/keep_alive.py",
        "            if deadline > now:\n                break\n            self._drop(conn)",
        "            if deadline > now:\n                break",
        DOOR + "test_requests_that_arrive_too_slowly_are_dropped",
    ),
    PlantedFault(
        "entry/web/keep_alive.py",
        "                    conn.sock.shutdown(socket.SHUT_RD)",
        "                    pass",
        DOOR + "test_requests_that_arrive_too_slowly_are_dropped",
    ),
    PlantedFault(
        "entry/web/admission.py",
        "if name and self._count[name] >= self._max:",
        "if False:",
        DOOR + "test_an_address_has_its_share_of_connections_and_a_proxy_any_number",
    ),
    PlantedFault(
        "entry/web/keep_alive.py",
        "if is_full or self._large[conn.sender] >= LARGE_OF_A_SENDER:",
        "if is_full:",
        DOOR + "test_slow_senders_of_large_bodies_do_not_block_others",
    ),
    PlantedFault(
        "entry/web/keep_alive.py",
        "            self._large[conn.sender] -= 1\n            self._admit_large()",
        "            self._large[conn.sender] -= 1",
        DOOR + "test_slow_senders_of_large_bodies_do_not_block_others",
    ),
    PlantedFault(
        "entry/web/admission.py",
        "if peer is None or not self._is_free(peer):",
        "if peer is None:",
        DOOR + "test_the_forwarded_address_is_trusted_only_from_a_proxy",
    ),
    PlantedFault(
        "entry/web/admission.py",
        'reversed(said.split(","))',
        'said.split(",")',
        DOOR + "test_the_forwarded_address_is_trusted_only_from_a_proxy",
    ),
    PlantedFault(
        "entry/web/admission.py",
        "content-length:[ \\t]*(\\d+)[ \\t]*",
        "content-length:[ \\t]*(\\d{1,15})[ \\t]*",
        LIES + "test_a_content_length_of_many_digits_blocks_no_thread",
    ),
    PlantedFault(
        "entry/web/admission.py",
        'said[1].lstrip(b"0")[:_DIGITS]',
        "said[1][:_DIGITS]",
        DOOR + "test_the_expected_size_is_computed_from_the_first_bytes",
    ),
    # What gunicorn can be told to let through.
    PlantedFault(
        "entry/web/keep_alive.py",
        "        _stay_on_one_core()\n        # One",
        "        self.cfg.set('permit_obsolete_folding', True)\n        # One",
        LIES + "test_a_request_that_can_be_read_in_two_ways_is_refused",
    ),
    PlantedFault(
        "entry/web/oidc.py",
        "refresh=not is_fresh",
        "refresh=True",
        DOOR + "test_unknown_keys_do_not_ask_the_issuer_each_time",
    ),
    PlantedFault(
        "entry/commands/processes.py",
        "    os.umask(_UMASK)\n    settings = Settings()\n",
        "    settings = Settings()\n",
        KEPT + "test_all_files_of_a_server_are_readable_only_by_its_user",
    ),
    PlantedFault(
        "entry/wiring.py",
        "        var.chmod(0o700)\n",
        "        pass\n",
        KEPT + "test_files_of_a_part_started_alone_are_readable_only_by_its_user",
    ),
    PlantedFault(
        "entry/commands/processes.py",
        "    os.umask(_UMASK)\n    configure_log",
        "    configure_log",
        DOOR + "test_a_burst_of_deliveries_is_stored_despite_half_open_sockets_and_big_bodies",
    ),
    PlantedFault(
        "entry/web/webhook.py",
        "if length <= _IN_MEMORY_BYTES:",
        "if True:",
        DOOR + "test_a_large_delivery_is_in_memory_only_once_it_is_signed",
    ),
]
