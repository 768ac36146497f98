"""What the columns of a table of requirements say beside their text: urgency, status, acceptance."""

import re
from collections.abc import Sequence

from bot.core.spec.priorities import normal_priority

PRIORITY = re.compile(
    r"priorit|prioridad|moscow|优先级|優先|必須|任意|우선|приоритет|priorytet", re.I
)
ACCEPTANCE = re.compile(
    r"definition of done|accept|aceptaci|aceita[çc]|akzeptanz|abnahme|kryteri|критери|验收|驗收|受け?入れ?|수용|인수",
    re.I,
)
STATUS = re.compile(
    r"status|statut|estado|stato|статус|状态|状態|狀態|状況|상태|ステータス|현황|progress|fortschritt|"
    r"^\W*(?:done|implemented|completed?|umgesetzt|erledigt|implementad[oa]|hecho|fait|implémentée?|реализовано|готово|"
    r"完了|実装済み?|已?实现|已?完成|구현|완료)\W*$",
    re.I,
)
WONT = re.compile(
    r"^\W*(?:won['’]?t\b|no (?:se hará|haremos)\b|não (?:terá|faremos)\b|ne sera pas\b|не будет\b|不做|暂不|対象外|제외)",
    re.I,
)
# What the first release has, and what not, by a sign.
_SCOPE = re.compile(
    r"\bmvp\b|\bv1\b|scope|included|alcance|escopo|périmètre|umfang|初版|初期|対象|範囲|范围|首版|一期|1차|범위",
    re.I,
)
_SIGN = re.compile(r"[^\w\s]{1,3}$|[✓✔✗✘xX×○]$")
_LEFT_OUT = re.compile("[\u274c\u2717\u2718\u00d7\u2715\u2716]\ufe0f?$")

_TITLE_HEADER = re.compile(
    r"^(?:title|name|feature|nombre|nom|titre|título|名称|功能|标题|название|이름)\b", re.I
)
TEXT_HEADER = re.compile(
    r"requirement|descri|story|criteri|rule|text|statement|exigence|requisito|besoin|"
    r"描述|需求|要求|规则|内容|описание|требование|설명|요구",
    re.I,
)
_DESCRIPTION_HEADER = re.compile(
    r"descri|detail|explanation|beschreibung|描述|说明|説明|内容|내용|설명|описание|opis", re.I
)
_NAME_HEADER = re.compile(
    r"require?ment|feature|function|funktion|fonction|funcion|funzion|funkcj|функци|anforderung|exigence|requisit|"
    r"требование|wymagani|需求|功能|機能|要件|요구|기능",
    re.I,
)
_NAME_MAX = 60
_COLUMN_MAX = 24
_COLUMNS = (
    PRIORITY,
    ACCEPTANCE,
    STATUS,
    _TITLE_HEADER,
    TEXT_HEADER,
    _DESCRIPTION_HEADER,
    _NAME_HEADER,
)
_COLUMNS_MIN = 2


def names_columns(cells: Sequence[str]) -> bool:
    """Whether a first row can only be the names of columns, where no line of dashes says so."""
    short = [cell for cell in cells if len(cell) <= _COLUMN_MAX]
    named = [cell for cell in short if any(kind.search(cell) for kind in _COLUMNS)]
    return len(short) == len(cells) and len(named) >= _COLUMNS_MIN


def is_left_out(rest: Sequence[tuple[int, str]], header: Sequence[str]) -> bool:
    """Whether a row says that it is not asked for: `Won't`, or a cross in the column of the first release."""
    return any(
        WONT.match(cell) or (_LEFT_OUT.match(cell) and _SCOPE.search(header[at]))
        for at, cell in rest
    )


def is_sign(cell: str) -> bool:
    """Whether a cell says no word."""
    return _SIGN.match(cell) is not None


def row_priority(
    rest: Sequence[tuple[int, str]], header: Sequence[str]
) -> tuple[str | None, int | None]:
    """The urgency that a row states, and its column; `rest` are cells with their columns."""
    for at, cell in rest:
        if PRIORITY.search(header[at]):
            return normal_priority(cell), at
    for at, cell in rest:
        if len(cell) <= 16 and normal_priority(cell) and not header[at]:
            return normal_priority(cell), at
    return None, None


def named_and_described(texts: Sequence[tuple[int, str]], header: Sequence[str]) -> tuple[str, str]:
    """The title and the text of a row: `Feature | Description` are both, else one column is the text."""
    described = next((c for n, c in texts if _DESCRIPTION_HEADER.search(header[n])), "")
    name = next((c for n, c in texts if _NAME_HEADER.search(header[n])), "")
    if described and name and described != name and len(name) <= _NAME_MAX:
        return name, described
    named = [cell for n, cell in texts if TEXT_HEADER.search(header[n])]
    title = next((cell for n, cell in texts if _TITLE_HEADER.search(header[n])), "")
    return title, named[0] if named else max((cell for _, cell in texts), key=len)
