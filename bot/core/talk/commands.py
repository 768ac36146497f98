"""What a person can ask in a comment: one table, from which parser, help and docs are made.

A command is a line that starts with `/headgate`, outside quotes, code and HTML: the comment is read
as Markdown and only its own text counts. The rule: a row says who may ask, where, and what asking
twice does. Deliberately absent: whether the person may; permission is looked up when the command is
carried out.
"""

import difflib
from enum import StrEnum

from markdown_it import MarkdownIt

from bot.core.ids import Frozen
from bot.core.repository import Role

# More commands in one comment are a mistake or an attack; the rest is refused with a sentence.
COMMANDS_PER_COMMENT_MAX = 10


class Verb(StrEnum):
    """Every verb there is."""

    RUN = "run"
    APPROVE = "approve"
    PLAN = "plan"
    RETRY = "retry"
    STOP = "stop"
    STATUS = "status"
    WHY = "why"
    HELP = "help"


class Place(StrEnum):
    """Where a command may be given."""

    ANYWHERE = "any issue or pull"
    TRACKING = "the tracking issue"
    CHANGE = "a change's issue or pull"
    TRACKING_OR_CHANGE = "the tracking issue, or a change's issue or pull"


class CommandRow(Frozen):
    """One row of the table. `role` None means: whoever `approver` in the policy names."""

    verb: Verb
    usage: str
    meaning: str
    place: Place
    role: Role | None
    twice: str


TABLE: tuple[CommandRow, ...] = (
    CommandRow(
        verb=Verb.RUN,
        usage="/headgate run PATH",
        meaning="Plan the spec at PATH on the default branch, also one that was there before.",
        place=Place.ANYWHERE,
        role=Role.WRITE,
        twice="An open spec run of the same text is pointed at, not opened again.",
    ),
    CommandRow(
        verb=Verb.APPROVE,
        usage="/headgate approve [rN]",
        meaning="Start the plan that the tracking issue showed when you wrote this.",
        place=Place.TRACKING,
        role=None,
        twice="Nothing more happens.",
    ),
    CommandRow(
        verb=Verb.PLAN,
        usage="/headgate plan split|merge|move|drop|size|again …",
        meaning="Edit the plan before it is approved (`split CHANGE`, `merge CHANGE CHANGE`, "
        "`move REQUIREMENT to CHANGE`, `drop CHANGE`, `size CHANGE S`), or have a model plan "
        "again. The result is checked and is a new revision.",
        place=Place.TRACKING,
        role=Role.WRITE,
        twice="What is already so is refused with a sentence.",
    ),
    CommandRow(
        verb=Verb.RETRY,
        usage="/headgate retry [CHANGE]",
        meaning="Try a failed or stopped change again, with a fresh budget of attempts.",
        place=Place.TRACKING_OR_CHANGE,
        role=Role.WRITE,
        twice="A change that is under way is left alone.",
    ),
    CommandRow(
        verb=Verb.STOP,
        usage="/headgate stop [CHANGE]",
        meaning="Stop a change, or on the tracking issue the whole spec run. Work is kept.",
        place=Place.TRACKING_OR_CHANGE,
        role=Role.WRITE,
        twice="Nothing more happens.",
    ),
    CommandRow(
        verb=Verb.STATUS,
        usage="/headgate status",
        meaning="Say where every change is.",
        place=Place.TRACKING_OR_CHANGE,
        role=Role.READ,
        twice="Says it again.",
    ),
    CommandRow(
        verb=Verb.WHY,
        usage="/headgate why [CHANGE]",
        meaning="Say what a change waits for, and what its last attempt met.",
        place=Place.TRACKING_OR_CHANGE,
        role=Role.READ,
        twice="Says it again.",
    ),
    CommandRow(
        verb=Verb.HELP,
        usage="/headgate help",
        meaning="Show this table.",
        place=Place.ANYWHERE,
        role=Role.READ,
        twice="Says it again.",
    ),
)

ROWS = {row.verb: row for row in TABLE}


class Command(Frozen):
    """A verb with its argument, or (`verb` None) something that looks like a command."""

    verb: Verb | None
    argument: str
    said: str
    nearest: Verb | None = None


_NAME = "/headgate"


def read_commands(body: str) -> tuple[Command, ...]:
    """The commands in a comment's body, in order; at most one more than may be carried out."""
    found = []
    for line in _own_lines(body):
        # Split, not matched: a pattern with two gaps takes minutes over 65,536 blanks.
        name, verb, argument = (*line.split(None, 2), "", "", "")[:3]
        if name.lower() != _NAME:
            continue
        said = (verb or "help").lower()
        if said in set(Verb):
            found.append(Command(verb=Verb(said), argument=argument, said=line))
        else:
            near = difflib.get_close_matches(said, [v.value for v in Verb], n=1, cutoff=0.5)
            nearest = Verb(near[0]) if near else None
            found.append(Command(verb=None, argument=argument, said=line, nearest=nearest))
        if len(found) > COMMANDS_PER_COMMENT_MAX:
            break
    return tuple(found)


def _own_lines(body: str) -> list[str]:
    """The lines of plain paragraphs: no quotes, lists of others' words, code or HTML."""
    try:
        tokens = MarkdownIt("commonmark").parse(body.replace("\x00", ""))
    except (ValueError, RecursionError, IndexError):
        return []
    lines: list[str] = []
    quoted = 0
    for token in tokens:
        if token.type == "blockquote_open":
            quoted += 1
        elif token.type == "blockquote_close":
            quoted -= 1
        elif token.type == "inline" and not quoted:
            text = ""
            for child in token.children or ():
                if child.type in {"softbreak", "hardbreak"}:
                    lines.append(text)
                    text = ""
                elif child.type == "text":
                    text += child.content
                elif child.type in {"code_inline", "html_inline", "image", "link_open"}:
                    # The command would begin with somebody else's words: spoil the line.
                    text += "\N{OBJECT REPLACEMENT CHARACTER}"
            lines.append(text)
    return [line.strip() for line in lines]


def help_table() -> str:
    """The table as Markdown, for `/headgate help` and for the docs."""
    rows = [
        "| Command | What it does | Where | Role needed | Asked twice |",
        "|---|---|---|---|---|",
    ]
    rows += [
        f"| `{row.usage}` | {row.meaning} | {row.place} | "
        f"{row.role or 'as `approver` in the policy says (write)'} | {row.twice} |"
        for row in TABLE
    ]
    return "\n".join(rows)
