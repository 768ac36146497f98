"""What an author left open: `[NEEDS CLARIFICATION: …]`, TBD where a value should stand, template text.

Such a word may be the product's own: a status, a number format, a placeholder that the feature
writes, a marker that a linter looks for. So each word counts only in a form that says "open" and
nothing else; what could be either is asked and does not block.
"""

import re
from collections.abc import Iterator, Sequence

from bot.core.spec.reading import Source
from bot.core.spec.template_text import template_at
from bot.core.spec.triage.prefiltered import PrefilteredPattern
from bot.core.spec.triage.signals import Signal, blanked
from bot.core.values.spec_model import Severity

_LEFT_OPEN = "This is left open. What should it say?"
_MEANT = "What is meant?"
# Every repetition has a bound: a mark that is never closed must not be searched to the end each time.
_CLARIFY = PrefilteredPattern(
    re.compile(r"\[ {0,3}NEEDS?[ _]CLARIFICATION([^\]\n]{0,400})\]", re.IGNORECASE), "["
)
_WORD = PrefilteredPattern(
    re.compile(r"(?<![\w<#/.@-])(?:TBD|TBC|TKTK)(?![\w/=>-])|(?<![\w?*!])\?{3}(?![\w?*!-])"),
    "tbd", "tbc", "tktk", "???",
)  # fmt: skip
# These words are nouns of many products, so they need a colon or brackets.
_LABELLED = PrefilteredPattern(
    re.compile(
        r"(?:^|[.;(\[|。；（【]\s{0,3}|[-*+]\s{1,3}(?:\[[ x]\]\s{1,3})?)(?:\*\*)?(?:TODO|FIXME|XXX)"
        r"(?:\*\*)?\s{0,2}(?:\([^)\n]{1,40}\))?\s{0,2}[:：](?:\*\*)?\s{0,3}[^\s)\]|]|"
        r"[\[【](?:TODO|FIXME)[\]】]|[:=：]\s{1,3}(?:TODO|FIXME)\s{0,3}(?=[.;)\]|。；]|$)|"
        # A heading of what is to be done leaves no value open.
        r"^[^\w#]{0,8}(?:TODO|FIXME)\W{0,8}$",
    ),
    "todo", "fixme", "xxx",
)  # fmt: skip
_CLAUSE_END = r"(?=\s{0,3}(?:[.;,)\]|。．；，）】」]|$))"
# fmt: off
_PHRASE = PrefilteredPattern(
    re.compile(
        r"(?:待定|待补充|待補充|(?<=[:：|（(【\[])\s{0,3}待确认)(?=\s{0,3}(?:[.;)\]|。；）】]|$))|"
        r"未定(?=\s{0,3}(?:[.;)\]|。．；）】]|$|です|である|とする))|"
        r"미정(?=\s{0,3}(?:[.;)\]|）】]|$|이다|입니다))|"
        rf"\b(?:[àÀ] définir|por definir|a definir|da definire|do ustalenia|noch zu (?:klären|definieren))\b{_CLAUSE_END}|"
        rf"(?:уточняется|будет уточнено){_CLAUSE_END}"
    ),
    "待定", "待补充", "待補充", "待确认", "未定", "미정", "définir", "definir", "definire",
    "ustalenia", "noch zu", "уточня", "уточнено",
)
# fmt: on
_SAID_BEFORE = re.compile(
    r"(?:\b(?:no|any|without|remaining|unresolved|markers?|marked(?: as)?|label(?:s|led|led as)?|tag(?:s|ged)?|"
    r"placeholders?|literal|word|tokens?|strings?|comments?|shows?|shown(?: as)?|displays?|displayed(?: as)?|prints?|printed|"
    r"says?|writes?|written|renders?|rendered|inserts?|emits?|outputs?|contains?|becomes?|as|like|e\.g\.)|"
    r"\b(?:status|state|statut|estado|stato|stan|zustand|статус)(?:es|s)?(?: (?:is|as|to|est|es|é|ist))?\s?[:=(]?|"
    r"(?:状态|狀態|状態|ステータス|상태)[^。.|]{0,8}?|[为為成到]|显示|標記|标记|と表示)\s{0,2}[\"'“「『(]?\s{0,2}$",
    re.IGNORECASE,
)
# What stands before brackets that are only spoken of.
_NAMED_BEFORE = re.compile(
    r"\b(?:no|any|remaining|unresolved|markers?|marked(?: as| with)?|placeholders?|tags?|tagged(?: as| with)?|literal|"
    r"such as|like|contains?|has|have|finds?)\s{0,2}$",
    re.IGNORECASE,
)
_SAID_AFTER = re.compile(
    r"^[\"'”」』]?\s{0,2}(?:markers?|placeholders?|comments?|labels?|status(?:es)?|states?|badges?|tags?|lists?|sections?|strings?|"
    r"words?|tokens?|prefix(?:es)?|columns?|apps?|boards?|状态|狀態|状態|상태|ステータス|という|と表示)(?![\w])",
    re.IGNORECASE,
)
_OTHER_WORD = r"(?:TODO|FIXME|TBC|TBD|TKTK|XXX|N/A|\?\?\?)"
_ARROW = r"(?:→|->|=>|⇒|/)"
_LISTED = re.compile(
    rf"(?:\b{_OTHER_WORD}|\?\?\?)\s{{0,2}}(?:[,/、|]|or|and|und|ou|o|y|e|lub|или|和)\s{{0,2}}$|\w\s{{0,2}}{_ARROW}\s{{0,2}}$"
)
_LISTING = re.compile(
    rf"^\s{{0,2}}(?:[,/、]|or|and|und|ou|o|y|e|lub|или|和)\s{{0,2}}{_OTHER_WORD}|^\s{{0,2}}{_ARROW}\s{{0,2}}\w"
)
_ENUMERATED = re.compile(r"\b[A-Z][A-Z_]{2,30}\s{0,2}(?:,|/|、|,? or)\s{0,2}$")
_ENUMERATING = re.compile(r"^\s{0,2}(?:,|/|、|,? or)\s{0,2}[A-Z][A-Z_]{2,30}\b")
_STATUS = re.compile(r"\b(?:status|state)\b", re.IGNORECASE)
_NO_QUESTION = re.compile(
    r"^\s*+[:：]?+\s*+(?:…|\.\.\.|question|xxx|reason|description)\s*+$", re.I
)
# A box that a site folds: `??? info "More"`.
_FOLDED = re.compile(r"\?{3}\+?\s{1,3}[a-z]{3,12}(?:\s{1,3}\"|\s*$)")
# A line that says where else something is told.
_POINTER = re.compile(
    r"^\W{0,8}(?:where(?: it)? (?:lives|is)|see(?: also)?|source|link|docs?|documentation|reference|related|"
    r"где (?:жив[её]т|описано)|см\.?|источник|ссылк[аи]|siehe(?: auch)?|quelle|voir|source|ver(?: también)?|fuente|vedi|参照|関連|参考|참고|参见)[^\n:：]{0,20}[:：]",
    re.IGNORECASE,
)
# `2. TODO: Ask the service for the rates`.
_WORK_TO_DO = re.compile(
    r"^\W{0,8}+(?:\d{1,3}[.)]\s{1,3}+)?\W{0,4}+(?:TODO|FIXME)\s?[:：]\s{0,3}+[^\s?？]++\s++[^\s?？]++\s++[^?？\n]*+$"
)
_ENDS = re.compile(r"^[\s.;,)|*_]*$")
_SETTLED = re.compile(r"^[:：\s]*(?:resolved|answered|decided|clarified|closed)\b", re.IGNORECASE)
_SETTLED_AFTER = re.compile(
    r"^(?:~~|\*\*|__)*\s{0,2}(?:→|->|=>|⇒|[(*_]{0,3}(?:resolved|answered|decided)\b)", re.IGNORECASE
)
_AROUND = 60

