"""The format of a file: by its path if that is specific, else by its content.

Each sign in the text has a small integer score; a format needs four and a lead of two, otherwise
the generic reader takes the file. JSON, YAML and HTML are never specs, whatever the file's name.
"""

import re
from dataclasses import dataclass

from bot.core.spec.formats.openspec_delta import has_delta_section
from bot.core.spec.reading import Source
from bot.core.spec.story_names import REQUIREMENT_NAME
from bot.core.spec.triage.words import RFC_BOILERPLATE, RFC_KEYWORD
from bot.core.values.spec_model import SpecFormat

_SCORE_MIN = 4
_LEAD_MIN = 2

_PATHS: tuple[tuple[SpecFormat, re.Pattern[str]], ...] = tuple(
    (spec_format, re.compile(pattern, re.IGNORECASE))
    for spec_format, pattern in (
        (SpecFormat.OPENSPEC_DELTA, r"(?:^|/)openspec/changes/(?:archive/)?[^/]+/specs/.*\.md$"),
        (SpecFormat.OPENSPEC, r"(?:^|/)openspec/specs/.*\.md$"),
        (SpecFormat.GHERKIN, r"\.feature(?:\.md)?$"),
        (SpecFormat.KIRO, r"(?:^|/)\.kiro/specs/[^/]+/requirements\.md$"),
        (SpecFormat.KIRO_BUGFIX, r"(?:^|/)\.kiro/specs/[^/]+/bugfix\.md$"),
        (SpecFormat.KIRO_TASKS, r"(?:^|/)\.kiro/specs/[^/]+/tasks\.md$"),
        (
            SpecFormat.SPEC_KIT_TASKS,
            r"(?:^|/)(?:specs/\d{3,}(?:-\d{6})?-|kitty-specs/)[^/]+/tasks\.md$",
        ),
        (SpecFormat.SPEC_KIT, r"(?:^|/)constitution\.md$"),
        (SpecFormat.SPEC_KIT, r"(?:^|/)(?:specs/\d{3,}(?:-\d{6})?-|kitty-specs/)[^/]+/spec\.md$"),
    )
)

