"""Profiles: which one a project has, what its first policy proposes, and plugins that fail."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from action.harness import doctor as of_runners
from bot.core.spec.policy import Policy, read_policy
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.talk.bootstrap import first_policy
from bot.entry.commands import doctor as of_servers
from bot.entry.commands.init import run_init
from bot.entry.settings import Settings
from gates.profiles.built_in import BUILT_IN, profile_of
from gates.profiles.plugins import all_profiles
from gates.profiles.profile import Profile, ProfileError, Project, Proposal, ProposedGate
from gates.result import (
    Ending,
    GateDefinition,
    GateResult,
    Judges,
    ProfileUse,
    definition_hash,
)
from tests.gates.checkouts import Repository, report_on
from tests.testkit.plugins import ELIXIR, put_plugin


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where packages are installed."""
    place = tmp_path / "site"
    monkeypatch.syspath_prepend(str(place))
    return place


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    place = tmp_path / "clone"
    (place / ".git").mkdir(parents=True)
    return place


@pytest.mark.parametrize(
    ("paths", "name"),
    [
        ({"pyproject.toml", "package.json", "Makefile"}, "python"),
        ({"requirements.txt", "Makefile"}, "python"),
        ({"requirements.txt", "package.json"}, "node"),
        ({"go.mod", "requirements.txt"}, "go"),
        ({"Cargo.toml", "Makefile"}, "rust"),
        ({"Makefile"}, "generic"),
        (set(), "generic"),
    ],
)
def test_the_strongest_sign_decides(paths: set[str], name: str) -> None:
    assert profile_of(Project(paths, {}), BUILT_IN).name == name


@pytest.mark.parametrize(
    ("paths", "texts", "lines"),
    [
        ({"go.mod"}, {}, ["go vet ./..."]),
        ({"Cargo.toml"}, {}, []),
        ({"Cargo.toml"}, {"Cargo.toml": "[lints.rust]\n"}, ["cargo clippy --all-targets"]),
        (
            {"Cargo.toml", "clippy.toml", "rustfmt.toml"},
            {},
            ["cargo clippy --all-targets && cargo fmt --check"],
        ),
        ({"requirements.txt"}, {}, []),
        ({"requirements.txt", "ruff.toml"}, {}, [".venv/bin/python -m ruff check ."]),
        (
            {"pyproject.toml", ".flake8"},
            {"pyproject.toml": "[project]\n[tool.ruff]\n"},
            [
                ".venv/bin/python -m ruff check .",
                ".venv/bin/python -m flake8 --extend-exclude .venv",
            ],
        ),
        # What a lock does not hold cannot run.
        ({"pyproject.toml", "uv.lock"}, {"pyproject.toml": "[tool.ruff]\n"}, []),
        (
            {"pyproject.toml", "uv.lock"},
            {"pyproject.toml": "dev = ['ruff>=0.5']\n[tool.ruff]\n"},
            ["uv run python -m ruff check ."],
        ),
        ({"pyproject.toml", "ruff.toml"}, {}, []),
        ({"pyproject.toml"}, {"pyproject.toml": "dev = ['ruff']\n[tool.ruff]\n"}, []),
    ],
)
def test_a_linter_is_proposed_if_the_project_has_one(
    paths: set[str], texts: dict[str, str], lines: list[str]
) -> None:
    project = Project(paths, texts)
    proposed = profile_of(project, BUILT_IN).propose(project)
    assert [g.command for g in proposed.gates if g.name not in {"build", "test"}] == lines
    if lines and ".venv/bin" in lines[0]:
        assert proposed.setup[0].endswith("pytest ruff flake8" if len(lines) > 1 else "pytest ruff")


_VENV = "python3 -m venv .venv && .venv/bin/pip install"


