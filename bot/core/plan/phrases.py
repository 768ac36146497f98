"""Short names in the author's words: of a requirement, of a group, of what requirements share.

A name is what a person would write above the work: without the system that must do it, without
numbers of chapters, and never cut inside of a word.
"""

import re
import unicodedata
from functools import lru_cache

from bot.core.plan.loose_ends import LOOSE, without_loose_end
from bot.core.spec.story_names import STORY_NAME
from bot.core.values.spec_model import Requirement

NAME_MAX = 70
# A short heading is kept with its brackets: two groups may differ in nothing else.
_GROUP_MAX = 45
# CJK text has no spaces; half as many signs say as much.
_DENSE_MAX = 30
# A name keeps so many words before a loose tail is taken from it.
_TAIL_AFTER = 4
# What of a text is looked through for the rest of its cut title.
_UNCUT_MAX, _SAME_BEGINNING = 1_000, 40
_LABEL_LETTERS = 12
# A folder is called so in small letters, a change is not.
_INITIALS = re.compile(
    r"\b(?:api|ui|ux|cli|sdk|db|sql|http|jwt|sso|mfa|pdf|csv|ai|llm|mcp|rbac|crm|erp|qr|gps|sms|faq|rss|xml|json|html|url|pii|otp|seo|cms|ocr|tls|vpn|iot)\b"
)