# (format, points, what to find once), over the visible text.
_SIGNS: tuple[tuple[SpecFormat, int, re.Pattern[str]], ...] = tuple(
    (spec_format, points, re.compile(pattern, re.MULTILINE))
    for spec_format, points, pattern in (
        (SpecFormat.OPENSPEC, 3, r"^###[ \t]*(?i:requirement|需求)[ \t]*[:：][ \t]*\S"),
        (SpecFormat.OPENSPEC, 2, r"^##[ \t]+(?:Requirements|需求)[ \t]*$"),
        (SpecFormat.OPENSPEC, 1, r"^####[ \t]+(?:Scenario|场景)[ \t]*[:：]"),
        (
            SpecFormat.KIRO,
            3,
            rf"^###[ \t]+(?:{REQUIREMENT_NAME})[ \t]*\d+",
        ),
        (
            SpecFormat.KIRO,
            3,
            r"^###[ \t]+Requirement[ \t]*\d+\b[^\n]*\n(?:(?!###[ \t]).*\n)*?####[ \t]+Scenario\b",
        ),
        (
            SpecFormat.KIRO,
            2,
            r"^[^\w\n]{0,8}(?:User Story|用户故事|Historia de usuario|Пользовательская история)[^\w\n]{0,8}[:：]",
        ),
        (
            SpecFormat.KIRO,
            2,
            r"^[^\w\n]{0,8}(?:Acceptance Criteria|验收标准|Критерии при[её]мки|Criterios de aceptación|Critérios de aceitação|"
            r"Critères d['’]acceptation|Kryteria akceptacji|Akzeptanzkriterien|受け?入れ?(?:基準|条件)|(?:수용|인수) 기준)[^\w\n]{0,8}$",
        ),
        (
            SpecFormat.KIRO,
            3,
            r"^[ \t]*\d+(?:\.\d+)?[.)]?[ \t]+(?:WHEN|IF|WHILE|WHERE|THE)\b[^\n]{0,400}\bSHALL\b",
        ),
        (SpecFormat.KIRO, 1, r"^# (?:Requirements Document|需求文档)"),
        (SpecFormat.KIRO_BUGFIX, 4, r"^#{2,4}[ \t]+(?:Current|Expected|Unchanged) Behaviou?r\b"),
        (SpecFormat.KIRO_BUGFIX, 5, r"^# Bugfix Requirements|^## Bug Analysis"),
        (SpecFormat.SPEC_KIT, 5, r"^# (?:Feature Spec(?:ification)?\b|.*功能规格)"),
        (SpecFormat.SPEC_KIT, 3, r"^#{3,4} (?:User Story \d|US-?\d+\b)"),
        (SpecFormat.SPEC_KIT, 2, r"\bFR-\d{2,}"),
        (SpecFormat.SPEC_KIT, 2, r"^\**Feature Branch\**[ \t]*:"),
        (SpecFormat.SPEC_KIT_TASKS, 7, r"^[ \t]*[-*][ \t]*\[[ xX]\][ \t]+\**T\d{3,}\b"),
        (
            SpecFormat.KIRO_TASKS,
            4,
            r"^[ \t]*[-*][ \t]*\[[ xX~-]\]\*?[ \t]+\d+(?:\.|(?:\.\d+)+\.?)\s",
        ),
        (SpecFormat.KIRO_TASKS, 3, r"_Requirements?: "),
        (SpecFormat.KIRO_TASKS, 2, r"^# (?:Implementation Plan|Tasks?\b)"),
        (
            SpecFormat.REQ_ID,
            5,
            r"^(?:#{2,5}[ \t]+|[ \t]*[-*][ \t]+|[ \t]*\|[ \t]*)?[*`\[]*REQ-[A-Z0-9]+(?:-[A-Z0-9]+)*(?::AC-\d+)?\b",
        ),
        (SpecFormat.REQ_ID, 4, r"^##+ AC-\d+[ \t]*[:：]"),
        (SpecFormat.REQ_ID, 4, r"^## Orchestrator Directives"),
        (SpecFormat.REQ_ID, 2, r"^## Verification Checklist"),
        (SpecFormat.MISSION, 2, r"^## (?:Goal|Intent|Mission)[ \t]*$"),
        (SpecFormat.MISSION, 2, r"^## Acceptance Criteria[ \t]*$"),
        (SpecFormat.MISSION, 1, r"^## Scope[ \t]*$"),
        (SpecFormat.MISSION, 1, r"^## Constraints[ \t]*$"),
        (SpecFormat.MISSION, 1, r"^## Interface Contracts[ \t]*$"),
        (
            SpecFormat.PRD,
            5,
            r"^#{1,3} .*(?:\bPRD\b|Product Requirements? Document|需求文档（PRD）)",
        ),
        (SpecFormat.PRD, 3, r"^##+ (?:Epic|Épica|Épique) \d"),
        (SpecFormat.PRD, 3, r"^##+ (?:User )?Story \d+\.\d+"),
        (SpecFormat.PRD, 2, r"^[^\w\n]{0,8}(?:FR|RF)-?\d+\b"),
        (SpecFormat.PRD, 2, r"^###+ (?:Non[ -]?Functional|Functional)[ \t]*$"),
        (SpecFormat.RFC2119, 5, r"^#{2,6} (?:Conditional )?Requirement \d+(?:\.\d+)+"),
    )
)
_KEYWORDS_MIN = 10
# `| FR-1 | …`, `**IF-2 — …`, `- NFR-3: …`
_DEFINES_ID = re.compile(
    r"^[ \t]*(?:\|[ \t]*|[-*+][ \t]+|#{2,6}[ \t]+)?(?:\*\*|`|\[)?[A-Z]{1,8}(?:-[A-Z]{1,8}){0,3}-?\d{1,4}[*`\]]{0,3}[ \t]*[|:：—–-]",
    re.MULTILINE,
)
_IDS_MIN = 3
_GHERKIN_HEAD = re.compile(
    r"^[ \t]*(?:#[ \t]*language[ \t]*:|@\S|[^\W\d][\w ’']{2,30}:[ \t]*\S)", re.MULTILINE
)
_GHERKIN = re.compile(
    r"^[ \t]*(?:Feature|Fonctionnalité|Característica|Funcionalidade|Funktionalität|Funkcja|Właściwość|Функция|Функционал|功能|フィーチャ|機能|기능)[ \t]*:",
    re.MULTILINE,
)
_GHERKIN_STEPS = re.compile(
    r"^[ \t]+(?:Given|When|Then|Étant donné|Soit|Quand|Alors|Dado|Cuando|Entonces|Quando|Então|Angenommen|Wenn|Dann|"
    r"Zakładając|Mając|Gdy|Kiedy|Wtedy|Допустим|Дано|Когда|Тогда|假如|假设|当|那么|前提|もし|ならば|조건|만일|그러면)\b",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Detection:
    """`confidence` is 1.0 if the path decided."""

    format: SpecFormat
    confidence: float


def detect(source: Source) -> Detection:
    if not source.is_text or is_data(source):
        return Detection(SpecFormat.UNKNOWN, 1.0)
    placed = next((f for f, pattern in _PATHS if pattern.search(source.path)), None)
    if placed is not None and placed is not SpecFormat.SPEC_KIT:
        return Detection(placed, 1.0)
    scores = _scores(source)
    ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0].value))
    best, second = ranked[0], ranked[1]
    # `specs/2026-03-x/` is a numbered folder only by accident; its text may say what it is.
    if placed is not None and (scores[placed] or best[1] < _SCORE_MIN):
        return Detection(placed, 1.0)
    if best[1] >= _SCORE_MIN and best[1] - second[1] >= _LEAD_MIN:
        return Detection(best[0], round(best[1] / (best[1] + second[1] + 1), 2))
    return Detection(SpecFormat.PROSE, 0.3)


