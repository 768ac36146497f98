"""The group of what stands below a heading that says only `Rules`, or that comes again elsewhere."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from bot.core.spec.drafts import Draft
from bot.core.spec.line_owners import first_owners
from bot.core.spec.outline import Section
from bot.core.spec.triage.words import says_only_requirements

_NUMBER = re.compile(r"^\W*(?:\d{1,3}(?:\.\d{1,3}){0,4}[.)]?\s+)?")
# What is said of the thing above: of what, says the chapter.
_ASPECT = re.compile(
    r"(?:(?:conflict|validation|business|general|access) )?(?:rules?|conflicts?|validations?|permissions?|fields?|behaviou?rs?|limits?|"
    r"actions?|options?|states?|errors?|basics|general|usage|layout)|"
    r"regeln|konflikt(?:e|regeln)|validierung(?:en)?|prüfungen|berechtigungen|felder|verhalten|grenzen|aktionen|optionen|zustände|"
    r"fehler|allgemein(?:es)?|ablauf|"
    r"reglas|validaci[óo]n(?:es)?|permisos|campos|comportamiento|l[íi]mites|acciones|opciones|general(?:es)?|"
    r"regras|valida(?:ção|ções)|permissões|comportamento|limites|ações|opções|geral|"
    r"r[èe]gles|droits|champs|comportement|g[ée]n[ée]ral|"
    r"правила|проверк[аи]|права|поля|поведение|ограничения|действия|общее|"
    r"规则|校验|验证|权限|字段|行为|操作|限制|ルール|検証|権限|項目|動作|制限|규칙|검증|권한|필드|동작|제한",
    re.IGNORECASE,
)


def by_chapter(drafts: Sequence[Draft], sections: Sequence[Section]) -> tuple[Draft, ...]:
    """`Series: Rules` for `Rules` below `Series`; and with its chapter what is alone below a heading."""
    owners = first_owners((s.line, s.body_end) for s in sections)
    home = {
        d.line_start: sections[at] for d in drafts if (at := owners.get(d.line_start)) is not None
    }
    members = Counter(section.line for section in home.values())
    chapters = {s.titles for s in home.values()}
    titles = Counter(_plain(s.title) for s in {s.line: s for s in home.values()}.values())

    def group(draft: Draft) -> str:
        section = home.get(draft.line_start)
        if section is None or draft.domain != section.title or len(section.trail) < 2:
            return draft.domain
        above = section.trail[-1]
        if says_only_requirements(above) or draft.line_start == section.line:
            return draft.domain
        is_line = draft.line_start == draft.line_end and not draft.scenarios
        if members[section.line] == 1 and is_line and section.trail in chapters:
            return above
        plain = _plain(section.title)
        if titles[plain] > 1 or _ASPECT.fullmatch(plain):
            return f"{_NUMBER.sub('', above)}: {_NUMBER.sub('', section.title)}"
        return draft.domain

    return tuple(replace(draft, domain=group(draft)) for draft in drafts)


def is_aspect(title: str) -> bool:
    """Whether a heading says only what is said of the thing above: `Rules`."""
    return _ASPECT.fullmatch(_plain(title)) is not None


def _plain(title: str) -> str:
    return _NUMBER.sub("", title).strip(" *_:：").casefold()
