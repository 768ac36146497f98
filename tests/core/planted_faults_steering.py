"""A fault for each way in which a file comes to steer: taken in, beside a script, configured, behind a link."""

from tests.testkit.planting import PlantedFault

FILES = "core/spec/test_steering.py::"
STEERING = "core/spec/steering/"
TAKEN = FILES + "test_a_line_takes_words_and_expectations_from_files"
BESIDE = FILES + "test_files_imported_by_a_script_are_named"
CONFIGURED = FILES + "test_files_named_in_a_runner_configuration_are_named"
KNOWN = FILES + "test_files_that_runners_read_by_their_names"
SHADOWING = FILES + "test_new_files_that_a_runner_would_take_for_its_own"
BEHIND = FILES + "test_targets_of_symlinks_are_named"

STEERING_FAULTS = [
    PlantedFault(
        f"{STEERING}read_in.py", 'yield from _words(match[1] or match[2] or "")', "pass", TAKEN
    ),
    PlantedFault(
        f"{STEERING}read_in.py", "yield match[1] or match[2]", 'yield match[2] or ""', TAKEN
    ),
    PlantedFault(
        f"{STEERING}read_in.py", "(_PIPED, _COMPARES, _INCLUDES)", "(_COMPARES, _INCLUDES)", TAKEN
    ),
    PlantedFault(
        f"{STEERING}read_in.py", "(_PIPED, _COMPARES, _INCLUDES)", "(_PIPED, _INCLUDES)", TAKEN
    ),
    PlantedFault(
        f"{STEERING}read_in.py", "(_PIPED, _COMPARES, _INCLUDES)", "(_PIPED, _COMPARES)", BESIDE
    ),
    PlantedFault(
        f"{STEERING}named_files.py", "yield from filter(_is_pattern, words)", "pass", TAKEN
    ),
    PlantedFault(f"{STEERING}named_files.py", "if one.endswith(_SCRIPTS))", "if one)", TAKEN),
    PlantedFault(
        f"{STEERING}find.py", "        if path.endswith(_CODE):\n", "        if not path:\n", BESIDE
    ),
    PlantedFault(
        f"{STEERING}beside.py",
        "    return frozenset(named | set(_imported(path, text, near)))\n",
        "    return frozenset(named)\n",
        BESIDE,
    ),
    PlantedFault(f"{STEERING}beside.py", ' or f"{folder}/__init__.py" in paths', "", BESIDE),
    PlantedFault(f"{STEERING}beside.py", "named | set(", "set(", BESIDE),
    PlantedFault(
        f"{STEERING}configured.py", "    yield from _PLUGIN.findall(text)\n", "", CONFIGURED
    ),
    PlantedFault(
        f"{STEERING}configured.py",
        "for listed in _PLUGINS.findall(text)",
        "for listed in ()",
        CONFIGURED,
    ),
    PlantedFault(
        f"{STEERING}configured.py",
        "for module in _HOOKS.findall(text)",
        "for module in ()",
        CONFIGURED,
    ),
    PlantedFault(
        f"{STEERING}configured.py", "    yield from _IMPORTED.findall(text)\n", "", CONFIGURED
    ),
    PlantedFault(
        f"{STEERING}configured.py",
        'package_settings(content) if name == "package.json" else text',
        "text",
        CONFIGURED,
    ),
    PlantedFault(f"{STEERING}known_parts.py", 'frozenset({"default"})', "frozenset()", KNOWN),
    PlantedFault(
        f"{STEERING}known_parts.py",
        '_GO_REQUIRES.sub("", _GO_COMMENT',
        '(lambda _, t: t)("", _GO_COMMENT',
        KNOWN,
    ),
    PlantedFault(
        f"{STEERING}known_parts.py",
        'tables.get("lib"), _STEERING_TARGET',
        'tables.get("lib"), frozenset()',
        KNOWN,
    ),
    PlantedFault(
        f"{STEERING}known_files.py",
        '        if posixpath.basename(folder) == "vendor" and f',
        "        if False and f",
        FILES + "test_vendored_packages_are_steering_files_if_their_tools_say_so",
    ),
    PlantedFault(
        f"{STEERING}shadows.py",
        'any(part.endswith(_INSTALLED) for part in path.split("/"))',
        "not path",
        SHADOWING,
    ),
    PlantedFault(
        f"{STEERING}shadows.py", " for path in started} | first", " for path in started}", SHADOWING
    ),
    PlantedFault(
        f"{STEERING}shadows.py",
        "path not in paths and",
        "not path and",
        FILES + "test_a_symlink_counts_as_a_folder_of_its_name",
    ),
    PlantedFault(f"{STEERING}tree_links.py", "        via.append(link)\n", "", BEHIND),
    PlantedFault(
        f"{STEERING}tree_links.py",
        "found |= {link + path[len(target) :]: (*via, path) for path in below}",
        "pass",
        BEHIND,
    ),
    PlantedFault(
        f"{STEERING}find.py",
        "    found = {path for path in links.aliases if is_read_by_name(path)}\n",
        "    found: set[str] = set()\n",
        BEHIND,
    ),
    PlantedFault(
        f"{STEERING}find.py",
        "        or is_vendored(path, change.base)\n",
        "",
        FILES + "test_vendored_packages_are_steering_files_if_their_tools_say_so",
    ),
    PlantedFault(
        f"{STEERING}find.py",
        "roots_of(lines).union(",
        "frozenset[str]().union(",
        FILES + "test_import_folders_of_python_are_read_from_commands_and_configuration",
    ),
    PlantedFault(
        "shell/steering.py",
        "        import_roots(judged.gate_lines, said),\n",
        "",
        "cheats/test_steering_files.py::test_a_cheat_is_stopped[W-21]",
    ),
    PlantedFault(
        "shell/steering.py",
        " | named_by_configuration(said, links)",
        "",
        "cheats/test_steering_files.py::test_a_cheat_is_stopped[W-02]",
    ),
]
