"""The texts of check runs: the verdict on a candidate, failed gates, specs that cannot be used."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from action.order import GateStatus
from bot.core.journal.state import ChangeFacts
from bot.core.spec.policy import Policy
from bot.core.state.blame import is_all_inherited
from bot.core.state.verdict import Verdict, judge
from bot.core.talk.blame_text import blame_lines
from bot.core.talk.proof_text import proof_lines
from bot.core.talk.text import (
    cell,
    code,
    counted,
    cut,
    fenced,
    inert,
    places,
    without_unseen,
)
from bot.core.values.check_button import Button
from bot.core.values.check_run import (
    ANNOTATIONS_MAX,
    GATE_PREFIX,
    VERDICT_NAME as VERDICT_NAME,
    CheckAction,
    CheckRunText,
    Conclusion,
)
from bot.core.values.repository import RepositoryFacts
from bot.core.values.spec_model import Finding, Severity
from gates.failure_locations import LINE_MAX
from gates.result import Annotation, AnnotationLevel, Ending, GateResult, Judges

SPEC_NAME = "headgate/spec"
POLICY_NAME = "headgate/policy"

_CONCLUSIONS = {
    Ending.PASSED: Conclusion.SUCCESS,
    Ending.FAILED: Conclusion.FAILURE,
    Ending.TIMED_OUT: Conclusion.TIMED_OUT,
    Ending.CRASHED: Conclusion.FAILURE,
    # The work was not judged, and a person may have to repair a runner: not a plain failure.
    Ending.COULD_NOT_RUN: Conclusion.ACTION_REQUIRED,
}


def judging(
    change: ChangeFacts, held: Iterable[GateResult] = (), gates: Sequence[GateStatus] = ()
) -> CheckRunText:
    """The verdict while the gates run, with what is known of them by now."""
    said = f"Candidate {change.candidates} of `{change.slug}`, attempt {change.attempt}."
    rows = [
        f"| `{r.gate}` | {_ended(r)} | {r.seconds:.1f} | The result of an earlier run still "
        "counts. |"
        for r in held
    ]
    rows += [
        f"| `{one.gate}` | "
        f"{(_ended(one) if one.ending else 'running' if one.is_running else 'waiting')} | "
        f"{(f'{one.seconds:.1f}' if one.ending else '')} | {inert(one.sentence)} |"
        for one in gates
    ]
    table = ["| Gate | Result | Seconds | Message |", "|---|---|---|---|", *rows]
    return CheckRunText(
        name=VERDICT_NAME,
        conclusion=None,
        title="The gates are running on this commit",
        summary=cut("\n\n".join((said, "\n".join(table))) if gates else said, 65_000),
    )


def _ended(one: GateResult | GateStatus) -> str:
    return one.ending.replace("_", " ") if one.ending else ""


def running_gate(change: ChangeFacts, one: GateStatus, judges: Judges) -> CheckRunText:
    """A gate's own check run before the report of the whole order is there."""
    if one.ending is not None:
        ended = GateResult(
            gate=one.gate,
            judges=judges,
            ending=one.ending,
            sentence=one.sentence,
            seconds=one.seconds,
            log_tail=one.log_tail,
        )
        return gate(ended)
    return CheckRunText(
        name=f"{GATE_PREFIX}{one.gate}",
        conclusion=None,
        title="Running on this commit" if one.is_running else "Waiting to start",
        summary=f"Candidate {change.candidates} of `{change.slug}`, attempt {change.attempt}.",
        is_queued=not one.is_running,
    )


def unjudged_gate(change: ChangeFacts, name: str) -> CheckRunText:
    """A gate's own check run where it was announced and will say nothing."""
    return given_up(change).replace(name=f"{GATE_PREFIX}{name}")


def given_up(change: ChangeFacts) -> CheckRunText:
    """The verdict of a candidate whose change ended before the gates did."""
    return CheckRunText(
        name=VERDICT_NAME,
        conclusion=Conclusion.CANCELLED,
        title="Not judged",
        summary=cell(change.sentence) or "The change ended before the gates finished.",
    )