@pytest.mark.parametrize(
    ("paths", "texts", "setup"),
    [
        ({"setup.py"}, {}, f"{_VENV} -e . pytest"),
        (
            {"requirements.txt", "requirements-dev.txt"},
            {},
            f"{_VENV} -r requirements.txt -r requirements-dev.txt pytest",
        ),
        (
            {"pyproject.toml"},
            {
                "pyproject.toml": "[project]\nname = 'a'\n[project.optional-dependencies]\ntest = ['b']\ndocs = ['c']\n"
            },
            f"{_VENV} -e '.[test]' pytest",
        ),
        (
            {"pyproject.toml"},
            {
                "pyproject.toml": "[project]\nname = 'a'\n[dependency-groups]\ndev = ['b>=2', {include-group = 'c'}]\n"
            },
            f"{_VENV} -e . 'b>=2' pytest",
        ),
        (
            {"pyproject.toml", "uv.lock"},
            {"pyproject.toml": "[project.optional-dependencies]\ndev = ['b']\n"},
            "uv sync --locked --extra dev",
        ),
        ({"pyproject.toml"}, {"pyproject.toml": "[project]\nname = [\n"}, f"{_VENV} -e . pytest"),
        (
            {"Cargo.toml"},
            {"Cargo.toml": "[dependencies]\n\n[dev-dependencies]\nb = '1'\n"},
            "cargo fetch",
        ),
        ({"Cargo.toml"}, {"Cargo.toml": "[dependencies]\n"}, None),
        ({"package.json"}, {"package.json": '{"devDependencies": {"b": "1"}}'}, "npm install"),
        ({"package.json"}, {"package.json": '{"dependencies": {}}'}, None),
    ],
)
def test_the_proposed_setup_installs_the_projects_test_dependencies(
    paths: set[str], texts: dict[str, str], setup: str | None
) -> None:
    project = Project(paths, texts)

    proposed = profile_of(project, BUILT_IN).propose(project)

    assert proposed.setup == (() if setup is None else (setup,))
    assert bool(proposed.egress) is (setup is not None)


@pytest.mark.parametrize("profile", BUILT_IN, ids=lambda profile: profile.name)
def test_a_first_policy_has_gates_of_headgates_own(profile: Profile) -> None:
    policy = read_policy(first_policy({"README.md"}, {}, (profile,)))
    assert isinstance(policy, Policy)
    own = {gate.builtin for gate in policy.gates if gate.required} - {None}
    has_names = any(gate.junit for gate in policy.gates)
    more = {"base_tests", "spec_verify"} if has_names else set()
    assert has_names is (profile.name == "python")
    assert own == {"scope_check", "secrets", "tests", "guardrails", *more}


def test_headgate_brings_five_profiles() -> None:
    assert [p.name for p in all_profiles()] == ["python", "node", "go", "rust", "generic"]


def test_a_plugin_proposes_the_first_policy_of_its_projects(site: Path, clone: Path) -> None:
    put_plugin(site)
    for name in ("mix.exs", "mix.lock", "Makefile"):
        (clone / name).write_text("")

    assert run_init(clone) == 0

    policy = read_policy((clone / POLICY_PATH).read_text())
    assert isinstance(policy, Policy)
    assert [g.command for g in policy.gates if g.command] == ["mix test"]
    assert (policy.setup[0].run, policy.file.egress) == ("mix deps.get", ("repo.hex.pm",))
    assert policy.file.languages == {"elixir": "3"}
    assert policy.remakes(("mix.lock",))[0].run == "mix deps.get"


def test_a_plugin_does_not_affect_projects_of_other_kinds(site: Path, clone: Path) -> None:
    put_plugin(site)

    assert run_init(clone) == 0

    assert "make test" in (clone / POLICY_PATH).read_text()


FAULTS = [
    ("import not_there_at_all", "No module named 'not_there_at_all'"),
    ("raise SystemError('broken')", "SystemError: broken"),
    ("PROFILE = 'elixir'", "is not a profile"),
    (ELIXIR.replace('"elixir"', '"mix"'), "it calls itself 'mix'"),
    (ELIXIR.replace('"3"', '"a b"'), "'a b' is not a version"),
    (ELIXIR.replace("project.paths else", "project.nothing else"), "has no attribute 'nothing'"),
    (ELIXIR.replace("else Sign.NONE", "else None"), "it answers with NoneType"),
    (
        ELIXIR.replace("else Sign.NONE", "else Sign.STRONG").replace("repo.hex", "a b"),
        "is not a host",
    ),
]


@pytest.mark.parametrize(("module", "why"), FAULTS, ids=[why for _, why in FAULTS])
def test_a_plugin_that_fails_is_an_error_with_a_sentence(
    site: Path, clone: Path, capsys: pytest.CaptureFixture[str], module: str, why: str
) -> None:
    place = put_plugin(site, module)
    (clone / "Makefile").write_text("test:\n")

    assert run_init(clone) == 2

    said = capsys.readouterr().err
    assert f"The profile `elixir` of the package {place.stem} 0.9 could not be" in said
    assert why in said
    assert "Repair or uninstall the package." in said
    assert sorted(path.name for path in clone.iterdir()) == [".git", "Makefile"]


def test_a_plugin_does_not_replace_a_profile_of_headgates(site: Path) -> None:
    put_plugin(site, ELIXIR.replace('"elixir"', '"python"'), name="python")
    with pytest.raises(ProfileError, match="Headgate already has a profile of that name"):
        all_profiles()