_TAG = re.compile(
    r"^(?:[\[(（【](?:P[0-4]|MVP|NEW|MUST|SHOULD|COULD|DEPRECATED|REMOVED|OBSOLETE)[\])）】]\s*)+",
    re.I,
)
# `US-1 (Search): …`: what stands in them is all of the name.
_WHOLE_BRACKETS = re.compile(r"^[(（\[]\s*+([^()（）\[\]]{2,80})[)）\]]$")
_EMPTY_BRACKETS = re.compile(r"(?<!\s)\s*+[(（\[]\s*+[)）\]]")
# Signs before a heading: `💡 3. Core features`.
_DECORATION = re.compile("^[\U0001f000-\U0001faff\u2190-\u2bff\ufe0f\u200d\\s]+(?=\\S)")
_NUMBER = re.compile(
    r"^(?:§\s*)?(?:\d{1,3}(?:\.\d{1,3})+[a-z]?\.?|\d{1,3}[.)])\s+|^[IVX]{1,5}\.\s+|"
    r"^第[一二三四五六七八九十\d]{1,3}(?:阶段|期|部分|章|步)\s*[:：、]\s*"
)
_LABEL = re.compile(
    rf"^(?:requirement|{STORY_NAME}|task|epic|phase|feature|milestone|capability|module|modul|módulo|модуль|模块|モジュール|모듈|需求|史诗|"
    r"exigence|requisito|anforderung|требование|wymaganie|épica|épopée)\s*+#?+-?+\s*+"
    r"\d+(?:\.\d+)*[a-z]?(?:\s*+[:：.)–—-]+\s*|\s++(?=\S))|"
    r"^(?:epic|épica|épopée|эпик|module|modul|módulo|модуль|feature|milestone)\s?[:：]\s*(?=\S)",
    re.IGNORECASE,
)
_ID = re.compile(
    r"^\W{0,4}[A-Z][A-Z0-9]*+(?:-[A-Z0-9]++)*+(?<=\d)(?:\.\d+)*[*_`\])]*+\s*+[:：–—-]\s+|"
    # `SRS-5.1 Image build`
    r"^[A-Z]{2,8}-\d{1,3}(?:\.\d{1,3}){1,3}\s+(?=[^\W\d])"
)
# `_(alias of FR-4)_ The daemon …`
_ALIAS = re.compile(
    r"^[\W_]*\((?:alias|formerly|was|replaces|ehemals|ancien|antes)\b[^()]{0,60}\)[\W_]*", re.I
)
_BRACKET_END = re.compile(
    r"(?<!\s)\s*+[(（\[][^()（）\[\]]{0,60}(?:priority|priorité|prioridad|mandatory|optional|P[0-4]|优先级|\b(?:must|should|could|muss|soll|kann)\b)"
    r"[^()（）\[\]]{0,30}[)）\]]\s*$",
    re.IGNORECASE,
)
# `Fees (FR4–FR6)`
_IDS_END = re.compile(
    r"\s[–—-]\s[^–—§]{0,30}§[^–—]{1,40}$|(?:(?<!\s)\s++)?[(（\[][A-Z]{2,5}-[A-Z]{2,6}[)）\]]$|"
    r"(?:(?<!\s)\s++)?[(（\[][A-Z]{1,5}-?\d{1,4}(?:\s*+(?:[-–—,&~]|to|bis)\s*+(?:[A-Z]{1,5}-?)?\d{1,4}){0,8}[)）\]]$"
)
# `As a reader, I want to search, so that …`: what is wanted is the name.
_WANTED = re.compile(
    r"^(?:\W*user story\W*)?(?:as an?|as the|as(?= (?-i:[A-Z]))|en tant qu['’e]|als|como|jako|come|作为|作為|как)(?:\b|(?<=[为為])).{1,120}?"
    r"(?:\bI (?:want|need|would like|can)(?: to)?\b|\bI(?= (?-i:[a-z]{3,}) )|\bje (?:veux|souhaite)\b(?: pouvoir\b)?|"
    r"\bwil ik\b(?: kunnen\b)?|\bvill jag\b(?: kunna\b)?|\bvorrei\b|\bsaya ingin\b|\bje voudrais\b|\bmöchte ich\b|\bwill ich\b|\bquiero\b(?: poder\b)?|\bquero\b(?: poder\b)?|\bchcę\b|\bvoglio\b|"
    r"我希望(?:能[够夠]?)?|我想要?|我要|希望能[够夠]?|\bя хочу\b)\s*(?P<what>.+)$",
    re.IGNORECASE | re.DOTALL,
)
# `管理者として、備品を登録したいので、…`
_WANTED_DENSE = re.compile(
    r"^.{1,40}?(?:として|로서|으로서)[、,，]?\s*(?P<what>.{2,80}?)(?:したい|をしたい|(?P<wish>たい)|하고 싶다|(?=[。.]|$))(?:ので|から|と思う)?(?:[、。,.]|$)",
    re.DOTALL,
)
_GENERIC = (
    r"the system|system|the application|the app|app|application|the platform|platform|the service|"
    r"the product|the software|the tool|the user interface|the ui|it|"
    r"(?:(?:the|an?|all|any|every|each|authenticated|unauthenticated|registered|logged[- ]in|signed[- ]in|anonymous)\s+){0,3}users?|"
    r"le système|el sistema|o sistema|sistema|il sistema|das system|die (?:applikation|anwendung|software|app)|das programm|система|l['’]application|la aplicación|"
    r"(?:un |les )?l?['’]?utilisateurs?|(?:el |los |un )?usuarios?|(?:o |os |um |cada )?usuários?|(?:der |die |ein )?(?:be)?nutzer|"
    r"użytkowni(?:k|cy)|пользовател[ьи]|l['’]utente"
)
_BINDS = (
    r"must not|shall not|should not|must|shall|should|will|needs? to|has to|may|can|MUSI|musi|DOIT|doit|"
    r"DEBE|debe|DEVE|deve|MUSS|muss|müssen|soll(?:en|te|ten)?|peu(?:t|vent)|pueden?|podem?|kann|können|może|mogą|puó|può|"
    r"должн[аыо]|должен(?: иметь возможность)?|может|могут"
)
# Who has the right to it: `An ADMIN can …`, `A site editor can …`.
_ROLE = (
    r"(?:(?:an?|the|each|every)\s+)?(?:[\w-]+\s+){0,2}?(?:admin(?:istrator)?|customer|client|visitor|guest|member|owner|operator|"
    r"manager|moderator|editor|author|student|teacher|seller|vendor|buyer|driver|patient|doctor|employee|player|developer|"
    r"organi[sz]er|reader|reviewer|subscriber|participant)s?"
)
_ALLOWED = re.compile(
    rf"^(?:{_ROLE})\s+(?:can|may|must be able to|should be able to|shall be able to)\s+(?P<what>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_ALLOWED_LETTERS = re.compile(
    r"^(?:[Aa]n?|[Tt]he)\s+[A-Z][A-Z_]{3,}\s+(?:can|may|must|shall|should)\s+(?P<what>.+)$",
    re.DOTALL,
)
# `The system automatically generates …`: a title says what is done.
_SYSTEM_DOES = re.compile(
    r"^(?:the\s+)?(?:system|app|application|platform|server|service|backend)\s+(?:\w+ly\s+)?(?P<verb>(?-i:[a-z]{3,}s))\s+(?!(?:are|is|must|shall|can|may|will|should)\b)(?P<rest>\w.*)$",
    re.IGNORECASE | re.DOTALL,
)
# `The client MUST define …`: a title says what it does.
_DOES = re.compile(
    r"^(?P<who>[^,.:;()!?]{2,60}?)\s+(?:MUST|SHALL|SHOULD|must|shall|should)\s+(?P<what>[a-z][\w-]*)(?!\w)(?P<rest>.*)$",
    re.DOTALL,
)
# `I want my data to persist`: who is to do what.
_TO_DO = re.compile(
    r"^(?:my|our|(?=the |all |every |each |(?:[a-z]+ ){1,3}to be ))\s{0,3}(?P<who>(?!the (?:ability|option|possibility|chance|way)\b)[^,.:;()!?]{2,60}?)"
    r"\s+to\s+(?!(?:the|an?|my|our|its?|their|all|any|each|every|others?|people|everyone|anyone|me|us|them|users?)\b)"
    r"(?P<what>[a-z]+)\b(?P<rest>.*)$",
    re.DOTALL,
)
# The subject of the obligation, not that of a clause before it.
_CLAUSE_WORDS = re.compile(
    r"^(?:when|while|if|where|once|after)\b|\b(?:that|which|who|and|or)\b", re.IGNORECASE
)
_OBLIGED = re.compile(rf"^(?:{_GENERIC})\s+(?:{_BINDS})\s+(?P<what>.+)$", re.IGNORECASE | re.DOTALL)
_AFTER_WHEN = re.compile(
    rf"^(?:when|while|if|where|once|after|on|upon)\b.{{1,300}}?,?(?:(?<!\s)\s++)?(?:then\s++)?(?:the \w+(?: \w+)?|{_GENERIC})\s+"
    rf"(?:shall|must|should|will)\s+(?P<what>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_OBLIGED_DENSE = re.compile(
    r"^(?:系统|系統|平台|平臺|应用|應用|用户|使用者|システム|시스템)?"
    r"(?:必须|必須|应当|應當|应该|應該|[应應](?![用急付答届屆])|须|需要?(?!求)|不得)(?P<what>.{3,})$",
    re.DOTALL,
)
_ALLOWING = re.compile(
    r"^(?:允许(?:用户|管理员)?|能够|支持|提供|umożliwiać użytkowniko(?:wi|m) |permettre (?:à|aux) (?:une? )?\w+ (?:de |d['’])|"
    r"permitir (?:a|al|aos?) \w+ |(?:позволять|разрешать)(?: (?:\w+(?:ым|им) )?пользовател(?:ю|ям))? |предоставлять (?:\w+(?:ым|им) )?пользовател(?:ю|ям) |"
    # `give the user the ability to`
    r"(?:give|offer|provide)s? (?:the |an? |all )?users? (?:with )?(?:the|an?) (?:ability|possibility|option|opportunity) (?:to|of) |"
    r"(?:dem|der|den) (?:user|benutzer|nutzer|anwender)n? die möglichkeit (?:geben|bieten|einräumen),? |"
    r"(?:donner|offrir) (?:aux |à l['’]|à un )utilisateurs? la possibilité (?:de |d['’])|"
    r"(?:dar|ofrecer) (?:al?|a los) usuarios? la (?:posibilidad|opción) de |(?:dar|oferecer) aos? usuários? a (?:possibilidade|opção) de )",
    re.IGNORECASE,
)
_ALLOW_TO = re.compile(
    r"^(?:allow|let|enable|permit)s?\s+(?:[\w-]+\s+){1,5}?to\s+(?!be\b)(?=\w)", re.I
)
_SYSTEM_TO = re.compile(rf"^(?:{_GENERIC})\s+to\s+(?=\w)", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
_CONTINUE = re.compile(r"^CONTINUE TO\b")
_BE_ABLE = re.compile(r"^(?:be able to|can|poder|pouvoir)\s+", re.IGNORECASE)
# `… anlegen können, um …`: at the end of its clause.
_ABLE = re.compile(r"(?<=\w) (?:zu )?können(?=[,.;]|$| (?:um|damit)\b)")
_CLAUSE_END = re.compile(
    r"(?:(?<!\bHon)(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bProf)(?<!\bSt)(?<!\bvs)\.(?=\s|$)|[;:!?](?=\s|$)|[。；：！？]|\s[–—-]\s|(?<!\s)\s*+(?<!\[)[(（\[](?!\[)|\s(?:so that|in order to|afin (?:de|que)|afin d['’]|para que|damit|żeby|以便|"
    r"(?:where|in which|with which|that|so) (?:I|we|they|users?) \w+|when (?:I|we) \w+)\b|以便|[，,][从從]而|"
    # On what condition, and what for.
    r",\s(?=(?:um|falls|wenn|weil|sobald|bevor|so ?dass|obwohl|if|unless|because|when|cuando|porque|quando|si|lorsque|quand|"
    r"parce que|jeśli|gdy|kiedy|aby|если|когда|чтобы)\b))"
)
_COMMA = re.compile(r",\s|，|、")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_MARKS = re.compile(r"~~|\*\*|__|`|\*(?=\w)|(?<=\w)\*")
_LINK = re.compile(
    r"!?\[([^\[\]\n]{1,200})\](?:\([^()\s]{0,400}\)|\[[^\[\]\n]{0,100}\])|^\[([^\[\]\n]{1,200})\]$"
)
_ESCAPED = re.compile(r"\\([\[\]().#*_~>+-])")
_REFERENCES_END = re.compile(r"(?:\s?\[[^\[\]]{1,80}\]){1,5}\s*$")
# Signs that say how far the work is, and that nobody sees.
_SIGNS = re.compile(
    "[\u00ad\u200b-\u200d\ufe0e\ufe0f\u2705\u2610-\u2612\u2713\u2714\u2717\u2718\u274c\u274e\u23f3\U0001f6a7]"
)
_DENSE = re.compile("[\u3040-\u9fff\uac00-\ud7af]")
# These say nothing of what requirements share.
_COMMON_WORDS = """
show shows display displays list lists create creates make makes take takes give gives provide provides support
supports allow allows update updates user users system should shall must will when then given have with only able
required include includes including continue continues ensure ensures
"""
_COMMON = LOOSE | frozenset(_COMMON_WORDS.split())


def phrase(requirement: Requirement, most: int = NAME_MAX) -> str:
    """What the requirement is about, in a few of its own words."""
    said = _uncut(requirement) or requirement.statement.strip()
    return (
        shortened(said, most)
        or shortened(requirement.statement, most)
        or (requirement.source_id or str(requirement.id))
    )


def _uncut(requirement: Requirement) -> str:
    """Its title; where that is the cut beginning of its text, the text."""
    title = requirement.title.strip()
    if not title.endswith("…"):
        return title
    text = " ".join(requirement.statement[:_UNCUT_MAX].split())
    at = text.find(title[:_SAME_BEGINNING])
    return text[at:] if at >= 0 else title


@lru_cache(maxsize=20_000)
def shortened(text: str, most: int = NAME_MAX) -> str:
    plain = _obligation(plain_heading(text))
    if text.rstrip().endswith(("…", "...")):
        plain = " ".join(without_loose_end(plain.split())).rstrip(",;")
    if not plain:
        return ""
    if is_dense(plain):
        most = min(most, _DENSE_MAX)
    return _capital(_bounded(plain, most))


@lru_cache(maxsize=4_000)
def plain_heading(text: str) -> str:
    """A heading without marks, numbers of chapters, ids and labels (`Epic 2: Sign in`)."""
    linked = _LINK.sub(lambda found: found[1] or found[2], text.strip()) if "[" in text else text
    # `Import \\[AP-3\\]`: an editor has escaped the brackets, and what they refer to is no name.
    linked = _REFERENCES_END.sub("", _ESCAPED.sub(r"\1", linked)) if "\\" in linked else linked
    plain = " ".join(_MARKS.sub("", _SIGNS.sub("", linked)).split()).strip("…: ：")
    plain = _DECORATION.sub("", plain) or plain
    # `Sign-in (✅)` without its sign.
    plain = _EMPTY_BRACKETS.sub("", plain) or plain
    for _ in range(3):
        before = plain
        for mark in (_TAG, _ALIAS, _NUMBER, _LABEL, _ID):
            plain = mark.sub("", plain, count=1) or plain
        plain = _BRACKET_END.sub("", plain) or plain
        plain = _IDS_END.sub("", plain) or plain
        if plain == before:
            break
    return _WHOLE_BRACKETS.sub(lambda found: found[1].strip(), plain.strip(" -–—:：*_"))


def spoken(group: str) -> str:
    """The name of a group: a heading as it stands, a folder's name in words."""
    plain = plain_heading(group)
    if re.fullmatch(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*", plain):
        plain = re.sub(r"[-_.]+", " ", plain)
        plain = _INITIALS.sub(lambda found: found[0].upper(), plain)
    return _capital(plain if len(plain) <= _GROUP_MAX else _bounded(plain, NAME_MAX))


def spoken_title(title: str) -> str:
    """A title without marks, numbers and labels, however long."""
    return _capital(plain_heading(title))


def telling_words(requirement: Requirement) -> list[str]:
    """The words of its name that may say what it shares with others."""
    said = phrase(requirement, 200)
    return [w for w in _WORD.findall(said) if len(w) >= 4 and w.casefold() not in _COMMON]


def is_wish(text: str) -> bool:
    """Whether it is only what somebody wants: `As a reader, I want …`."""
    return bool(_WANTED.match(text))


_ROLE_OF_WISH = re.compile(
    r"^\W*(?:user story\W*)?(?:as an?|as the|as(?= (?-i:[A-Z]))|en tant qu['’e]|als|como|jako|come|作为|作為|как)(?:\b|(?<=[为為]))(?P<role>.{1,80}?)(?:[,，]|$)",
    re.IGNORECASE | re.MULTILINE,
)


def role_of(text: str) -> str:
    """Who wishes, in `As a reader, I want …`; else empty."""
    found = _ROLE_OF_WISH.match(_MARKS.sub("", text.lstrip(" -*")[:200]))
    return found["role"].strip() if found else ""


def is_dense(text: str) -> bool:
    """Whether the text is mostly Chinese, Japanese or Korean."""
    return not text.isascii() and 3 * len(_DENSE.findall(text)) > len(text)


def _obligation(plain: str) -> str:
    """What must be done, without who must do it."""
    if found := _WANTED_DENSE.match(plain):
        plain = found["what"].strip() + (found["wish"] or "")
    for form in (_WANTED, _AFTER_WHEN, _OBLIGED, _OBLIGED_DENSE, _ALLOWED, _ALLOWED_LETTERS):
        found = form.match(plain)
        if found:
            plain = found["what"].strip()
            plain = (
                _impersonal(_wished(_ABLE.sub("", plain, count=1))) if form is _WANTED else plain
            )
    for form in (_BE_ABLE, _ALLOW_TO, _ALLOWING, _SYSTEM_TO):
        plain = form.sub("", plain, count=1) or plain
    if found := _SYSTEM_DOES.match(plain):
        plain = f"{_infinitive(found['verb'])} {found['rest']}"
    plain = _done(plain)
    plain = _CONTINUE.sub("Continue to", plain)
    return plain.lstrip(" :：,，")


def _done(plain: str) -> str:
    """`Hook data MUST be a structure` as `Hook data is a structure`: an English title in the present."""
    found = _DOES.match(plain)
    if found is None or _CLAUSE_WORDS.search(found["who"]):
        return plain
    who, verb, rest = found["who"].rstrip(), found["what"], found["rest"]
    last = who.split()[-1].casefold()
    is_many = last.endswith("s") and not last.endswith(("ss", "us", "is"))
    if verb in ("not", "never", "only", "also", "always", "immediately", "either", "first"):
        return plain
    if verb == "be":
        verb = "are" if is_many else "is"
    elif not is_many:
        verb = _third_person(verb)
    return f"{_ARTICLE.sub('', who)} {verb}{rest}"


def _wished(plain: str) -> str:
    """`my data to persist` as `data persists`: a title in the present."""
    found = _TO_DO.match(plain)
    if found is None or _CLAUSE_WORDS.search(found["who"]):
        return plain
    return _done(f"{found['who']} shall {found['what']}{found['rest']}")


def _impersonal(wish: str) -> str:
    """`events near me` as `events nearby`, `update my profile` as `update profile`: nobody speaks in a title."""
    told = re.sub(r"\bnear(?: to)? me\b", "nearby", wish)
    told = re.sub(r"\b(?:my|our)\s+(?:own\s+)?(?=\w)", "", told)
    is_clause = re.match(
        r"(?:the|an?)\s+(?:ability|option|possibility|chance|way)\b", told, re.IGNORECASE
    )
    return told if is_clause else _ARTICLE.sub("", told, count=1)


def _infinitive(verb: str) -> str:
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if re.search(r"(?:sh|ch|ss|x|zz|o)es$", verb) else verb[:-1]


def _third_person(verb: str) -> str:
    if verb == "have":
        return "has"
    # `must exposes`: the author has done it already.
    if verb.endswith("s") and not verb.endswith(("ss", "us", "is", "as")):
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search("[^aeiou]y$", verb) else f"{verb}s"


def _bounded(plain: str, most: int) -> str:
    """At most so many letters, without the beginning of a brace whose end is cut off."""
    said = _cut_short(plain, most)
    before = said[: said.rfind("{")].split() if said.count("{") > said.count("}") else []
    return " ".join(without_loose_end(before)) if len(before) > 1 else said


def _cut_short(plain: str, most: int) -> str:
    """Up to the end of a clause, or of a word."""
    end = next((f.start() for f in _CLAUSE_END.finditer(plain) if f.start() > 2), len(plain))
    # `Module D — Scores` is named by what stands behind the sign.
    if end <= _LABEL_LETTERS and re.search(r"\s(?:[A-Z]|\d{1,2})$", plain[:end]):
        rest = re.sub(r"^[\s:：–—-]+", "", plain[end:])
        return _cut_short(rest, most) if rest else plain[:end]
    # `Admin: manage meals` is more of a name than `Admin`.
    if end < len(plain) <= most and " " not in plain[:end] and not is_dense(plain):
        end = next((f.start() for f in _CLAUSE_END.finditer(plain, end + 2)), len(plain))
    clause = plain[:end].strip() or plain
    if len(clause) <= (most if not is_dense(clause) else most // 2):
        cut = clause != plain
        words = without_loose_end(clause.split()) if cut else clause.split()
        return " ".join(words).rstrip(".,;:。，；：")
    comma = next((f.start() for f in _COMMA.finditer(clause) if 12 <= f.start() <= most), None)
    if comma is not None or is_dense(clause):
        at = max(
            (f.start() for f in _COMMA.finditer(clause) if 6 <= f.start() <= most), default=most
        )
        return clause[: comma or at].rstrip(" ,;:，；：、")
    words = clause[: most + 1].split()[:-1] or [clause[:most]]
    whole = without_loose_end(words)
    return " ".join(whole if len(whole) < len(words) else _without_loose_tail(words)).rstrip(",;: ")


def _without_loose_tail(words: list[str]) -> list[str]:
    """Without the beginning of a part that a cut has taken the end of: `… for the duration [of]`."""
    for at in range(max(len(words) - 3, _TAIL_AFTER), len(words)):
        if words[at].casefold() in LOOSE:
            return without_loose_end(words[:at])
    return words


def _capital(text: str) -> str:
    first = text[:1]
    # `iOS` and `npm install` are names; a word in small letters only is not.
    word = text.split(" ", 1)[0]
    letters = word.rstrip(",").replace("/", "").replace("-", "")
    if unicodedata.category(first or " ") == "Ll" and letters.isalpha() and word.islower():
        return first.upper() + text[1:]
    return text
