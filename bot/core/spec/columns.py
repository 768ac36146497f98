"""What the columns of a table of requirements say beside their text: urgency, status, acceptance."""

import re
from collections.abc import Sequence

from bot.core.spec.priorities import normal_priority

PRIORITY = re.compile(r"priorit|prioridad|moscow|优先级|優先|우선|приоритет|priorytet", re.I)
ACCEPTANCE = re.compile(
    r"accept|aceptaci|aceita[çc]|akzeptanz|abnahme|kryteri|критери|验收|驗收|受け?入れ?|수용|인수",
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
