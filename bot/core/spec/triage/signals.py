"""The words that a person should look at: vague words, assumptions, requirements without a text.

A table of patterns by language and the function that finds them in one requirement. Code, quotes
and ids are blanked first. A vague word with a number after it is measurable, so it is no signal.
"""

import re
from dataclasses import dataclass

from bot.core.spec.formats.prose_words import STORY
from bot.core.spec.reading import without_code_spans
from bot.core.spec.triage.prefiltered import PrefilteredPattern
from bot.core.spec.triage.words import halfwidth, modality
from bot.core.values.spec_model import Modality, Operation, Requirement, Scenario, Severity

# Anything further away is in another sentence, or in an unreadable one.
_SENTENCE_LETTERS = 600
_SENTENCE_END = re.compile(r"[.。!?;]\s|\n")


@dataclass(frozen=True, slots=True)
class Signal:
    """What was found, how serious it is, where it is in the text, and the question."""

    code: str
    severity: Severity
    at: int
    question: str


_ASSUMPTION = PrefilteredPattern(
    re.compile(r"\[ASSUMPTION[^\]]{0,400}\]|\bwe assume\b|\bassum(?:es|ing) that\b", re.IGNORECASE),
    "assum",
)
_VAGUE_WORDS = {
    "en": (
        r"fast(?<!fail[ -]fast)|quick|quickly|robust|intuitive|intuitively|user-friendly|scalable|seamless|seamlessly|appropriate|"
        "appropriately|reasonable|reasonably|graceful(?! shutdown)|gracefully|properly|"
        "as needed|if possible|as appropriate|easy to use|efficiently|"
        r"state of the art|nice(?![- ]to[- ]have)|modern"
    ),
    "fr": "rapide|rapidement|approprié|appropriée|convivial|intuitif|si possible|pertinent|efficace",
    "es": "rápido|rápidamente|adecuado|adecuada|intuitivo|si es posible|eficiente|apropiado",
    "pt": "rápido|rapidamente|adequado|adequada|intuitivo|se possível|eficiente|apropriado",
    "pl": "szybko|szybki|odpowiedni|odpowiednio|intuicyjny|w miarę możliwości|czytelny",
    "de": "schnell|angemessen|benutzerfreundlich|intuitiv|wenn möglich|geeignet",
    "ru": "быстро|быстрый|удобный|интуитивно|соответствующий|при возможности",
}
# The letters with which an alternative begins, up to the first pattern character.
_ROOT = re.compile(r"(?:^|\|)([^|(\\]+)(?:\([^)]{0,300}+\)|[^|])*+")
_VAGUE = {
    language: PrefilteredPattern(
        re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE), *_ROOT.findall(words)
    )
    for language, words in _VAGUE_WORDS.items()
}
_VAGUE_CJK = PrefilteredPattern(
    re.compile(r"合适|适当|快速|友好|尽快|必要时|適切|迅速|적절|신속"),
    *["合", "适", "快", "友", "必", "適", "迅", "적", "신"],
)
_MEASURE = re.compile(
    r"\d{1,12}(?:[.,]\d{1,12})?\s{0,3}(?:%|ms\b|s\b|sec|min|h\b|hour|day|kb|mb|gb|px|req|/s|秒|分|小时|天|毫秒|초|секунд|мс)",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|«[^»\n]{1,200}»|「[^」\n]{1,200}」|『[^』\n]{1,200}』|„[^“”\n]{1,200}[“”]|‘[^’\n]{1,80}’|(?<!\w)'[^'\n]{2,80}'(?!\w)"
)
_QUOTES = "\"'“«「『„‘"
_STORY = re.compile(
    r"\bAs (?:an?|the)\b[^\n]{0,200}\bI (?:want|need|can|would)\b|\bso that\b|\bEn tant que?\b|\bComo [^\n]{2,80}(?:quiero|quero)\b|"
    r"\*\*I (?:want|need)\b|\bJako [^\n]{2,80}chcę\b|作为.{1,60}我(?:想|希望)|以便|"
    r"として[、,].{1,120}たい|たい\s*$|そうすることで|それにより|それによって",
    re.IGNORECASE,
)
# An example after the word is the answer already, and so is what it goes by.
_EXAMPLE = re.compile(
    r"\((?:e\.? ?g\b|i\.e\b|such as|for example|never\b|z\. ?B\.|p\. ?ex|例如|如|例)", re.IGNORECASE
)
_GOES_BY = re.compile(
    r"^(?:appropri|relevant|suitable|apropri)[^.;\n]{0,50}\b(?:based on|according to|depending on|to (?:that|this|each))\b",
    re.IGNORECASE,
)
# What goes wrong is told somehow, the manner is told behind it, the means before it, the measure after it.
_TOLD_HOW = re.compile(
    r"^(?:appropriate|relevant|proper)\s+(?:[\w-]+\s+){0,2}?(?:errors?|messages?|responses?|warnings?|status(?:es)?|"
    r"(?:http )?codes?|aria|labels?|notifications?|feedback)\b|"
    r"^(?:quick|fast) (?:access|actions?|add|edit|links?|start|view|search|filters?|reference|guide|reply|tour|settings)\b|"
    r"^modern (?:web )?(?:browsers?|fonts?|hardware|devices?)\b|"
    r"^(?:appropriate|robust|modern|reasonable|scalable|properly)\b[^.;:\n()]{0,60}[(]|"
    r"^graceful(?:ly)?\b[^.;\n]{0,50}(?:\bwith\b|\bby \w+ing\b|[(:])|"
    r"^(?:ade[cq]uad|apropriad|apropiad)[oa]s? (?:a|al|à|ao|aos|às|para)\b|"
    r"^(?:appropriée?s?|adaptée?s?) (?:à|au|aux)\b",
    re.IGNORECASE,
)
_BY_MEANS = re.compile(r"(?:使用|通过|利用|采用|借助|を使って|を用いて|로)[^。，,;；\n]{1,20}$")
_EXAMPLE_LETTERS = 90
_MEANS_LETTERS = 26
_LABEL_END = re.compile(r"[^*\n]{0,60}(?:\*\*\s*[:：]|[:：]\*\*)")


