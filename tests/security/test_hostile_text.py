"""Texts that cost time; each attack ends as a finding, and people are answered meanwhile."""

from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest

from bot.core.journal.state import RepositoryState
from bot.core.plan.digest import OnMain, SpecDigest, proposed_digest
from bot.core.spec.markers import Marker, read_markers
from bot.core.spec.policy import PolicyRefusal, no_policy, read_policy
from bot.core.spec.proposal import ProposedSpec
from bot.core.spec.quarantine import with_quarantine
from bot.core.spec.read import read_spec
from bot.core.spec.triage.guardrails import Guard
from bot.core.state.observed import Hint, HintKind, Looks, Observed, looks
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from bot.core.values.spec_model import Spec
from bot.localhub.model import Role
from bot.shell import intake, observe, observe_pulls, spec_texts, test_files
from bot.shell.deadline import TooCostly, within
from bot.shell.reconcile import reconcile
from tests.scenarios.test_coverage import (
    test_an_honest_run_ends_with_a_passed_test_for_each_requirement as honest_run,
)
from tests.scenarios.test_pulls_that_touch_specs import propose, push_branch
from tests.scenarios.test_specs_as_issues import LABEL, write
from tests.testkit.house import House, house
from tests.testkit.hub_setup import POLICY
from tests.testkit.linear import repeated
from tests.testkit.pace import at_most
from tests.testkit.specs import requirement, spec


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path) as story:
        yield story


def _pull(shop: House, text: str, person: str = "eve") -> str:
    """The head of a pull from a fork with one spec."""
    token = shop.tokens[person]
    shop.api("POST", shop.repo("/forks"), {}, token).raise_for_status()
    head = shop.hub.commit_files(f"{person}/shop", {"specs/x.md": text.encode()}, "An idea", person)
    asked = {"title": "An idea", "head": f"{person}:main", "base": "main", "body": ""}
    shop.api("POST", shop.repo("/pulls"), asked, token).raise_for_status()
    return head


def _says(shop: House, head: str) -> str:
    check = shop.checks(head)["headgate/spec"]
    assert check.conclusion == "failure"
    return f"{check.title}\n{check.summary}"


def _push_and_settle(shop: House, text: str) -> None:
    shop.push({"specs/x.md": text})
    shop.settle()
    shop.forward(seconds=10)
    shop.ring_due()


def _look_without_readings(shop: House) -> None:
    """What the worker does that people's commands wait for."""
    intake.digest(shop.ports, *shop.hold_deliveries())
    for repository in (*shop.bell.take_repositories(), *shop.ports.journal.repositories()):
        reconcile(shop.ports, shop.observer, repository)


def _forever(*_asked: object) -> None:
    while True:
        pass


@pytest.mark.attack(
    "A fork pull with a spec of 250 kB of one sentence",
    held="`bot.core.spec.ceilings.over_file_cap`; readers take linear time (`tests.core.spec.test_linear_time`)",
)
def test_a_huge_spec_of_one_sentence_is_refused_quickly(shop: House) -> None:
    with at_most(10):
        head = _pull(shop, "# Spec\n\n" + "It shall be. " * 20_000)
        shop.settle()
        assert "too costly to read" in _says(shop, head)
        assert "64,000" in _says(shop, head)


@pytest.mark.attack(
    "A fork pull whose short spec has thousands of requirements",
    held="`bot.core.spec.ceilings.over_requirements_cap`",
)
def test_a_stranger_may_not_ask_for_a_thousand_requirements(shop: House) -> None:
    head = _pull(shop, "# Spec\n\n" + "It shall be. " * 3_500)
    shop.settle()
    assert "3,500 requirements" in _says(shop, head)


@pytest.mark.attack(
    "Many pulls from forks, each as costly to read as is allowed, while a team pushes a spec",
    held="`bot.adapters.doorbell.redis_queue`: strangers' texts have a queue of their own, after all others",
)
def test_pulls_of_strangers_are_parsed_last(shop: House) -> None:
    _pull(shop, spec(requirement("TILL")))
    _look_without_readings(shop)
    push_branch(shop, {"specs/y.md": spec(requirement("DOOR"))}, "idea")
    asked = {"title": "Doors", "head": "idea", "base": "main", "body": ""}
    shop.api("POST", shop.repo("/pulls"), asked).raise_for_status()
    _look_without_readings(shop)
    found = {reading.number: reading.is_strangers for _, reading in shop.bell.readings}
    assert found == {1: True, 2: False}


