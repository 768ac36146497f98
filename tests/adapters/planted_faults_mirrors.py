"""Faults in what keeps a damaged mirror from answering, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

DAMAGED = "adapters/test_damaged_mirrors.py::test_a_damaged_object_does_not_change_results"

LISTED = "adapters/test_git_reading.py::test_few_files_are_listed_once_and_many_each_time"

READING = "adapters/test_git_reading.py::test_"

REFS = "adapters/test_listed_refs.py::test_"

MIRROR_FAULTS = [
    PlantedFault(
        "adapters/git/listed_refs.py",
        " or any(os.environ.get(name) for name in _PROXIES)",
        "",
        REFS + "a_machine_with_a_proxy_asks_by_git[http_proxy]",
    ),
    PlantedFault(
        "adapters/git/listed_refs.py",
        "cafile=certificates",
        "",
        REFS + "a_server_is_trusted_by_the_certificates_that_git_is_given[CURL_CA_BUNDLE]",
    ),
    PlantedFault(
        "adapters/git/listed_refs.py",
        "response.status != 200 or ",
        "",
        REFS
        + "an_answer_of_another_kind_is_left_to_git[application/x-git-upload-pack-result-500 Busy]",
    ),
    PlantedFault(
        "adapters/git/listed_refs.py",
        ' or response.getheader("Content-Type") != _KIND % "result"',
        "",
        REFS + "an_answer_of_another_kind_is_left_to_git",
    ),
    PlantedFault(
        "adapters/git/listed_refs.py",
        "    except (OSError, HTTPException, ValueError):\n        return None\n",
        "    except ZeroDivisionError:\n        return None\n",
        REFS + "a_server_that_is_not_there_is_left_to_git",
    ),
    PlantedFault(
        "adapters/git/listed_refs.py",
        "        except ValueError:\n            return None\n        ref",
        "        except ValueError:\n            return found\n        ref",
        REFS + "half_an_answer_and_nonsense_are_left_to_git",
    ),
    PlantedFault(
        "adapters/git/listed_refs.py",
        "        if ref is None:\n            return None\n",
        "        if ref is None:\n            return found\n",
        REFS + "half_an_answer_and_nonsense_are_left_to_git",
    ),
    PlantedFault(
        "adapters/git/remote.py",
        "            if found is not None:\n                return found\n",
        "",
        REFS + "a_look_at_one_ref_takes_one_request",
    ),
    PlantedFault(
        "adapters/git/mirror_git.py",
        "every = self._small.get((repository.id, tree))",
        "every = None",
        READING + "a_small_tree_is_listed_only_once",
    ),
    PlantedFault(
        "adapters/git/trees.py",
        'path.startswith(f"{one}/")',
        "path.startswith(one)",
        READING + "a_small_tree_is_listed_only_once",
    ),
    PlantedFault(
        "adapters/git/mirror_git.py",
        "    except OSError:\n        # It is being replaced",
        "    except ZeroDivisionError:\n        # It is being replaced",
        READING + "a_mirror_without_its_configuration_is_still_readable",
    ),
    PlantedFault(
        "adapters/git/mirror_git.py",
        "(mirror / _MADE_AT).stat().st_mtime_ns",
        "0",
        READING + "objects_of_a_recreated_mirror_are_looked_up_again",
    ),
    PlantedFault(
        "adapters/git/process.py",
        "            process.wait(max(until - time.monotonic(), 0))\n",
        "",
        "adapters/test_git_process.py::test_git_that_hangs_after_its_output_is_stopped",
    ),
    PlantedFault(
        "adapters/git/process.py",
        "while waiting.poll(max(until - time.monotonic(), 0) * 1000):",
        "while waiting.poll():",
        "adapters/test_git_process.py::test_a_timeout_ends_git_and_its_children",
    ),
    PlantedFault(
        "adapters/git/process.py",
        "        if time.monotonic() > until:\n",
        "        if False:\n",
        "adapters/test_git_process.py::test_git_with_endless_output_is_stopped",
    ),
    PlantedFault(
        "adapters/git/mirror_git.py",
        "        found = self._listed.get(asked)\n",
        "        found = None\n",
        LISTED,
    ),
    PlantedFault(
        "adapters/git/mirror_git.py",
        "            if len(found) <= _LISTED_FILES_MAX:\n",
        "            if True:\n",
        LISTED,
    ),
    PlantedFault(
        "adapters/git/mirror_git.py",
        "return is_unsure or isinstance(found, GitFailed)",
        "return isinstance(found, GitFailed)",
        DAMAGED + "[main~1:src/cart.py-_imported-half]",
    ),
    PlantedFault(
        "adapters/git/mirror_git.py",
        "return is_unsure or isinstance(found, GitFailed)",
        "return is_unsure",
        DAMAGED + "[main~2-_history-gone]",
    ),
    PlantedFault(
        "adapters/git/mirror_git.py",
        "if _may_be_ours(found) and not self._mirrors.is_whole(repository.id):",
        "if _may_be_ours(found):",
        "adapters/test_damaged_mirrors.py::"
        "test_a_correctly_refused_bundle_does_not_replace_the_mirror",
    ),
    PlantedFault(
        "adapters/git/mirror_git.py",
        "if lacks_objects(answer.complaint):",
        "if False:",
        "adapters/test_damaged_mirrors.py::test_a_fetch_that_builds_on_a_lost_object_succeeds",
    ),
    PlantedFault(
        "adapters/git/loose_objects.py",
        "file.read(_BYTES_MAX), _BYTES_MAX)",
        "file.read(_BYTES_MAX))",
        "adapters/test_loose_objects.py::test_a_large_object_is_left_to_git",
    ),
    PlantedFault(
        "adapters/git/loose_objects.py",
        "    if not reader.eof:\n",
        "    if False:\n",
        "adapters/test_loose_objects.py::test_a_truncated_object_is_left_to_git",
    ),
    PlantedFault(
        "adapters/git/loose_objects.py",
        ' if size == b"%d" % len(content) else None',
        "",
        "adapters/test_loose_objects.py::test_an_object_with_a_wrong_size_is_left_to_git",
    ),
    PlantedFault(
        "adapters/git/loose_objects.py",
        "    except (OSError, zlib.error):\n",
        "    except OSError:\n",
        "adapters/test_loose_objects.py::test_an_object_that_is_not_compressed_is_left_to_git",
    ),
    PlantedFault(
        "adapters/git/commits.py",
        "        self._must_be_whole(base, head)\n",
        "",
        DAMAGED + "[main^{tree}-_merged-gone]",
    ),
    PlantedFault(
        "adapters/git/trees.py",
        "            _must_be_there(read, tree, folder)\n",
        "            pass\n",
        DAMAGED + "[main:src-_edited-gone]",
    ),
    PlantedFault(
        "adapters/git/trees.py",
        '        _must_be_there(there if theirs else {"": there[""]}, other, outer)\n',
        "",
        DAMAGED + "[main:docs-_grafted-gone]",
    ),
    PlantedFault(
        "adapters/git/remote.py",
        "        self.forget(token)\n",
        "",
        "test_git_remote.py::test_a_token_that_was_taken_back_is_replaced_once",
    ),
    PlantedFault(
        "adapters/git/remote.py",
        "or looks_broken(answer.complaint, mirror)",
        "",
        DAMAGED + "[main~1-_pushed-half]",
    ),
    PlantedFault(
        "adapters/git/mirrors.py",
        "return answer.code == 0 or _DAMAGE.search(found) is None",
        "return answer.code == 0",
        "adapters/test_damaged_mirrors.py::"
        "test_a_repository_with_an_odd_history_is_not_cloned_repeatedly",
    ),
    PlantedFault(
        "adapters/git/mirror_git.py",
        'raise Retryable(f"A damaged mirror',
        'raise UserError(f"A damaged mirror',
        DAMAGED + "[main~1-_pushed-half]",
    ),
    PlantedFault(
        "adapters/git/commits.py",
        "if answer.code > 1 or _ERROR.search(answer.complaint):",
        "if answer.code > 1 or answer.complaint:",
        "adapters/test_damaged_mirrors.py::test_a_git_warning_is_not_damage",
    ),
]