def is_data(source: Source) -> bool:
    """Whether the text is JSON, HTML or a YAML document rather than prose."""
    head = [line.strip() for line in source.lines[:40] if line.strip()]
    if source.front_end or not head:
        return False
    if source.path.lower().endswith((".json", ".yaml", ".yml", ".html", ".xml")):
        return True
    first = head[0].lstrip("\ufeff")
    if re.match(r"^[\[{]\s*$|^\{\s*\"|^\[\s*[\[{\"]", first):
        return True
    if re.match(r"^<(?:!doctype|html|\?xml)", first, re.IGNORECASE):
        return True
    return (
        len(head) > 3
        and all(re.match(r"^(?:-\s+)?[\w.-]+:(?:\s|$)|^-\s+\S|^#", h) for h in head)
        and not any(re.match(r"^#{1,6} ", h) for h in head)
        and any(re.match(r"^[\w.-]+:(?:\s|$)", h) for h in head)
    )


def _scores(source: Source) -> dict[SpecFormat, int]:
    text = "\n".join(source.visible)
    scores = dict.fromkeys(SpecFormat, 0)
    for spec_format, points, sign in _SIGNS:
        if sign.search(text):
            scores[spec_format] += points
    if has_delta_section(source):
        scores[SpecFormat.OPENSPEC_DELTA] += 6 + scores[SpecFormat.OPENSPEC]
    if RFC_BOILERPLATE.search(text):
        scores[SpecFormat.RFC2119] += 5
    raw = "\n".join(source.lines)
    if _GHERKIN.search(raw) and _GHERKIN_HEAD.match(raw.lstrip()) and _GHERKIN_STEPS.search(raw):
        scores[SpecFormat.GHERKIN] += 8
    # Keywords alone say little: every format is full of them, and ids say more.
    is_open = max(scores.values()) < _SCORE_MIN and len(RFC_KEYWORD.findall(text)) >= _KEYWORDS_MIN
    if is_open and len(_DEFINES_ID.findall(text)) < _IDS_MIN:
        scores[SpecFormat.RFC2119] += _SCORE_MIN + _LEAD_MIN
    return scores