_CLARIFICATIONS = re.compile(
    r"^#{1,6}\s+(?:\d+[.)]?\s*)?.{0,20}(?:clarificat|clarificac|aclaracion|klärung|klarstellung|уточнени|澄清|確認事項|明確化|명확화|questions? (?:and|&) answers?|q ?& ?a\b)",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"(?:→|->|=>|⇒)\s{0,3}\S|^\W{0,8}(?:A|Answer|Réponse|Respuesta|Resposta|Antwort|Odpowiedź|Ответ|答|回答|답변|답|Decision)\d{0,3}\W{0,4}[:：]\W{0,4}\w",
    re.IGNORECASE,
)
_ANSWER_LINES = 4


def markers(text: str) -> list[Signal]:
    """What is left open in a text of one line; at most one open word is told."""
    plain = blanked(text)
    found = [
        Signal("marker", Severity.BLOCK, match.start(), match.group(1).strip(" \t:：") or _MEANT)
        for match in _CLARIFY.finditer(plain)
        if _asks(plain, match)
    ]
    word = None if found else next(_open_words(plain), None)
    if word:
        found.append(word)
    at = template_at(plain)
    if at is not None:
        question = "This is the template's own text. What should it say?"
        found.append(Signal("template", Severity.BLOCK, at, question))
    return found


