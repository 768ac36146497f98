"""A fault for every guard of profiles and of the plugins that bring them."""

from tests.testkit.planting import PlantedFault

PROFILES = "gates/test_profiles.py::"
NAMED = PROFILES + "test_a_plugin_that_differs_from_the_policy_passes_no_gate"
FAILS = PROFILES + "test_a_plugin_that_fails_is_an_error_with_a_sentence"

LINTERS = PROFILES + "test_a_linter_is_proposed_if_the_project_has_one"

PROFILE_FAULTS = [
    PlantedFault("profiles/go.py", '        ProposedGate("lint", "go vet ./..."),\n', "", LINTERS),
    PlantedFault("profiles/rust.py", '"[lints" in text', '"[lint]" in text', LINTERS),
    PlantedFault("profiles/python.py", "if setup and re", "if re", LINTERS),
    PlantedFault("profiles/python.py", '("pytest", *linters)', '("pytest",)', LINTERS),
    PlantedFault(
        "profiles/built_in.py",
        "return max(profiles, key=lambda profile: profile.detect(project))",
        "return next(profile for profile in profiles if profile.detect(project))",
        PROFILES + "test_the_strongest_sign_decides",
    ),
    PlantedFault(
        "profiles/profile.py",
        " or self.name in OWN_GATES:",
        ":",
        PROFILES + "test_a_profile_proposes_no_gate_that_a_policy_could_not_have",
    ),
    PlantedFault(
        "profiles/profile.py",
        "if len({gate.name for gate in self.gates}) < len(self.gates):",
        "if not self.gates:",
        PROFILES + "test_a_profile_proposes_each_gate_once",
    ),
    PlantedFault("profiles/profile.py", "if not _HOST.fullmatch(host):", "if not host:", FAILS),
    PlantedFault(
        "profiles/plugins.py", "if not isinstance(profile, Profile):", "if profile is None:", FAILS
    ),
    PlantedFault("profiles/plugins.py", "if profile.name != point.name or not", "if not", FAILS),
    PlantedFault(
        "profiles/plugins.py",
        "if not _VERSION.fullmatch(str(profile.version)):",
        "if not profile.version:",
        FAILS,
    ),
    PlantedFault("profiles/plugins.py", "if not isinstance(answer, kind):", "if False:", FAILS),
    PlantedFault("profiles/plugins.py", "    except Exception as", "    except OSError as", FAILS),
    PlantedFault(
        "profiles/plugins.py",
        "if any(profile.name == own.name for own in BUILT_IN):",
        "if False:",
        PROFILES + "test_a_plugin_does_not_replace_a_profile_of_headgates",
    ),
    PlantedFault(
        "profiles/plugins.py",
        "if names.count(name) > 1:",
        "if False:",
        PROFILES + "test_two_packages_do_not_bring_one_profile",
    ),
    PlantedFault(
        "profiles/plugins.py",
        "if str(profile.version) != use.version:",
        "if not use.version:",
        NAMED,
    ),
    PlantedFault("profiles/plugins.py", "    if profile.tests is None:", "    if False:", NAMED),
    PlantedFault(
        "gates/judge.py", "except (CheckoutError, ProfileError)", "except CheckoutError", NAMED
    ),
    PlantedFault(
        "core/spec/policy.py",
        "profiles=languages if entry.builtin in READ_TESTS else (),",
        "profiles=languages,",
        PROFILES + "test_languages_of_the_policy_apply_to_gates_that_read_tests",
    ),
    PlantedFault(
        "gates/result.py",
        '"sarif": None, "profiles": ()',
        '"sarif": None',
        PROFILES + "test_a_plugin_version_changes_the_definition_hash",
    ),
    PlantedFault(
        "core/state/proof.py",
        " and m.path not in read",
        "",
        "core/test_stories_of_proof.py::"
        "TestLevels::test_tests_read_by_a_plugin_are_not_counted_again_by_name",
    ),
    PlantedFault(
        "core/talk/bootstrap.py",
        "for profile in (chosen, *profiles) for",
        "for profile in profiles for",
        "core/test_talk_bodies.py::test_the_proposed_first_policy_regenerates_existing_lock_files",
    ),
    PlantedFault(
        "shell/perform_git.py",
        "raise Retryable(failure.sentence) from failure\n",
        "return first_policy(())\n",
        "scenarios/test_repository_without_gates.py::"
        "test_a_failing_plugin_is_reported_and_no_policy_is_proposed_without_it",
    ),
]