def test_limits_come_from_the_policy_and_do_not_apply_to_writers(shop: House) -> None:
    shop.push({".github/headgate.yml": f"{POLICY}strangers: {{requirements: 2}}\n"})
    three = spec(*(requirement(area) for area in ("TILL", "DOOR", "SHELF")))
    theirs = _pull(shop, three)
    shop.settle()
    _, ours = propose(shop, {"specs/x.md": three})
    assert "it may have 2" in _says(shop, theirs)
    assert shop.checks(ours)["headgate/spec"].conclusion == "success"


@pytest.mark.attack(
    "A text that takes a reader for ever",
    held="`bot.shell.deadline.within`; the store remembers it by content",
)
def test_a_text_that_takes_too_long_ends_as_a_finding_and_is_not_read_again(
    shop: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observe_pulls, "_PULL_SECONDS", 0.2)
    monkeypatch.setattr(observe_pulls, "read_spec", _forever)
    head = _pull(shop, spec(requirement("TILL")))
    shop.settle()
    assert "too costly to read" in _says(shop, head)

    # Another process finds it in the store.
    read: list[str] = []
    monkeypatch.setattr(observe_pulls, "read_spec", lambda path, _files: read.append(path))
    shop.restart()
    shop.sweep()
    assert read == []
    assert "too costly to read" in _says(shop, head)


@pytest.mark.attack(
    "A text whose reading ends its process, again and again",
    held="`bot.adapters.store.readings.SqlReadings` counts the tries",
)
def test_parsing_that_kills_its_process_is_given_up(
    shop: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_asked: object) -> None:
        raise SystemExit

    monkeypatch.setattr(observe_pulls, "read_spec", die)
    head = _pull(shop, spec(requirement("TILL")))
    for _ in range(2):
        with pytest.raises(SystemExit):
            shop.sweep()
        shop.sweep()
        shop.restart()
        shop.forward(seconds=100)
    shop.sweep()
    assert "no reading completed" in _says(shop, head)


@pytest.mark.attack(
    "A spec on main that takes a reader for ever",
    held="`bot.shell.spec_texts`: a limit for each spec, remembered by content",
)
def test_a_spec_on_main_that_takes_too_long_is_refused_once(
    shop: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spec_texts, "_SPEC_SECONDS", 0.2)
    monkeypatch.setattr(spec_texts, "read_spec", _forever)
    _push_and_settle(shop, "# Spec\n\n" + "It shall be. " * 1_000)
    assert "too costly to read" in _says(shop, shop.ref())

    read: list[str] = []
    monkeypatch.setattr(spec_texts, "read_spec", lambda path, _files: read.append(path))
    shop.restart()
    shop.sweep()
    assert read == []