def replaced(change: ChangeFacts, gate: str) -> CheckRunText:
    """The verdict, or a gate's own check run, of a candidate that another has replaced."""
    newer = f"Candidate {change.candidates} is judged now." if change.candidates else ""
    sentence = "This commit would no longer land, so it is not judged."
    return CheckRunText(
        name=f"{GATE_PREFIX}{gate}" if gate else VERDICT_NAME,
        conclusion=Conclusion.CANCELLED,
        title="Replaced by another commit",
        summary=" ".join(part for part in (sentence, newer) if part),
    )


def steered(change: ChangeFacts) -> CheckRunText:
    """The verdict of a candidate that steers its judgement."""
    return CheckRunText(
        name=VERDICT_NAME,
        conclusion=Conclusion.FAILURE,
        title="This commit changes how it is judged",
        summary=change.sentence,
    )


def verdict(policy: Policy, results: tuple[GateResult, ...]) -> CheckRunText:
    """The verdict on a commit of main after the gates ended."""
    judgement = judge(policy, results)
    green = judgement.verdict is Verdict.GREEN
    return CheckRunText(
        name=VERDICT_NAME,
        conclusion=Conclusion.SUCCESS if green else Conclusion.FAILURE,
        title=judgement.sentence[:250],
        summary=cut(gate_table(judgement.results), 65_000),
    )


def verdict_on_change(policy: Policy, results: tuple[GateResult, ...]) -> CheckRunText:
    """The verdict on a candidate; what the change introduced and what it inherited stand apart."""
    text = verdict(policy, results)
    red = (r for r in results if r.gate in policy.required_gates)
    lines = blame_lines(red)
    is_of_main = is_all_inherited(results, policy.required_gates)
    title = f"Inherited from main. {text.title}" if is_of_main else text.title
    summary = "\n\n".join((*lines, text.summary))
    summary = "\n\n".join((summary, *proof_lines(results)))
    return text.replace(title=title[:250], summary=cut(summary, 65_000))


_BUTTONS = (
    CheckAction(label="Retry", description="Try this change again", identifier=Button.RETRY.value),
    CheckAction(
        label="Explain", description="Show what it waits for", identifier=Button.EXPLAIN.value
    ),
)


def taken_back() -> CheckRunText:
    """The verdict at the head of a person's pull when its landing has ended without a merge."""
    return CheckRunText(
        name=VERDICT_NAME,
        conclusion=Conclusion.CANCELLED,
        title="This pull request is not landing",
        summary="The earlier verdict was for a landing that has ended. Headgate writes a new "
        "verdict when it next lands this pull request.",
    )


def kept_back(why: str) -> CheckRunText:
    """At the head of one of GitHub's merge groups, while nothing may land."""
    return CheckRunText(
        name=VERDICT_NAME,
        conclusion=None,
        title="The gates passed, but the queue is frozen",
        summary=f"{why} Headgate writes the verdict here when the freeze ends (`/headgate "
        "unfreeze`). If GitHub removes the pull request from its queue before that, add it "
        "to the queue again.",
    )


def dropped() -> CheckRunText:
    """At the head of a merge group that GitHub took out of its queue while the verdict was kept back."""
    return CheckRunText(
        name=VERDICT_NAME,
        conclusion=Conclusion.CANCELLED,
        title="GitHub dropped this merge group",
        summary="This commit is no longer a merge group of GitHub, so it gets no verdict. To try "
        "again, add the pull request to GitHub's merge queue again.",
    )


def of_change(
    text: CheckRunText, facts: RepositoryFacts | None, change: ChangeFacts
) -> CheckRunText:
    """With buttons, and a link to the change's issue."""
    if facts is None or change.issue is None:
        return text
    address = f"{facts.html_url}/issues/{change.issue}"
    return text.replace(details_url=address, actions=text.actions or _BUTTONS)


