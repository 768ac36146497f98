"""The check run `headgate/spec`: what was understood of specs, what blocks them, open questions.

Each finding and question links to its lines in the spec, and is also an annotation there.
"""

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import quote

from bot.core.plan.digest import SpecDigest
from bot.core.spec.triage.spec_questions import decision_on, unanswered
from bot.core.spec.triage.triage import Strictness
from bot.core.talk.checks import LEVELS, SPEC_NAME, path_in_tree
from bot.core.talk.question_text import how_to_answer, question_lines
from bot.core.talk.requirement_ids import at_pull
from bot.core.talk.text import cell, code, counted, cut, login, places
from bot.core.values.check_run import OUTPUT_BYTES_MAX, CheckRunText, Conclusion
from bot.core.values.ids import Frozen, RequirementId, Sha
from bot.core.values.question import Answer, AskedQuestions, Question
from bot.core.values.repository import RepositoryFacts
from bot.core.values.spec_model import Finding, Severity, Spec
from gates.result import Annotation, AnnotationLevel

# More annotations are not readable in a pull; the summary lists more of them.
_ANNOTATIONS_MAX = 200
_ROWS_MAX = 300
_ROOM = OUTPUT_BYTES_MAX - 535


class DigestContext(Frozen):
    """The commit that links lead to (`sha`), questions and decisions, and the policy's strictness.

    `conflicts` are the paths in which the pull conflicts with the default branch.
    """

    facts: RepositoryFacts
    sha: Sha
    asked: AskedQuestions
    decisions: Mapping[str, Answer]
    strictness: Strictness
    conflicts: tuple[str, ...] = ()


def spec_check(digests: tuple[SpecDigest, ...], context: DigestContext) -> CheckRunText:
    """The whole check run; it fails if a finding or an open question blocks the plan."""
    blocks = [f for d in digests for f in d.blocks]
    is_draft = bool(digests) and all(d.is_draft for d in digests)
    holding = () if is_draft else unanswered(context.asked, context.decisions, context.strictness)
    passes = not blocks and not holding
    parts = [_conflict_note(context), *(_summary(d, context) for d in digests)]
    parts.append(questions_text(context))
    return CheckRunText(
        name=SPEC_NAME,
        conclusion=Conclusion.SUCCESS if passes else Conclusion.FAILURE,
        title=_title(digests, len(blocks), holding, context),
        summary=cut("\n\n".join(p for p in parts if p), _ROOM),
        text=cut(
            "\n\n".join(_table(d.spec, d.ids.known, context) for d in digests if d.spec), _ROOM
        ),
        annotations=_annotations(digests, context),
    )


def questions_text(context: DigestContext) -> str:
    """The numbered questions, each with its line and its answer; empty if there are none."""
    if not context.asked.questions:
        return ""
    holding = unanswered(context.asked, context.decisions, context.strictness)
    lines = ["### Questions", ""]
    for question in context.asked.questions:
        lines += _drawn(question, question in holding, context)
    number = (*_open(context), *context.asked.questions)[0].number
    lines += [
        "",
        f"{how_to_answer(number)} Or edit the spec. An answer is valid until the text of its "
        "requirement changes.",
    ]
    return "\n".join(lines)


def _title(
    digests: tuple[SpecDigest, ...],
    blocks: int,
    holding: tuple[Question, ...],
    context: DigestContext,
) -> str:
    count = sum(len(d.spec.requirements) for d in digests if d.spec)
    parts = [counted(count, "requirement") + " understood"]
    if blocks:
        parts.append(counted(blocks, "blocking finding"))
    if holding:
        parts.append(counted(len(holding), "question") + " to answer first")
    elif context.asked.questions:
        parts.append(counted(len(context.asked.questions), "question"))
    return ", ".join(parts)[:250]


def _conflict_note(context: DigestContext) -> str:
    if not context.conflicts:
        return ""
    names = ", ".join(code(name) for name in context.conflicts[:20])
    return (
        f"This pull request has conflicts with {code(context.facts.default_branch)}: {names}. "
        "So this check reads only the text of the pull request."
    )


def _summary(digest: SpecDigest, context: DigestContext) -> str:
    lines = [f"### {code(digest.path)}", ""]
    if digest.spec is None:
        lines.append("This pull request removes the spec.")
    else:
        lines.append(_understood(digest.spec, context))
    if digest.is_draft:
        lines.append("It says `status: draft`, so its merge starts no work.")
    lines += _plan_lines(digest)
    lines += at_pull(digest.ids)
    for title, findings in (("Blocking", digest.blocks), ("Please check", digest.remarks)):
        if findings:
            lines += ["", f"**{title}**", ""]
            lines += [_finding_line(f, digest.path, context) for f in findings[:_ROWS_MAX]]
    if digest.noticed:
        lines += ["", *_noticed_lines(digest, context)]
    return "\n".join(lines)


def _understood(spec: Spec, context: DigestContext) -> str:
    formats = ", ".join(dict.fromkeys(d.format.value for d in spec.documents)) or "nothing"
    scenarios = sum(len(d.scenarios) for d in spec.documents)
    read_as = (
        f"Read as {formats}: {counted(len(spec.requirements), 'requirement')}, "
        f"{counted(scenarios, 'scenario')}."
    )
    total = sum(d.lines for d in spec.documents)
    loose = [(d.path, a, b) for d in spec.documents for a, b in d.unparsed]
    count = sum(b - a + 1 for _, a, b in loose)
    if not count or not total:
        return f"{read_as} Every line was understood."
    places = ", ".join(_link(context, path, a, b) for path, a, b in loose[:5])
    more = " …" if len(loose) > 5 else ""
    share = max(round(100 * count / total), 1)
    return (
        f"{read_as} {count} of {total} lines ({share} %) do not belong to a requirement: "
        f"{places}{more}."
    )