def blanked(text: str) -> str:
    """Code and quotes become spaces of the same length."""
    plain = without_code_spans(text)
    for mark in _QUOTES:
        if mark in plain:
            return _QUOTED.sub(lambda m: " " * len(m.group()), plain)
    return plain


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
    return found


def vague_criterion(scenario: Scenario, language: str) -> list[Signal]:
    """Vague words in a normative criterion; other steps are not checked."""
    plain = blanked(scenario.text)
    found = _vague(plain, language)
    return found if found and modality(plain) is not Modality.UNSTATED else []


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
    return found


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
        if _is_explained(plain, match.start(), match.end()):
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
    if _STORY.search(sentence) or STORY.search(" ".join(sentence.replace("*", "").split())):
        return True
    return binds and "\n" not in sentence and modality(sentence) is Modality.UNSTATED


def _is_explained(text: str, start: int, end: int) -> bool:
    line = text[start : end + _EXAMPLE_LETTERS].partition("\n")[0]
    before = text[max(0, start - _MEANS_LETTERS) : start]
    is_told = _EXAMPLE.search(line) or _GOES_BY.match(line) or _TOLD_HOW.match(line)
    return bool(is_told or _BY_MEANS.search(before))


def _is_name(text: str, start: int, end: int) -> bool:
    """A bold label is a name, and a capital letter inside a sentence: the Clear button."""
    word = text[start:end]
    if text[max(0, start - 2) : start] == "**" and _LABEL_END.match(text, end):
        return True
    before = text[max(0, start - 80) : start].rstrip()
    return word[:1].isupper() and bool(before) and before[-1] not in ".!?:;-*|"
