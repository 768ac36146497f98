"""What a person should look at before a spec is planned: findings of the text itself.

Deterministic: signals in words, never a judgement of a model. A finding has a place, a quote and a
question, and says whether it stops the plan. Words in quotes, code and ids are no signals.
"""

from bot.core.spec.model import Finding, Severity, SpecDocument, SpecFormat
from bot.core.spec.reading import Source
from bot.core.spec.references import Known

_ORDER = {Severity.BLOCK: 0, Severity.ASK: 1, Severity.WARN: 2, Severity.INFO: 3}


def judged(document: SpecDocument, source: Source, known: Known) -> SpecDocument:
    """The document with all findings, in line order and each once."""
    del known
    findings = list(document.findings)
    if source.is_text and not (document.requirements or document.constraints or document.tasks):
        findings.append(_empty(document, source))
    unique = {(f.code, f.line, f.quote): f for f in findings}
    ordered = sorted(unique.values(), key=lambda f: (f.line, _ORDER[f.severity], f.code))
    return document.model_copy(update={"findings": tuple(ordered)})


def _empty(document: SpecDocument, source: Source) -> Finding:
    is_blank = not any(line.strip() for line in source.shown)
    if is_blank:
        code, question = "empty", "The file is empty. What should be built?"
    elif document.format is SpecFormat.UNKNOWN:
        code, question = "not_a_spec", "This is data rather than a text. Where is the spec?"
    else:
        code, question = "no_requirements", "No requirement was recognised. Which lines are they?"
    return Finding(
        code=code,
        severity=Severity.ASK,
        line=1,
        quote=next((line.strip()[:200] for line in source.lines if line.strip()), ""),
        question=question,
        path=document.path,
    )