def test_a_spec_on_main_whose_plan_takes_too_long_is_refused(
    shop: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plan is made again in the process that answers commands."""
    monkeypatch.setattr(spec_texts, "_SPEC_SECONDS", 0.5)
    monkeypatch.setattr(spec_texts, "plan", _forever)
    _push_and_settle(shop, "# Spec\n\n" + "It shall be. " * 1_000)
    assert "too costly to read" in _says(shop, shop.ref())


@pytest.mark.attack(
    "A spec on main, short or of 250 kB and 20,000 requirements, while somebody asks for help",
    held="`bot.shell.spec_texts`: texts are read by the worker of readings alone",
)
@pytest.mark.parametrize("sentences", [2, 20_000])
def test_a_command_is_answered_while_a_spec_on_main_waits_to_be_read(
    shop: House, monkeypatch: pytest.MonkeyPatch, sentences: int
) -> None:
    monkeypatch.setattr(spec_texts, "read_spec", _forever)
    issue = int(shop.api("POST", shop.repo("/issues"), {"title": "How?"}).json()["number"])
    shop.push({"specs/x.md": "# Spec\n\n" + "It shall be. " * sentences})
    _look_without_readings(shop)
    shop.forward(seconds=10)
    shop.comment(issue, "/headgate help")
    _look_without_readings(shop)
    assert any("/headgate approve" in comment for comment in shop.comments(issue))
    assert {reading.path for _, reading in shop.bell.readings} == {"specs/x.md"}

    monkeypatch.undo()
    shop.settle()
    if sentences > 5_000:
        assert "one spec may have 5,000" in _says(shop, shop.ref())
    else:
        assert shop.tracking()


def test_a_run_command_waits_until_the_spec_is_parsed(shop: House) -> None:
    """The command is answered once, when another worker has read the spec."""
    many = "".join(f"- REQ-A-{n}: The till MUST keep record {n}.\n" for n in range(300))
    _push_and_settle(shop, f"---\nstatus: draft\n---\n# Spec\n\n{many}")
    issue = int(shop.api("POST", shop.repo("/issues"), {"title": "How?"}).json()["number"])
    shop.push({"specs/x.md": f"# Spec\n\n{many}"})
    shop.comment(issue, "/headgate run specs/x.md")
    _look_without_readings(shop)
    assert len(shop.comments(issue)) == 1
    assert shop.bell.readings

    shop.settle()
    assert len(shop.comments(issue)) == 2
    assert [run.path for run in shop.state.spec_runs.values()] == ["specs/x.md"]


@pytest.mark.attack(
    "The spec of a run under way, which no process of a new release has read, while somebody asks for help",
    held="`bot.shell.spec_texts.SpecTexts.known`; `bot.core.decide.decide`: until then comments alone are answered",
)
def test_a_command_is_answered_while_a_run_waits_for_its_spec_after_an_upgrade(
    shop: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other commands of that time are decided when the text is parsed."""
    many = "".join(f"- REQ-A-{n}: The till MUST keep record {n}.\n" for n in range(300))
    _push_and_settle(shop, f"# Spec\n\n{many}")
    tracking = int(shop.tracking()["number"])
    issue = int(shop.api("POST", shop.repo("/issues"), {"title": "How?"}).json()["number"])
    monkeypatch.setattr(spec_texts, "form_of", lambda _model: "the next release")
    monkeypatch.setattr(spec_texts, "read_spec", _forever)
    shop.restart()
    shop.comment(tracking, "/headgate plan")
    shop.comment(issue, "/headgate help")
    _look_without_readings(shop)
    shop.push({".github/headgate.yml": f"{POLICY}# Later.\n"})
    shop.api("POST", shop.repo(f"/issues/{write(shop)}/labels"), {"labels": [LABEL]})
    _look_without_readings(shop)
    assert any("/headgate approve" in comment for comment in shop.comments(issue))
    assert len(shop.state.heard) == 1
    assert shop.state.main != shop.ref()
    assert "specs/x.md" in {reading.path for _, reading in shop.bell.readings}

    monkeypatch.setattr(spec_texts, "read_spec", read_spec)
    shop.settle()
    assert shop.state.main == shop.ref()
    assert not shop.state.heard
    assert [pull["title"] for pull in shop.pulls()] == ["Spec: A till"]
    shop.ask(tracking, "/headgate approve")
    assert len(shop.issues()) > 3


@pytest.mark.attack(
    "A spec on main whose reading ends its process, again and again",
    held="`bot.shell.spec_texts.SpecTexts.read` counts the tries",
)
def test_parsing_of_main_that_kills_its_process_is_given_up(
    shop: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_asked: object) -> None:
        raise SystemExit

    monkeypatch.setattr(spec_texts, "read_spec", die)
    shop.push({"specs/x.md": "# Spec\n\n" + "It shall be. " * 1_000})
    shop.hold_deliveries()
    for _ in range(2):
        with pytest.raises(SystemExit):
            shop.sweep()
        shop.restart()
        shop.forward(seconds=100)
    shop.sweep()
    assert "no reading completed" in _says(shop, shop.ref())


# What stands in front, and what is repeated.
COSTLY_YAML = {
    "keys that are mappings": ("", "? "),
    "open lists": ("a: ", "["),
    "open mappings": ("a: ", "{a: "),
    "lists in lists": ("", "- "),
    "anchors in anchors": ("", "&a [*a,"),
    "blank lines": ("a: b\n", "\t\n"),
    "many values": ("", "a{n}: {b: c}\n"),
}


@pytest.mark.attack(
    "A policy, or the settings of a delta folder, of sixty bytes that take a YAML reader for ever",
    held="`bot.core.spec.yaml_bounds.check_yaml`: depth, keys and values are counted before they are read",
)
@pytest.mark.parametrize("name", COSTLY_YAML)
def test_yaml_costs_little_and_is_refused_with_a_sentence(name: str) -> None:
    head, piece = COSTLY_YAML[name]
    text = repeated(head, piece, 60_000)
    assert isinstance(within(10.0, lambda: read_policy(text)), PolicyRefusal)
    # Below the depth that is read at all.
    within(2.0, lambda: read_policy(head + piece * 18))
    within(10.0, lambda: with_quarantine(no_policy(), text))
    assert within(10.0, lambda: read_markers(text)).skip_specs is Marker.ABSENT


@pytest.mark.attack(
    "A policy that ends its reader by an error that the reader did not foresee",
    held="`bot.core.spec.yaml_bounds.YAML_FAULTS`: it is refused like any other",
)
def test_a_policy_with_a_self_referencing_merge_key_is_refused() -> None:
    assert isinstance(read_policy("a: &a {<<: *a}\n"), PolicyRefusal)
    assert read_markers("skip_specs: &a {<<: *a}\n").skip_specs is Marker.UNREADABLE


@pytest.mark.attack(
    "Fifty specs on main at once, each a little below the limit, so that commands wait for all of them",
    held="`bot.shell.observe`: five seconds a look, then the other specs wait for the next one",
)
def test_many_specs_on_main_are_parsed_over_several_looks(
    shop: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Below what any clock says, however coarse it is.
    monkeypatch.setattr(observe, "_LOOK_SECONDS", -1.0)
    read: list[int] = []
    honest = shop.observer.look

    def look(facts: RepositoryFacts, state: RepositoryState, asked: Looks) -> Observed:
        found = honest(facts, state, asked)
        read.append(len(found.readings))
        return found

    monkeypatch.setattr(shop.observer, "look", look)
    names = ("TILL", "DOOR", "LAMP")
    files = {f"specs/{n.lower()}.md": spec(requirement(n)) for n in names}
    shop.push({**files}, "Ask for much")
    shop.settle()
    shop.forward(seconds=10)
    shop.ring_due()
    assert max(read) == 1
    assert {run.path for run in shop.state.spec_runs.values()} == set(files)


@pytest.mark.attack(
    "A hundred megabytes of test files on main, so that commands wait until all are read",
    held="`bot.shell.test_files`: three seconds a look, then the other files wait for the next one",
)
def test_many_tests_on_main_are_parsed_over_several_looks(
    shop: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A verdict waits until its tests are parsed, and is complete at the end."""
    monkeypatch.setattr(test_files, "_LOOK_SECONDS", -1.0)
    text = 'def test_a():\n    """REQ-TILL-0{}"""\n    assert 1 + 1 == 2\n'
    shop.push({f"tests/test_{n}.py": text.format(n) for n in (1, 2, 3)})
    shop.settle()
    facts, main = shop.state.facts, shop.ref()
    assert facts is not None
    tests = test_files.TestFiles(shop.ports)
    looks = [tests.at(facts, Sha(main)) for _ in range(4)]
    assert looks[0] is None
    assert looks[-1] is not None
    assert {mention.line for mention in looks[-1].mentions} == {1, 2}
    assert len(looks[-1].mentions) == 6
    honest_run(shop)


@pytest.mark.attack(
    "A pull that nobody can read while somebody asks for help",
    held="a queue of its own for readings (`bot.entry.rq_worker`)",
)
def test_a_command_is_answered_while_a_pull_waits_to_be_read(
    shop: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker that answers commands only queues the parsing; another worker parses."""

    def refuse(path: str, _files: object) -> None:
        raise AssertionError(f"{path} is read where people's commands wait")

    monkeypatch.setattr(observe_pulls, "read_spec", refuse)
    issue = int(shop.api("POST", shop.repo("/issues"), {"title": "How?"}).json()["number"])
    _pull(shop, spec(requirement("TILL")))
    shop.comment(issue, "/headgate help")
    _look_without_readings(shop)
    assert any("/headgate approve" in comment for comment in shop.comments(issue))
    assert len(set(shop.bell.readings)) == 1


def test_the_limit_counts_the_processor_and_ends_with_the_work() -> None:
    with pytest.raises(TooCostly):
        within(0.05, _forever)
    assert within(0.05, lambda: 7) == 7
    ends = process_time() + 0.2
    while process_time() < ends:
        pass


@pytest.mark.attack(
    "Fifty pulls, each a little below every limit, so that digests of all hold the worker",
    held="`bot.shell.observe_pulls`: five seconds a look, then the other pulls wait for the next one",
)
def test_digests_of_many_pulls_are_made_over_several_looks(
    shop: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(
        one: ProposedSpec, archived: tuple[Spec, ...], guard: Guard, main: OnMain
    ) -> SpecDigest:
        until = process_time() + 0.1
        while process_time() < until:
            pass
        return proposed_digest(one, archived, guard, main)

    monkeypatch.setattr(observe_pulls, "proposed_digest", slowly)
    shop.hire("mia", Role.READ)
    heads = [_pull(shop, spec(requirement("TILL")), person) for person in ("eve", "mia")]
    shop.settle()
    monkeypatch.setattr(observe_pulls, "_LOOK_SECONDS", 0.0)
    facts = shop.state.facts
    assert facts is not None
    asked = looks(shop.state, (Hint(kind=HintKind.EVERYTHING),), shop.clock.now())

    seen = shop.observer.look(facts, shop.state, asked).pull_snapshots

    (snapshot,) = (one for one in seen.values() if one is not None)
    assert snapshot.digest_seconds >= 0.1
    left = [one.number for one in shop.ports.journal.hints(facts.id).values()]
    assert len(left) == 1
    assert left[0] not in seen
    shop.settle()
    assert all("headgate/spec" in shop.check_runs(head) for head in heads)