def _plan_lines(digest: SpecDigest) -> list[str]:
    diff = digest.diff
    if diff.is_empty:
        return ["The plan does not change."] if digest.is_work and not digest.blocks else []
    titles = {c.slug: c.title for c in digest.plan.changes} if digest.plan else {}
    lines = ["", "**The plan**", ""]
    lines += [f"- new change: `{slug}` {cell(titles.get(slug, ''))}" for slug in diff.appeared]
    for altered in diff.altered:
        what = ", ".join(a.value for a in altered.aspects)
        lines.append(f"- changed ({what}): `{altered.slug}` {cell(titles.get(altered.slug, ''))}")
    lines += [f"- removed change: `{slug}`" for slug in diff.vanished]
    return lines


def _finding_line(finding: Finding, path: str, context: DigestContext) -> str:
    quoted = f" (text: “{cell(finding.quote[:200])}”)" if finding.quote else ""
    where = _link(context, finding.path or path, finding.line, finding.line)
    return f"- {where} {cell(finding.question)}{places(finding.lines)}{quoted}"


def _noticed_lines(digest: SpecDigest, context: DigestContext) -> list[str]:
    lines = ["**Advice from a model** (it does not block the plan)", ""]
    for finding in digest.noticed:
        kind = finding.code.replace("_", " ").capitalize()
        with_kind = finding.replace(question=f"{kind}: {finding.question}")
        lines.append(_finding_line(with_kind, digest.path, context))
    lines += ["", "To follow the advice, edit the spec. The model reads a changed text again."]
    if digest.unquoted:
        what = counted(digest.unquoted, "observation")
        lines.append(f"{what} left out, because the quoted words are not in the text.")
    return lines


def added_to(text: CheckRunText, digests: tuple[SpecDigest, ...]) -> CheckRunText:
    """The text for an edit of a published check run, with only the model's annotations.

    GitHub appends annotations, so the rules' annotations are there already.
    """
    return text.replace(annotations=tuple(_noticed_notes(digests)))


def _noticed_notes(digests: tuple[SpecDigest, ...]) -> list[Annotation]:
    return [
        replace(note, title=f"Advice from a model: {note.title}")
        for digest in digests
        for note in (_note(f, digest.path) for f in digest.noticed)
    ]


def _open(context: DigestContext) -> list[Question]:
    return [q for q in context.asked.questions if decision_on(context.decisions, q) is None]


def _drawn(question: Question, is_holding: bool, context: DigestContext) -> list[str]:
    old = context.decisions.get(question.topic)
    said = []
    if old is not None:
        said.append(
            f"The answer of {login(old.author)} no longer counts, because the text has changed "
            "since then."
        )
    if is_holding:
        said.append("**The plan waits for this answer.**")
    return question_lines(
        question,
        decision_on(context.decisions, question),
        where=_link(context, question.path, question.line, question.line),
        without=" ".join(said),
    )


def _table(spec: Spec, known: Mapping[RequirementId, RequirementId], context: DigestContext) -> str:
    rows = [f"### What was understood of {code(spec.path)}", ""]
    rows += ["| Requirement | Text | Scenarios | Where |", "|---|---|---|---|"]
    for requirement in spec.requirements[:_ROWS_MAX]:
        scenarios = "<br>".join(cell(s.name, 120) for s in requirement.scenarios) or "none"
        name = requirement.source_id or requirement.title
        rid = known.get(requirement.id)
        kept = f" {code(rid)}" if rid else ""
        where = _link(context, requirement.path, requirement.line_start, requirement.line_end)
        rows.append(
            f"| {cell(name, 120)}{kept} | {cell(requirement.statement, 300)} | {scenarios} | {where} |"
        )
    return "\n".join(rows)


def _link(context: DigestContext, path: str, first: int, last: int) -> str:
    """`path:line`, linked to the lines at the commit."""
    there = f"{context.facts.html_url}/blob/{context.sha}/{quote(path, errors='replace')}"
    lines = f"L{first}" if first >= last else f"L{first}-L{last}"
    return f"[{code(f'{path}:{first}')}]({there}#{lines})"


def _annotations(digests: tuple[SpecDigest, ...], context: DigestContext) -> tuple[Annotation, ...]:
    """At most `_ANNOTATIONS_MAX`, blocking ones first; the adapter sends fifty in one request."""
    notes = [_note(f, d.path) for d in digests for f in d.blocks]
    holding = unanswered(context.asked, context.decisions, context.strictness)
    for question in _open(context):
        level = AnnotationLevel.FAILURE if question in holding else AnnotationLevel.WARNING
        text = (f"Question {question.number}", question.sentence)
        notes.append(_annotation(question.path, question.line, level, text))
    notes += [_note(f, d.path) for d in digests for f in d.remarks]
    notes += _noticed_notes(digests)
    return tuple(notes[:_ANNOTATIONS_MAX])


def _note(finding: Finding, path: str) -> Annotation:
    level = LEVELS.get(finding.severity, LEVELS[Severity.INFO])
    text = (finding.code.replace("_", " "), finding.question or finding.quote or finding.code)
    return _annotation(finding.path or path, finding.line, level, text)


def _annotation(path: str, line: int, level: AnnotationLevel, text: tuple[str, str]) -> Annotation:
    title, message = text
    return Annotation(
        path=path_in_tree(path),
        line_start=max(line, 1),
        line_end=max(line, 1),
        level=level,
        title=title,
        message=message[:16_000],
    )
