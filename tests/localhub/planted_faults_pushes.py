"""A fault for pushes and refs that localhub takes and moves itself, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

PUSHES = "test_plain_pushes.py::"
PLAIN, HOOK = "localhub/plain_pushes.py", "localhub/update_hook.py"
REFS, STORE = "localhub/ref_files.py", "localhub/git_store.py"
REF = "test_ref_files.py::"
AS_GIT = PUSHES + "test_a_plain_push_is_answered_and_kept_as_by_git"
WORK = PUSHES + "test_commits_that_the_hook_may_refuse_are_left_to_the_hook"
MOVES = PUSHES + "test_ref_moves_that_git_may_refuse_are_left_to_git"
ELSE = PUSHES + "test_pushes_with_other_options_are_left_to_git"
PLACES = PUSHES + "test_repositories_that_are_packed_or_share_objects_are_left_to_git"

PLANTED_FAULTS = [
    PlantedFault(PLAIN, "return _report(push) if is_done else None", "return _report(push)", MOVES),
    PlantedFault(
        PLAIN,
        "yield None if done.returncode else Path(name)",
        "yield Path(name)",
        PUSHES + "test_a_push_with_an_invalid_object_is_left_to_git",
    ),
    PlantedFault(PLAIN, "if told - _ABILITIES or not told &", "if not told &", ELSE),
    PlantedFault(PLAIN, 'or not told & {"report-status", "report-status-v2"}:', "or False:", ELSE),
    PlantedFault(PLAIN, "(len(names) > 1 or push.moves[0].deletes)", "len(names) > 1", MOVES),
    PlantedFault(
        PLAIN, "return is_loose and is_alone and is_small", "return is_alone and is_small", PLACES
    ),
    PlantedFault(
        PLAIN, "return is_loose and is_alone and is_small", "return is_loose and is_small", PLACES
    ),
    PlantedFault(PLAIN, "push.count <= _OBJECTS_MAX", "True", WORK),
    PlantedFault(PLAIN, 'if "side-band-64k" not in push.abilities:', "if False:", AS_GIT),
    PlantedFault(
        PLAIN,
        "if not _HEX.fullmatch(length_text) or ",
        "if ",
        PUSHES + "test_a_truncated_push_is_left_to_git",
    ),
    PlantedFault(HOOK, "(?!refs/(heads|tags)/[0-9a-fA-F]{40}$)", "", MOVES),
    PlantedFault(HOOK, "(?=.{1,255}$)", "", MOVES),
    PlantedFault(HOOK, ' - {"contents", "workflows"}:', " and False:", ELSE),
    PlantedFault(HOOK, "if len(new) == _COMMITS_MAX or", "if", WORK),
    PlantedFault(
        HOOK,
        ' or git.type_of(sha) != "commit":',
        ":",
        PUSHES + "test_an_annotated_tag_is_left_to_git",
    ),
    PlantedFault(HOOK, "for sha in [tip, *new]:", "for sha in [tip]:", WORK),
    PlantedFault(
        HOOK,
        "for sha in [tip, *new]:",
        "for sha in new:",
        PUSHES + "test_a_ref_moved_to_old_commits_with_other_workflows_is_left_to_the_hook",
    ),
    PlantedFault(HOOK, "git.commit(sha).parents if sha in new else ()", "()", WORK),
    PlantedFault(HOOK, "        edge += git.commit(sha).parents\n", "", WORK),
    PlantedFault(
        REFS,
        ' and ".lock" not in ref for ref',
        " for ref",
        REF + "test_unusual_ref_names_are_left_to_git",
    ),
    PlantedFault(
        REFS,
        "_USUAL.fullmatch(ref) and ",
        "",
        REF + "test_unusual_ref_names_are_left_to_git",
    ),
    PlantedFault(
        REFS,
        'or (folder / "packed-refs").exists()',
        "or False",
        REF + "test_packed_refs_are_moved_by_git",
    ),
    PlantedFault(REFS, " | os.O_EXCL", "", REF + "test_a_locked_ref_is_not_moved"),
    PlantedFault(
        REFS,
        "            if before not in (None, _held(place)):",
        "            if False:",
        REF + "test_ref_updates_that_git_refuses_are_refused_without_effect",
    ),
    PlantedFault(
        REFS,
        "            lock.unlink(missing_ok=True)\n",
        "            pass\n",
        REF + "test_ref_updates_that_git_refuses_are_refused_without_effect",
    ),
    PlantedFault(
        REFS,
        "            part.rmdir()\n",
        "            pass\n",
        REF + "test_refs_are_moved_as_by_git_without_running_git",
    ),
    PlantedFault(
        REFS,
        "    except OSError:\n        return False\n",
        "    except KeyError:\n        return False\n",
        REF + "test_ref_updates_that_git_refuses_are_refused_without_effect",
    ),
    PlantedFault(
        STORE,
        "        if sound and moved_by_files",
        "        if moved_by_files",
        REF + "test_ref_updates_that_git_refuses_are_refused_without_effect",
    ),
    PlantedFault(
        STORE,
        'and (kind == "commit" or not ref',
        "and (True or not ref",
        REF + "test_a_branch_names_a_commit_and_a_tag_any_object",
    ),
    PlantedFault(
        STORE,
        "        if not self.move_refs([(ref, sha, None)]):",
        "        if self.move_refs([(ref, sha, None)]) is None:",
        REF + "test_ref_updates_that_git_refuses_are_refused_without_effect",
    ),
]
