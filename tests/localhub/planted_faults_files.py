"""A fault for what localhub reads and writes without git, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

OBJECTS, LISTINGS = "test_object_files.py::", "test_ref_listings.py::"
TREES = OBJECTS + "test_a_changed_tree_is_the_one_that_git_makes"
FILES, STORE = "localhub/object_files.py", "localhub/git_store.py"
EDITS = "localhub/tree_edits.py"
READERS = LISTINGS + "test_refs_are_listed_for_readers_as_by_git"
TOLD = "localhub/ref_advertisements.py"

PLANTED_FAULTS = [
    PlantedFault(FILES, 'b"/" if row.mode == FOLDER_MODE else b""', 'b""', TREES),
    PlantedFault(FILES, 'row.mode.lstrip("0")', "row.mode", TREES),
    PlantedFault(EDITS, "        elif is_folder:\n", "        elif False:\n", TREES),
    PlantedFault(
        STORE,
        "        if found is None:\n            head",
        "        if False:\n            head",
        OBJECTS + "test_packed_objects_are_read",
    ),
    PlantedFault(
        STORE,
        "name.strip(_CRUD)",
        "name",
        OBJECTS + "test_a_commit_is_the_one_that_git_makes",
    ),
    PlantedFault(
        EDITS,
        "        if any(_NOT_IN_A_PATH.fullmatch",
        "        if False and any(_NOT_IN_A_PATH.fullmatch",
        OBJECTS + "test_a_path_that_git_cannot_check_out_is_refused",
    ),
    PlantedFault(
        STORE,
        "with suppress(FileNotFoundError):",
        "with suppress(ValueError):",
        LISTINGS + "test_a_ref_packed_during_a_listing_is_still_listed",
    ),
    PlantedFault(TOLD, 'elif "unborn" in lines:', "elif False:", READERS),
    PlantedFault(TOLD, "not prefixes or ref.startswith(prefixes)", "True", READERS),
    PlantedFault(
        TOLD,
        ' and any(ref.startswith("refs/tags/") for ref in refs)',
        " and False",
        LISTINGS + "test_git_itself_peels_tags_and_answers_other_requests",
    ),
    PlantedFault(
        STORE,
        "{line[41:]: line[:40] for line in lines if _SHA.match(line)}",
        "{}",
        LISTINGS + "test_refs_are_listed_for_a_push_as_by_git",
    ),
    PlantedFault(
        "localhub/update_hook.py",
        "len(content) > FILE_BYTES_MAX or _SECRET.search(content)",
        "len(content) > FILE_BYTES_MAX",
        "test_git.py::test_push_protection_looks_at_files_made_by_rest_too",
    ),
]
