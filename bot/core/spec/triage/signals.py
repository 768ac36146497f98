"""The words that a person should look at: markers, template text, vague words, weak modality.

A table of patterns by language and the function that finds them in one requirement. Code, quotes
and ids are blanked first. A vague word with a number after it is measurable, so it is no signal.
"""

import re
from dataclasses import dataclass

from bot.core.spec.reading import without_code_spans
from bot.core.spec.triage.prefiltered import PrefilteredPattern
from bot.core.spec.triage.words import halfwidth, modality
from bot.core.values.spec_model import Modality, Operation, Requirement, Scenario, Severity

# Anything further away is in another sentence, or in an unreadable one.
_SENTENCE_LETTERS = 600
_SENTENCE_END = re.compile(r"[.。!?;]\s|\n")
# Longer than this and a requirement says several things (OpenSpec tells at the same length).
_LONG_LETTERS = 500


@dataclass(frozen=True, slots=True)
class Signal:
    """What was found, how serious it is, where it is in the text, and the question."""

    code: str
    severity: Severity
    at: int
    question: str


# Every repetition has a bound: a mark that is never closed must not be searched to the end each time.
_CLARIFY = PrefilteredPattern(
    re.compile(r"\[ {0,3}NEEDS?[ _]CLARIFICATION([^\]\n]{0,400})\]", re.IGNORECASE), "["
)
# fmt: off
_MARKERS = PrefilteredPattern(
    re.compile(
        r"\b(?:TBD|TBC|TKTK|FIXME|XXX)\b|\?\?\?|<(?:placeholder|fill[ _-]in|your[ _-][a-z ]+)>|"
        r"待定|待补充|待确认|未定|미정|[àÀ] définir|por definir|a definir\b|do ustalenia|уточняется"
    ),
    "tbd", "tbc", "tktk", "fixme", "xxx", "???", "<", "待", "未定", "미정", "définir", "definir",
    "ustalenia", "уточняется",
)
# fmt: on
_TODO = PrefilteredPattern(
    re.compile(
        r"(?:^|[(\[*-]\s*)TODO\b|\bTODO\b(?=\s*(?:[:.)\]-]|$))|(?i:\btodo\b)(?=\s*:)",
        re.MULTILINE,
    ),
    "todo",
)
_TODO_LATIN = PrefilteredPattern(re.compile(r"\bTODO\s*[:(\])]|\[TODO"), "todo")
_TEMPLATE = re.compile(
    r"\[(?:specific|e\.g\.|brief|describe|capability|key interaction|data requirement|behavior|feature name|title|"
    r"insert|your|placeholder|measurable|user type)\b[^\]\n]{0,200}\](?!\()|"
    r"\[(?:FEATURE NAME|FEATURE|DATE|PROJECT NAME|NAME|###-feature-name)\](?!\()"
)
_ASSUMPTION = PrefilteredPattern(
    re.compile(r"\[ASSUMPTION[^\]]{0,400}\]|\bwe assume\b|\bassum(?:es|ing) that\b", re.IGNORECASE),
    "assum",
)
_VAGUE_WORDS = {
    "en": (
        "fast|quick|quickly|robust|intuitive|intuitively|user-friendly|scalable|seamless|seamlessly|appropriate|"
        "appropriately|reasonable|reasonably|graceful|gracefully|properly|securely|clear(?! (?:the|all|any|its|their|out)\\b)|clearly|"
        "immediately(?! (?:following|after|before|below|above|adjacent|preceding))|"
        "as needed|if possible|relevant|various|several|etc\\.?|and/or|as appropriate|easy to use|efficiently|"
        "state of the art|nice|modern"
    ),
    "fr": "rapide|rapidement|approprié|appropriée|convivial|intuitif|si possible|etc\\.?|divers|pertinent|efficace",
    "es": "rápido|rápidamente|adecuado|adecuada|intuitivo|si es posible|etc\\.?|varios|relevante|eficiente|apropiado",
    "pt": "rápido|rapidamente|adequado|adequada|intuitivo|se possível|etc\\.?|vários|relevante|eficiente|apropriado",
    "pl": "szybko|szybki|odpowiedni|odpowiednio|intuicyjny|w miarę możliwości|itp\\.?|różne|czytelny",
    "de": "schnell|angemessen|benutzerfreundlich|intuitiv|wenn möglich|usw\\.?|verschiedene|geeignet",
    "ru": "быстро|быстрый|удобный|интуитивно|соответствующий|при возможности|и т\\.\\s?д\\.?|различные",
}
# The letters with which an alternative begins, up to the first pattern character.
_ROOT = re.compile(r"(?:^|\|)([^|(\\]+)(?:\([^)]*\)|[^|])*")
_VAGUE = {
    language: PrefilteredPattern(
        re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE), *_ROOT.findall(words)
    )
    for language, words in _VAGUE_WORDS.items()
}
_VAGUE_CJK = PrefilteredPattern(
    re.compile(r"合适|适当|快速|友好|等等|尽快|必要时|相关的|適切|迅速|など|적절|신속|등등"),
    *["合", "适", "快", "友", "等", "必", "相", "適", "迅", "な", "적", "신", "등"],
)
_MEASURE = re.compile(
    r"\d{1,12}(?:[.,]\d{1,12})?\s{0,3}(?:%|ms\b|s\b|sec|min|h\b|hour|day|kb|mb|gb|px|req|/s|秒|分|小时|天|毫秒|초|секунд|мс)",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|«[^»\n]{1,200}»|「[^」\n]{1,200}」|(?<!\w)'[^'\n]{2,80}'(?!\w)"
)
_QUOTES = "\"'“«「"
_STORY = re.compile(
    r"\bAs (?:an?|the)\b[^\n]{0,200}\bI (?:want|need|can|would)\b|\bso that\b|\bEn tant que?\b|\bComo [^\n]{2,80}(?:quiero|quero)\b|"
    r"\bJako [^\n]{2,80}chcę\b|作为.{1,60}我(?:想|希望)|以便",
    re.IGNORECASE,
)
_MODAL = re.compile(r"\b(?:MUST|SHALL|SHOULD|MAY|must|shall|should)\b")
_SENTENCES = re.compile(r"(?<=[.!?;])\s+")
_CONDITION = re.compile(
    r"\b(?:if|when|where|while|unless|only|until|after|before)\b", re.IGNORECASE
)
_PASSIVE = re.compile(
    r"^(?:is|are|be|gets?|(?:must|shall|should|will) be)\s+\w+(?:ed|en|wn)\b", re.IGNORECASE
)
_UNBOUNDED = re.compile(
    r"\b(?:always|never|any|every|all)\b(?!\s+(?:of the|listed|following|these|those|\d))",
    re.IGNORECASE,
)
# fmt: off
_QUALITY = PrefilteredPattern(
    re.compile(
        r"\b(?:latency|availability|uptime|throughput|response times?|performance|scalability|disponibilidad|disponibilité|性能|可用性|延迟)\b|性能|可用性|延迟",
        re.IGNORECASE,
    ),
    "latency", "availability", "uptime", "throughput", "response time", "performance", "scalability",
    "disponibili", "性能", "可用性", "延迟",
)
# fmt: on
_DIGIT = re.compile(r"\d")