def _asks(plain: str, match: re.Match[str]) -> bool:
    """Whether the brackets hold a question, and are not talked about or settled."""
    inner, after = match.group(1), plain[match.end() : match.end() + _AROUND]
    if _SETTLED.match(inner) or _SETTLED_AFTER.match(after) or _is_struck(plain, match):
        return False
    if not inner.strip(" :：") and not _ENDS.match(after):
        return False
    before = plain[max(0, match.start() - _AROUND) : match.start()]
    is_named = _NAMED_BEFORE.search(before) or _SAID_AFTER.match(after)
    return not (is_named or _NO_QUESTION.match(inner))


def _is_struck(plain: str, match: re.Match[str]) -> bool:
    return plain.endswith("~~", 0, match.start()) and plain.startswith("~~", match.end())


def _open_words(plain: str) -> Iterator[Signal]:
    for pattern in (_WORD, _LABELLED, _PHRASE):
        for match in pattern.finditer(plain):
            if not _is_mentioned(plain, match):
                severity = Severity.ASK if _may_be_a_name(plain, match) else Severity.BLOCK
                yield Signal("marker", severity, match.start(), _LEFT_OPEN)


def _is_mentioned(plain: str, match: re.Match[str]) -> bool:
    """Whether the sentence speaks of the word itself: it writes it, counts it or forbids it."""
    before = plain[max(0, match.start() - _AROUND) : match.start()]
    after = plain[match.end() : match.end() + _AROUND]
    if not before.strip() and _FOLDED.match(plain, match.start()):
        return True
    if _SAID_BEFORE.search(before) or _SAID_AFTER.match(after):
        return True
    return bool(_LISTED.search(before) or _LISTING.match(after))


def _may_be_a_name(plain: str, match: re.Match[str]) -> bool:
    """Whether the word may be one of the product's states, or an aside: `Where it is told: CRM (TBD)`."""
    if plain.lstrip().startswith("|"):
        return False
    # What is to be done is said.
    if _WORK_TO_DO.match(plain):
        return True
    before = plain[max(0, match.start() - _AROUND) : match.start()]
    after = plain[match.end() : match.end() + _AROUND]
    if _ENUMERATED.search(before) or _ENUMERATING.match(after):
        return True
    if _POINTER.match(plain) and before.endswith("(") and after.startswith(")"):
        return True
    return bool(_STATUS.search(before))


def answered_lines(source: Source) -> frozenset[int]:
    """The lines of a chapter of clarifications whose question has its answer."""
    found: set[int] = set()
    inside = False
    for line, text in enumerate(source.visible, 1):
        if text.startswith("#"):
            level_is_day = inside and re.match(r"^#{3,6}\s+(?:session|\d{4}-\d\d)", text, re.I)
            inside = bool(level_is_day or _CLARIFICATIONS.match(text))
        elif inside and text.strip() and _has_answer(source.visible, line):
            found.add(line)
    return frozenset(found)


def _has_answer(lines: Sequence[str], line: int) -> bool:
    following = lines[line - 1 : line - 1 + _ANSWER_LINES]
    for position, text in enumerate(following):
        if position and re.match(r"^\s*+[-*]?+\s*+\W{0,4}Q(?:uestion)?\d{0,3}\W{0,4}[:：]", text):
            return False
        found = _ANSWER.search(text)
        if found:
            answer = text[found.end() - 1 :]
            return not any(_open_words(blanked(answer)))
    return False
