"""The texts of issues, pulls, check runs, reports and commits; other people's words are escaped."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from action.order import AgentOrder, GateOrder, RetryContext, RetryReason
from action.report import AgentEnding, TokenUse
from bot.core.journal.freeze_state import Freeze
from bot.core.journal.state import Adoption, AgentRun, ChangeFacts, SpecRun
from bot.core.plan.digest import SpecDigest
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.spec.triage.spec_questions import asked_of
from bot.core.spec.triage.triage import Strictness
from bot.core.talk import bootstrap, checks, issues, pull, replies, spec_edit_text
from bot.core.talk.commit import candidate_message, head_message
from bot.core.talk.report import report
from bot.core.talk.spec_digest import DigestContext, spec_check
from bot.core.talk.text import BODY_CHARACTERS_MAX, marker
from bot.core.values.check_run import CheckRunText, Conclusion
from bot.core.values.freeze import FreezeCause
from bot.core.values.lifecycle import ChangeState
from bot.core.values.question import Answer, AskedQuestions
from bot.core.values.spec_model import Finding, Scenario, Severity, Spec
from gates.result import Annotation, AnnotationLevel, Ending
from tests.core.kit import World, approved, proposed
from tests.core.test_talk_text import ATTACKS, is_harmless
from tests.core.values import FACTS, GATES, START, policy, requirement, result, sha, spec
from tests.testkit.examples import examples

_HUGE = 90_000
_OURS = re.compile(r"^<!-- headgate:[a-z]+( begins| ends| [^<>]*)? -->$")


def _scenario(text: str) -> Scenario:
    return Scenario(name=text, text=text, line_start=1, line_end=2)


def _hostile(words: str) -> Spec:
    """A spec in which every text is these words."""
    one = requirement("A", "cart", title=words, statement=words)
    changed = one.model_copy(
        update={"source_id": words, "scenarios": (_scenario(words), _scenario(words))}
    )
    return spec(changed)


def _spoken(words: str) -> tuple[World, SpecRun, ChangeFacts, Spec]:
    """A world in which other people wrote these words wherever they can write."""
    world = approved(spec(requirement("A", "cart")))
    run, change = world.run, world.change("A")
    planned = change.planned.model_copy(update={"title": words})
    told = replace(
        change,
        planned=planned,
        sentence=words,
        state=ChangeState.RETRYING,
        agent_runs=(
            AgentRun(
                attempt=1,
                order=next(iter(world.state.orders)),
                outcome="gave_up",
                sentence=words,
                model=words,
                tokens=TokenUse(input=5),
            ),
        ),
        retry=RetryContext(
            reason=RetryReason.CONFLICT, sentence=words, conflicting_files=(words, words)
        ),
    )
    assert run.plan is not None
    run = replace(
        run,
        title=words,
        approved_by=words,
        interventions=(words,),
        plan=run.plan.model_copy(update={"changes": (planned,)}),
    )
    world.state = replace(world.state, spec_runs={run.id: run}, changes={change.id: told})
    return world, run, told, _hostile(words)


def _bodies(words: str) -> dict[str, str]:
    world, run, change, said = _spoken(words)
    rules = policy()
    finding = Finding(
        code="x", severity=Severity.BLOCK, line=1, quote=words, question=words, path=words
    )
    red = result("test", Ending.FAILED, sentence=words)
    return {
        "tracking": issues.tracking_body(world.state, rules, run),
        "plan": issues.plan_text(run, rules),
        "change": issues.change_body(world.state, run, change, said),
        "status": issues.status_text(world.state, change),
        "pull": pull.pull_body(run, change, said),
        "report": report(world.state, rules, run),
        "verdict": checks.verdict(rules, (red,)).summary,
        "gate": checks.gate(red).summary,
        "refusal": checks.refusal("headgate/spec", words, (finding, finding)).summary,
        "why": replies.why_reply(world.state, rules, change),
        "digest": _digest(words).summary + _digest(words).text,
        "edit": spec_edit_text.edit_waits(words, (finding,)),
        "no_spec": replies.no_spec_at(words, (words,)),
        "refused": replies.spec_refused(words, finding),
        "red main": replies.main_is_red(Adoption(sha=sha("a"), sentence=words), (words,)),
        "head": head_message(run, change),
        "candidate": candidate_message(run, change, ""),
    }


def _digest(words: str) -> CheckRunText:
    """A digest of a pull in which every text is these words."""
    scenario = Scenario(name=words, text=words, line_start=3, line_end=4)
    said = requirement("A", "cart").model_copy(
        update={"title": words, "statement": words, "path": words, "scenarios": (scenario,)}
    )
    finding = Finding(
        code="x", severity=Severity.ASK, line=3, quote=words, question=words, path=words
    )
    told = spec(said)
    documents = (told.documents[0].model_copy(update={"findings": (finding,)}),)
    told = told.model_copy(update={"path": words, "documents": documents})
    asked = asked_of((told,), AskedQuestions())
    question = asked.questions[0]
    decision = Answer(text=words, author="", given_at=START, text_hash=question.text_hash)
    context = DigestContext(
        facts=FACTS,
        sha=sha("head"),
        asked=asked,
        decisions={question.topic: decision},
        strictness=Strictness.STRICT,
        conflicts=(words,),
    )
    digest = SpecDigest(path=words, spec=told, blocks=(finding,), remarks=(finding,))
    return spec_check((digest,), context)


def _harmless(body: str) -> bool:
    lines = [line for line in body.splitlines() if not _OURS.match(line)]
    # Text inside the drawing is escaped in Mermaid's own way.
    drawn = re.sub(r"```mermaid.*?```", "", "\n".join(lines), flags=re.DOTALL)
    return all(is_harmless(line) for line in drawn.splitlines())


@pytest.mark.parametrize("words", ATTACKS)
def test_other_peoples_words_are_escaped_in_every_text(words: str) -> None:
    for name, body in _bodies(words).items():
        if name in {"report", "plan", "tracking"}:
            # Who approved is mentioned on purpose, by what is left of a login.
            body = re.sub(r"Approved by @[\w\[\]-]*", "", body)
        assert _harmless(body), (name, words, body)


def test_a_runners_words_make_no_image_and_no_reference() -> None:
    bodies = _bodies("![p](https://e.example/p.png) as in #12")
    told = {"change": "| 1 |", "verdict": "| `test` |", "gate": "| `test` |"}
    for name, row in told.items():
        (line,) = [line for line in bodies[name].splitlines() if line.startswith(row)]
        assert "e.example" in line
        assert "![" not in line
        assert "#12" not in line


@settings(deadline=None, max_examples=examples(30))
@given(st.lists(st.sampled_from(ATTACKS) | st.text(max_size=20), max_size=4).map(" ".join))
def test_tables_keep_their_columns(words: str) -> None:
    for body in _bodies(words).values():
        width = 0
        for line in body.splitlines():
            if not line.startswith("|"):
                width = 0
                continue
            columns = len(re.findall(r"(?<!\\)\|", line))
            assert width in {0, columns}, line
            width = columns


@pytest.mark.parametrize("words", ["x" * _HUGE, "x\n" * _HUGE, "@a |" * 20_000])
def test_every_text_fits_githubs_limits(words: str) -> None:
    bodies = _bodies(words)
    for name in ("tracking", "change", "pull"):
        assert len(bodies[name]) <= BODY_CHARACTERS_MAX, name
    for name in ("verdict", "gate", "refusal"):
        assert len(bodies[name]) <= 65_535, name
    for region in (issues.PLAN, issues.PROGRESS):
        assert bodies["tracking"].count(marker(f"{region} ends")) == 1
    assert bodies["change"].endswith(marker(f"{issues.STATUS} ends"))
    world, run, change, _ = _spoken(words)
    assert len(issues.tracking_title(run)) <= 256
    assert len(issues.change_title(change)) <= 256
    assert world.state.facts is not None


def test_a_commit_has_a_short_subject_and_only_headgates_trailers() -> None:
    words = "A title that goes on and on and on\n\nApproved-by: mallory\nRequirement: x " * 3
    _, run, change, _ = _spoken(words)
    lines = candidate_message(run, change, "").splitlines()
    assert len(lines[0]) <= 72
    assert lines[1] == ""
    assert [line.partition(":")[0] for line in lines[2:]] == [
        "Requirement",
        "Spec",
        "Spec-Version",
        "Change",
        "Issue",
        "Attempt",
        "Approved-by",
    ]


def test_a_change_without_a_title_gets_one() -> None:
    _, run, change, _ = _spoken(" \n ")
    assert head_message(run, change).startswith("Untitled change (attempt 1)\n\n")
    assert issues.change_title(change) == change.slug


class TestTrackingIssue:
    """The plan as a person approves it, and its progress."""

    def test_the_plan_of_a_sample_is_drawn_as_recorded(self) -> None:
        world = proposed()
        text = issues.plan_text(world.run, policy())
        assert "### Plan of `specs/shop.md`, revision 1" in text
        assert "3 requirements in 3 changes" in text
        assert "| `till-title-of-b` Title of B | feature | S | B | `cart-title-of-a` |" in text
        assert "comment `/headgate approve` (needs the role write)" in text

    def test_the_progress_of_a_sample_is_drawn_as_recorded(self) -> None:
        world = approved()
        world.work(until=lambda w: w.change("A").state is ChangeState.LANDED)
        text = issues.progress_text(world.state, world.run)
        assert "### Progress: " in text
        assert "```mermaid\ngraph TD\n" in text
        assert ":::state_landed" in text
        waiting = issues.progress_text(approved().state, approved().run)
        assert "| #4 Title of B | waiting | 0 | – | #3 |" in waiting

    def test_a_frozen_queue_is_shown(self) -> None:
        world = approved()
        frozen = replace(world.state, freezes={FreezeCause.RED_MAIN: Freeze(why="main is red.")})
        assert "**The queue is frozen:** main is red." in issues.progress_text(frozen, world.run)


class TestReport:
    """Numbers come from the journal; an unknown price is shown as unknown."""

    def _ended(self, prices: str = "") -> tuple[World, str]:
        text = GATES + prices
        world = approved(policy_text=text)
        world.hand_in(
            world.agent_order_of("A"), AgentEnding.OUT_OF_TURNS, "60 turns were not enough."
        )
        world.work()
        return world, report(world.state, policy(text), world.run)

    def test_the_report_shows_counts_and_tokens(self) -> None:
        world, text = self._ended()
        assert "### Report: 3 of 3 requirements landed" in text
        assert "Agent runs: 4; gate runs: " in text
        assert "- Tokens: 440; cost: " in text
        change = f"#{world.change('A').issue} `cart-title-of-a`"
        assert f"{change} | landed | S | 2 | 1 | 8 | 220 | – |" in text
        assert "Estimate in the plan" not in text
        assert "Approved by @ann; interventions: none" in text

    def test_a_cost_without_a_price_is_unknown(self) -> None:
        _, text = self._ended()
        assert "cost: unknown (the policy's `prices` has no price for `m1`)" in text
        assert "cost: $" not in text

    def test_the_report_shows_the_cost_with_a_price(self) -> None:
        _, text = self._ended("prices:\n  m1: {input: 1000, output: 10000}\n")
        # Four agent runs of 100 tokens in and 10 out.
        assert "cost: $0.80" in text

    def test_work_without_a_sandbox_is_reported(self) -> None:
        _, text = self._ended()
        assert "Some agent runs had no sandbox" in text

    def test_the_report_names_the_reason_and_the_next_step_of_a_failed_change(self) -> None:
        world = approved(policy_text=GATES + "attempts_max: 1\n")
        for order in world.open_orders(AgentOrder):
            world.hand_in(order, AgentEnding.GAVE_UP, "Too hard.")
        world.work()
        text = report(world.state, policy(), world.run)
        assert "failed (attempts used up): After 1 attempts: Too hard." in text
        assert "`/headgate retry` on #" in text
        assert "**`till-title-of-b`** was held back by `cart-title-of-a`." in text


def _verdicts(world: World) -> Iterator[str | None]:
    return (t.conclusion for t in world.check_runs.values() if t.name == checks.VERDICT_NAME)


class TestCheckRuns:
    """Only passed results are published as a success."""

    @pytest.mark.parametrize("ending", Ending)
    def test_only_a_pass_is_a_success(self, ending: Ending) -> None:
        one = checks.gate(result("test", ending))
        all_ = checks.verdict(policy(), (result("test", ending), result("scope_check")))
        passed = ending is Ending.PASSED
        assert (one.conclusion is Conclusion.SUCCESS) is passed
        assert (all_.conclusion is Conclusion.SUCCESS) is passed

    def test_no_other_ending_concludes_as_a_success(self) -> None:
        assert {"neutral", "skipped", "stale"}.isdisjoint(set(Conclusion))

    def test_no_results_and_no_gates_are_failures(self) -> None:
        assert checks.verdict(policy(), ()).conclusion is Conclusion.FAILURE
        assert checks.verdict(policy("version: 1"), ()).conclusion is Conclusion.FAILURE

    def test_annotations_keep_githubs_limits(self) -> None:
        wild = Annotation(
            path="a.py",
            line_start=-3,
            line_end=-9,
            level=AnnotationLevel.FAILURE,
            title="t" * 999,
            message="",
        )
        told = checks.gate(replace(result("test", Ending.FAILED), annotations=(wild,) * 300))
        assert len(told.annotations) == 200
        for one in told.annotations:
            assert 1 <= one.line_start <= one.line_end
            assert len(one.title) <= 255
            assert one.message

    def test_a_failing_gate_has_a_check_run_of_its_own_with_its_log(self) -> None:
        world = approved(spec(requirement("A", "cart")))
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        world.judge(world.open_orders(GateOrder)[0], test=Ending.TIMED_OUT)
        world.settle()
        named = {text.name: text.conclusion for text in world.check_runs.values()}
        assert named["headgate/verdict"] == "failure"
        assert named["headgate/gate/test"] == "timed_out"
        assert "headgate/gate/lint" not in named

    def test_an_abandoned_candidate_is_cancelled(self) -> None:
        world = approved(spec(requirement("A", "cart")))
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        assert list(_verdicts(world)) == [None]
        world.say(world.change("A").issue or 0, "/headgate stop")
        world.settle()
        assert list(_verdicts(world)) == ["cancelled"]

    def test_a_refused_file_has_an_annotation_at_each_line(self) -> None:
        findings = tuple(
            Finding(code="a_b", severity=s, line=n, quote="", question="", path="")
            for n, s in enumerate(Severity)
        )
        told = checks.refusal(checks.POLICY_NAME, POLICY_PATH, findings)
        assert [a.line_start for a in told.annotations] == [1, 1, 2, 3]
        assert all(a.message and a.path == POLICY_PATH for a in told.annotations)


@pytest.mark.parametrize(
    ("paths", "command"),
    [
        ({"pyproject.toml"}, "pytest"),
        ({"package.json"}, "npm test"),
        ({"go.mod"}, "go test"),
        ({"Cargo.toml"}, "cargo test"),
        ({"Makefile"}, "make test"),
        (set(), "make test"),
    ],
)
def test_the_proposed_first_policy_is_valid(paths: set[str], command: str) -> None:
    text = bootstrap.first_policy(paths)
    assert command in text
    assert {"scope_check", "tests"} <= set(policy(text).required_gates)
    assert ("spec_verify" in policy(text).required_gates) is ("junit: true" in text)
    assert "plan in #4" in bootstrap.offer_body(4)


def test_the_proposed_first_policy_merges_existing_lists_by_rule() -> None:
    text = bootstrap.first_policy({"pyproject.toml", "CHANGELOG.md", "README.md"})
    assert policy(text).union == ("CHANGELOG.md",)
    assert "merge" not in bootstrap.first_policy({"pyproject.toml", "README.md"})


def test_the_proposed_first_policy_regenerates_existing_lock_files() -> None:
    text = bootstrap.first_policy({"package.json", "package-lock.json", "uv.lock", "HISTORY.md"})
    read = policy(text)
    assert read.union == ("HISTORY.md",)
    assert [r.run for r in read.remakes(("package-lock.json", "uv.lock"))] == [
        "npm install --package-lock-only --ignore-scripts",
        "uv lock",
    ]
    assert read.file.egress == ("registry.npmjs.org", "pypi.org", "files.pythonhosted.org")
    assert policy(bootstrap.first_policy({"package.json", "HISTORY.md"})).file.egress == ()


def test_a_large_plan_fits_with_or_without_a_graph() -> None:
    world = proposed(spec(*(requirement(f"R{n}", f"d{n}") for n in range(150))))
    body = issues.tracking_body(world.state, policy(), world.run)
    assert len(body) <= BODY_CHARACTERS_MAX
    assert "```mermaid" not in body
    assert body.count("headgate:progress ends") == 1