def blanked(text: str) -> str:
    """Code and quotes become spaces of the same length."""
    plain = without_code_spans(text)
    for mark in _QUOTES:
        if mark in plain:
            return _QUOTED.sub(lambda m: " " * len(m.group()), plain)
    return plain


def markers(text: str, language: str) -> list[Signal]:
    """Open questions and unfilled template text, anywhere in the text."""
    found = []
    for match in _CLARIFY.finditer(text):
        words = match.group(1).strip(" \t:：") or "What is meant?"
        found.append(Signal("marker", Severity.BLOCK, match.start(), words))
    plain = blanked(text)
    todo = _TODO_LATIN if language in ("es", "pt", "it", "fr") else _TODO
    for pattern in (_MARKERS, todo):
        match_or_none = pattern.search(plain)
        if match_or_none:
            found.append(
                Signal(
                    "marker",
                    Severity.BLOCK,
                    match_or_none.start(),
                    "This is left open. What should it say?",
                )
            )
    template = _TEMPLATE.search(plain)
    if template:
        question = "This is the template's own text. What should it say?"
        found.append(Signal("template", Severity.BLOCK, template.start(), question))
    return found


def signals(requirement: Requirement, language: str) -> list[Signal]:
    """Positions are relative to the statement."""
    text = requirement.statement
    plain = blanked(text)
    found = _shape(requirement, plain)
    found += _vague(plain, language)
    assumption = _ASSUMPTION.search(text)
    if assumption:
        found.append(
            Signal("assumption", Severity.INFO, assumption.start(), "Is this assumption right?")
        )
    unbounded = _UNBOUNDED.search(plain) if language == "en" else None
    if unbounded:
        question = f"'{unbounded.group()}' without a limit: which ones, and until when?"
        found.append(Signal("unbounded", Severity.INFO, unbounded.start(), question))
    if is_unmeasured(plain) and modality(plain) is not Modality.UNSTATED:
        found.append(
            Signal("unmeasured_nfr", Severity.WARN, 0, "By which number is this measured?")
        )
    return found