def gate_table(results: Iterable[GateResult]) -> str:
    rows = ["| Gate | Result | Judges | Seconds | Message |", "|---|---|---|---|---|"]
    rows += [
        f"| `{r.gate}` | {r.ending.replace('_', ' ')} | {r.judges} | {r.seconds:.1f} | "
        f"{inert(r.sentence)} |"
        for r in results
    ]
    return "\n".join(rows)


def gate(result: GateResult) -> CheckRunText:
    """A gate's own check run; published where the gate did not pass, or was seen running."""
    return CheckRunText(
        name=f"{GATE_PREFIX}{result.gate}",
        # Because of another gate it was not begun: it says nothing of its own.
        conclusion=Conclusion.CANCELLED if result.stopped_by else _CONCLUSIONS[result.ending],
        title=(cell(result.sentence) or result.ending.replace("_", " "))[:250],
        summary=gate_table((result,)),
        text=cut(fenced(result.log_tail), 65_000) if result.log_tail.strip() else "",
        annotations=tuple(_within_limits(a) for a in result.annotations[:ANNOTATIONS_MAX]),
    )


def path_in_tree(path: str) -> str:
    """The path of an annotation as one of the repository: without `..`, without characters that nobody
    sees.
    """
    parts: list[str] = []
    for part in without_unseen(path).replace("\\", "/").split("/"):
        if part == "..":
            del parts[-1:]
        elif part.strip(". ") or (part.strip() and part != "."):
            parts.append(part)
    return "/".join(parts)[:1_000] or "unknown"


def _within_limits(annotation: Annotation) -> Annotation:
    """As GitHub accepts it: lines from 1, a title of 255 characters, a message of 64 KB."""
    start = min(max(annotation.line_start, 1), LINE_MAX)
    message = without_unseen(annotation.message)
    return replace(
        annotation,
        path=path_in_tree(annotation.path),
        line_start=start,
        line_end=min(max(annotation.line_end, start), LINE_MAX),
        title=without_unseen(annotation.title)[:255],
        # A character takes at most four bytes.
        message=message[:16_000] or without_unseen(annotation.title)[:255] or "no message",
    )


LEVELS = {
    Severity.BLOCK: AnnotationLevel.FAILURE,
    Severity.ASK: AnnotationLevel.WARNING,
    Severity.WARN: AnnotationLevel.WARNING,
    Severity.INFO: AnnotationLevel.NOTICE,
}


def refusal(name: str, path: str, findings: tuple[Finding, ...]) -> CheckRunText:
    """A spec or policy file that is not used, with an annotation at each finding's line."""
    title = f"{path} cannot be used: {counted(len(findings), 'finding')}"
    if _is_no_fault(findings):
        title = f"{path} starts no work"
    return CheckRunText(
        name=name,
        conclusion=Conclusion.SUCCESS if _is_no_fault(findings) else Conclusion.FAILURE,
        title=title[:250],
        summary=cut(finding_list(path, findings), 65_000),
        annotations=tuple(
            Annotation(
                path=path_in_tree(f.path or path),
                line_start=max(f.line, 1),
                line_end=max(f.line, 1),
                level=LEVELS[f.severity],
                title=f.code.replace("_", " "),
                message=f.question or f.quote or f.code,
            )
            for f in findings[:ANNOTATIONS_MAX]
        ),
    )


def finding_list(path: str, findings: tuple[Finding, ...]) -> str:
    head = f"Headgate cannot use {code(path)} until this is fixed:"
    if _is_no_fault(findings):
        head = f"Headgate plans no work for {code(path)}:"
    rows = [head, ""]
    rows += [
        f"- {code(f'{f.path or path}:{f.line}')} {cell(f.question)}{places(f.lines)}"
        + (f" (text: “{cell(f.quote[:200])}”)" if f.quote else "")
        for f in findings[:100]
    ]
    return "\n".join(rows)


def _is_no_fault(findings: tuple[Finding, ...]) -> bool:
    """Whether the spec is only as its author wants it: all of it is done."""
    return all(f.severity is Severity.INFO for f in findings)
