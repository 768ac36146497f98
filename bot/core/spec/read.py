"""From bytes to a spec: the entry to all readers.

A file is decoded, its format is detected, that format's reader reads it, and ids, references and
findings are added. If a reader finds nothing in a file that it got because of the path, the readers
of ids and rules try, and the document is read with less confidence. The same bytes at the same path give the same value.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from bot.core.spec import done_marks
from bot.core.spec.archive.unplanned import unplanned
from bot.core.spec.detect import Detection, detect
from bot.core.spec.drafts import Reading, requirements_of
from bot.core.spec.formats import (
    folder_pages,
    gherkin,
    kiro,
    mission,
    openspec,
    openspec_delta,
    prd,
    prose,
    req_id,
    rfc2119,
    spec_kit,
    tasks,
)
from bot.core.spec.formats.story_order import story_order
from bot.core.spec.line_owners import first_owners
from bot.core.spec.reading import Source, read_source
from bot.core.spec.references import Known, linked
from bot.core.spec.roots import is_bmad_page, key_of
from bot.core.spec.stories import story_id
from bot.core.spec.ticked_tasks import NOTHING_TICKED, Ticked
from bot.core.spec.triage import triage
from bot.core.spec.triage.words import language_of, normal_status, status_of
from bot.core.spec.unseen_text import unseen_beside
from bot.core.values.spec_model import Finding, Severity, Spec, SpecDocument, SpecFormat

Reader = Callable[[Source], Reading]

_READERS: dict[SpecFormat, tuple[Reader, ...]] = {
    SpecFormat.OPENSPEC: (openspec.read, req_id.read, prose.read_rules),
    SpecFormat.OPENSPEC_DELTA: (openspec_delta.read, openspec.read, req_id.read, prose.read_rules),
    SpecFormat.REQ_ID: (req_id.read, prose.read_rules),
    SpecFormat.SPEC_KIT: (spec_kit.read, prose.read_rules, folder_pages.read),
    SpecFormat.SPEC_KIT_TASKS: (tasks.read,),
    SpecFormat.KIRO: (kiro.read, spec_kit.read, prose.read_rules, folder_pages.read),
    SpecFormat.KIRO_BUGFIX: (kiro.read, prose.read_rules),
    SpecFormat.KIRO_TASKS: (tasks.read,),
    SpecFormat.MISSION: (mission.read, prose.read),
    SpecFormat.PRD: (prd.read, prose.read),
    SpecFormat.RFC2119: (rfc2119.read,),
    SpecFormat.GHERKIN: (gherkin.read,),
    SpecFormat.PROSE: (prose.read,),
    SpecFormat.UNKNOWN: (),
}
_STATUS_LINES = 40


@dataclass(frozen=True, slots=True)
class _Parsed:
    source: Source
    detection: Detection
    reading: Reading


def read_document(path: str, raw: bytes) -> SpecDocument:
    """Never raises; what cannot be read is a finding."""
    parsed = _parsed(path, raw)
    known = Known()
    known.add(parsed.reading.drafts)
    return _document(parsed, key_of(path), known, Counter(), NOTHING_TICKED)


def read_spec(path: str, files: Mapping[str, bytes]) -> Spec:
    """The spec at a file or folder. `files` maps repository paths to bytes; others are ignored.

    Of a folder only the files that hold requirements are read: `specs/**/*.md` of an OpenSpec delta
    folder, `spec.md`, `requirements.md` or `bugfix.md` of a spec-kit or Kiro folder, the epics of a
    BMAD folder or else its page, else all specs that are not hidden.
    The list of tasks beside them is kept for the plan.
    """
    chosen = _chosen(path, sorted(files))
    parsed = [_parsed(name, files[name]) for name in chosen]
    known = Known()
    for one in parsed:
        known.add(one.reading.drafts)
    ids = [d.source_id for one in parsed for d in one.reading.drafts if d.source_id]
    stories = (s for one in parsed for s in one.reading.stories)
    ids += [f"US{n}" for s in stories if (n := story_id(s.title))]
    listed = tasks.beside(path, files, ids)
    key, taken = key_of(path), Counter[str]()
    documents = tuple(_document(one, key, known, taken, listed.ticked) for one in parsed)
    documents = _in_authors_order(path, files, documents)
    if documents and (hidden := tuple(unseen_beside(path, files, chosen))):
        first = documents[0]
        documents = (first.replace(findings=(*first.findings, *hidden)), *documents[1:])
    if documents:
        first = documents[0]
        if not first.tasks:
            first = first.replace(tasks=listed.tasks)
        order = (*first.story_order, *listed.story_order)
        findings = (*first.findings, *listed.findings)
        documents = (first.replace(story_order=order, findings=findings), *documents[1:])
    return Spec(path=path, key=key, documents=documents)


def _in_authors_order(
    path: str, files: Mapping[str, bytes], documents: tuple[SpecDocument, ...]
) -> tuple[SpecDocument, ...]:
    """The capabilities of a delta as its proposal lists them: folders stand in the order of letters."""
    proposal = files.get(f"{path.rstrip('/')}/proposal.md")
    if proposal is None or len(documents) < 2:
        return documents
    text = proposal.decode(errors="replace")
    listed = re.split(r"^#+ Capabilities\b", text, maxsplit=1, flags=re.MULTILINE)[-1]

    def place(document: SpecDocument) -> int:
        capability = document.path.split("/")[-2:][0]
        at = listed.find(f"`{capability}`")
        return at if at >= 0 else len(listed)

    return tuple(sorted(documents, key=place))


def _chosen(path: str, names: list[str]) -> list[str]:
    if path in names:
        return [path]
    folder = path.rstrip("/") + "/"
    inside = [n for n in names if n.startswith(folder)]
    if re.search(r"(?:^|/)openspec/changes/[^/]+/?$", path):
        deltas = f"{folder}specs/"
        return [n for n in inside if n.startswith(deltas) and n.endswith(".md")]
    main = [
        n for n in inside if re.search(r"(?<!/checklists)/(?:spec|requirements|bugfix)\.md$", n)
    ]
    # Epics of BMAD say again what the page, the reports and the notes beside them say.
    epics = [n for n in inside if re.search(r"/epics(?:/[^/]+)?\.md$", n, re.IGNORECASE)]
    page = [n for n in inside if is_bmad_page(n)]
    shown = [n for n in inside if not re.search(r"(?:^|/)\.", n.removeprefix(folder))]
    return (
        main or epics or page or [n for n in shown if re.search(r"\.(?:md|markdown|feature)$", n)]
    )


def _parsed(path: str, raw: bytes) -> _Parsed:
    source = read_source(path, raw)
    detection = detect(source)
    if detection.format is SpecFormat.UNKNOWN:
        return _Parsed(source, detection, Reading())
    readers = _READERS[detection.format]
    reading = readers[0](source)
    if reading.drafts or _has_answer(detection.format, source):
        return _Parsed(source, detection, reading)
    for reader in readers[1:]:
        other = reader(source)
        if other.drafts:
            doubt = Detection(detection.format, min(detection.confidence, 0.5))
            findings = (*other.findings, *reading.findings)
            if detection.format is SpecFormat.OPENSPEC_DELTA:
                findings = (*findings, _no_delta(source))
            return _Parsed(source, doubt, replace(other, findings=findings))
    return _Parsed(source, detection, reading)


def _has_answer(spec_format: SpecFormat, source: Source) -> bool:
    """A delta with empty sections is an empty delta, not a file in another format."""
    return spec_format is SpecFormat.OPENSPEC_DELTA and openspec_delta.has_delta_section(source)


def _no_delta(source: Source) -> Finding:
    return Finding(
        code="other_form",
        severity=Severity.ASK,
        line=1,
        quote=next((line.strip()[:200] for line in source.shown if line.strip()), ""),
        question=(
            "This delta has no ADDED, MODIFIED, REMOVED or RENAMED section, so OpenSpec cannot "
            "archive it. Should its requirements stand under '## ADDED Requirements'?"
        ),
        path=source.path,
    )


def _document(
    parsed: _Parsed, key: str, known: Known, taken: Counter[str], listed: Ticked
) -> SpecDocument:
    source, reading = parsed.source, parsed.reading
    drafts, too_many = linked(source, reading.drafts, known)
    requirements, doubles = requirements_of(key, source, drafts, taken)
    unseen = unplanned(source, parsed.detection.format, reading.drafts) if source.is_text else ()
    done = done_marks.told(source.path, requirements)
    document = SpecDocument(
        path=source.path,
        format=parsed.detection.format,
        confidence=parsed.detection.confidence,
        title=reading.title or source.front_value("title", "name") or "",
        language=language_of("\n".join(source.visible)),
        lines=len(source.lines),
        status=_status(source),
        requirements=listed.marked(requirements),
        findings=(*source.findings, *reading.findings, *too_many, *doubles, *unseen, *done),
        unparsed=_unparsed(source, reading),
        stories=reading.stories,
        constraints=reading.constraints,
        tasks=reading.tasks,
        epics=reading.epics,
        story_order=tuple(story_order(source)) if reading.stories else (),
    )
    return triage.judged(document, source, known)


def _status(source: Source) -> str | None:
    stated = source.front_value("status", "state")
    if stated:
        return normal_status(stated)
    return next((s for line in source.shown[:_STATUS_LINES] if (s := status_of(line))), None)


def _unparsed(source: Source, reading: Reading) -> tuple[tuple[int, int], ...]:
    """Ranges of lines with text that belongs to nothing."""
    ranges = [
        *((d.line_start, d.line_end) for d in reading.drafts),
        *((s.line_start, s.line_end) for s in reading.stories),
        *((c.line, c.line) for c in reading.constraints),
        *reading.context,
    ]
    owned = first_owners((max(start, 1), min(end, len(source.lines))) for start, end in ranges)
    found: list[tuple[int, int]] = []
    last_words = 0
    for line, text in enumerate(source.shown, 1):
        if line in owned:
            last_words = 0
        elif text.strip():
            if last_words:
                found[-1] = (found[-1][0], line)
            else:
                found.append((line, line))
            last_words = line
    return tuple(found)