def vague_criterion(scenario: Scenario, language: str) -> list[Signal]:
    """Vague words in a normative criterion; other steps are not checked."""
    plain = blanked(scenario.text)
    found = _vague(plain, language)
    return found if found and modality(plain) is not Modality.UNSTATED else []


def is_unmeasured(text: str) -> bool:
    """Whether a text names a quality without a number."""
    return not _DIGIT.search(text) and bool(_QUALITY.search(text))


def _shape(requirement: Requirement, plain: str) -> list[Signal]:
    found = []
    if requirement.operation in (Operation.REMOVED, Operation.RENAMED):
        return []
    if not plain.strip() and not requirement.statement.strip():
        code, question = "empty_body", "There is a title and no text. What must be true?"
        if re.search(r"\b(?:SHALL|MUST)\b", requirement.title):
            code, question = (
                "header_only",
                "Only the title says what must be. Should the text say it?",
            )
        found.append(Signal(code, Severity.ASK, 0, question))
    if len(requirement.statement) > _LONG_LETTERS:
        found.append(
            Signal(
                "compound",
                Severity.INFO,
                0,
                f"More than {_LONG_LETTERS} letters: is this one requirement?",
            )
        )
    else:
        sentence = _of_two_obligations(plain)
        if sentence:
            at = plain.find(sentence)
            found.append(
                Signal(
                    "compound",
                    Severity.INFO,
                    max(at, 0),
                    "Two obligations in one sentence: one requirement or two?",
                )
            )
    if requirement.modality in (Modality.SHOULD, Modality.MAY) and not _CONDITION.search(plain):
        found.append(
            Signal(
                "modality",
                Severity.INFO,
                0,
                f"'{requirement.modality.value}' without a condition: must it be built?",
            )
        )
    passive = _PASSIVE.match(plain.strip())
    if passive:
        found.append(Signal("no_actor", Severity.INFO, 0, "Who or what does this?"))
    return found


def _of_two_obligations(plain: str) -> str | None:
    """The first sentence with two modal verbs; few texts have any."""
    if len(_MODAL.findall(plain)) < 2:
        return None
    return next((s for s in _SENTENCES.split(plain) if len(_MODAL.findall(s)) > 1), None)


def _vague(plain: str, language: str) -> list[Signal]:
    pattern = _VAGUE_CJK if language in ("zh", "ja", "ko") else _VAGUE.get(language, _VAGUE["en"])
    found: dict[str, Signal] = {}
    binds: bool | None = None
    for match in pattern.finditer(halfwidth(plain)):
        word = match.group().lower()
        if word in found:
            continue
        sentence = _around(plain, match.start(), match.end())
        if _MEASURE.search(sentence) or _is_name(plain, match.start(), match.end()):
            continue
        binds = modality(plain) is not Modality.UNSTATED if binds is None else binds
        if _is_reason(sentence, binds):
            continue
        question = f"What does '{match.group()}' mean here, as a number or an example?"
        found[word] = Signal("vague", Severity.WARN, match.start(), question)
    return list(found.values())


def _around(text: str, start: int, end: int) -> str:
    """The sentence at a position, cut to a readable length."""
    first = max(0, start - _SENTENCE_LETTERS)
    begin = max(text.rfind(mark, first, start) for mark in (".", "。"))
    stop = _SENTENCE_END.search(text, end, end + _SENTENCE_LETTERS)
    return text[max(begin + 1, first) : stop.start() if stop else end + _SENTENCE_LETTERS]


def _is_reason(sentence: str, binds: bool) -> bool:
    """Whether the sentence is not normative or gives a reason: any words are allowed there."""
    if _STORY.search(sentence):
        return True
    return binds and "\n" not in sentence and modality(sentence) is Modality.UNSTATED


def _is_name(text: str, start: int, end: int) -> bool:
    """A capital letter inside a sentence is a name: the Clear button, the Quick mode."""
    word = text[start:end]
    before = text[max(0, start - 80) : start].rstrip()
    return word[:1].isupper() and bool(before) and before[-1] not in ".!?:;-*|"