def test_two_packages_do_not_bring_one_profile(site: Path) -> None:
    put_plugin(site)
    put_plugin(site)
    with pytest.raises(ProfileError, match="Two packages provide a profile `elixir`"):
        all_profiles()


@pytest.mark.parametrize("name", ["Test", "tests", "a: b"])
def test_a_profile_proposes_no_gate_that_a_policy_could_not_have(name: str) -> None:
    with pytest.raises(ValueError, match="is not a valid name for a gate"):
        ProposedGate(name, "true")


def test_a_profile_proposes_each_gate_once() -> None:
    gate = ProposedGate("test", "true")
    with pytest.raises(ValueError, match="two gates have the same name"):
        Proposal((gate, gate))


GATE = GateDefinition(
    name="tests",
    judges=Judges.CHANGE,
    builtin="tests",
    profiles=(ProfileUse(name="elixir", version="3"),),
)
EXS = 'test("sums", () => {\n  expect(sum(1, 2)).toBe(3);\n});\n'


def lost(repository: Repository, gate: GateDefinition) -> GateResult:
    """What a gate says of a change that deletes a test in Elixir."""
    repository.write("test/sum_test.exs", EXS)
    repository.base_sha = repository.commit()
    repository.write("test/sum_test.exs", "")
    repository.commit()
    (result,) = report_on(repository, gate).results
    return result


def test_a_plugin_named_by_the_policy_reads_tests_of_its_language(
    site: Path, repository: Repository
) -> None:
    put_plugin(site)
    result = lost(repository, GATE)
    assert (result.ending, result.failed_tests) == (Ending.FAILED, ("test/sum_test.exs::sums",))


def test_a_plugin_that_no_policy_names_is_not_used(site: Path, repository: Repository) -> None:
    put_plugin(site)
    assert lost(repository, replace(GATE, profiles=())).ending is Ending.PASSED


NOT_AS_NAMED = [
    (None, "no installed package provides it"),
    (ELIXIR.replace('"3"', '"4"'), "but the installed version is 4."),
    (ELIXIR.replace("    tests=", "    reads=").replace("    reads=(", "    #"), "reads no tests"),
    ("raise SystemError('broken')", "SystemError: broken"),
    (ELIXIR.replace('re.compile(r"_test[.]exs$")', "None"), "has no attribute 'search'"),
]


@pytest.mark.parametrize(("module", "why"), NOT_AS_NAMED, ids=[why for _, why in NOT_AS_NAMED])
def test_a_plugin_that_differs_from_the_policy_passes_no_gate(
    site: Path, repository: Repository, module: str | None, why: str
) -> None:
    if module is not None:
        put_plugin(site, module)
    result = lost(repository, GATE)
    assert result.ending is Ending.COULD_NOT_RUN
    assert "`elixir`" in result.sentence
    assert why in result.sentence


def test_a_plugin_version_changes_the_definition_hash() -> None:
    plain = replace(GATE, profiles=())
    newer = replace(GATE, profiles=(ProfileUse(name="elixir", version="4"),))
    assert len({definition_hash((gate,)) for gate in (plain, GATE, newer)}) == 3
    canonical = '[{"builtin":"tests","command":null,"gate_timeout_seconds":600,"judges":"change",'
    canonical += '"junit":null,"name":"tests","required":true}]'
    assert definition_hash((plain,)) == hashlib.sha256(canonical.encode()).hexdigest()


def test_languages_of_the_policy_apply_to_gates_that_read_tests() -> None:
    text = "languages: {elixir: '3'}\ngates:\n  test: {run: mix test}\n"
    text += "".join(f"  {name}: {{builtin: {name}}}\n" for name in ("tests", "spec_verify", "junk"))
    policy = read_policy(text)
    assert isinstance(policy, Policy)
    assert {g.name for g in policy.gates if g.profiles == GATE.profiles} == {"tests", "spec_verify"}


def test_both_doctors_name_profiles_and_the_plugin_that_fails(site: Path) -> None:
    def said() -> list[tuple[str, str]]:
        server = of_servers.examine_profiles(Settings())
        runner = of_runners.examine_profiles(of_runners.Asked({}))
        return [(server.health.value, server.says), (runner.health.value, runner.says)]

    place = put_plugin(site)
    assert said() == [("fine", "elixir, python, node, go, rust, generic")] * 2
    place.unlink()
    # What was imported stays imported; a package that is put there anew is not.
    put_plugin(site, "raise SystemError('broken')", name="zig")
    assert all(h == "missing" and "`zig`" in says for h, says in said())
