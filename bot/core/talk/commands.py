"""The commands in comments: one table, from which parser, help and docs are made.

A command is a line that starts with `/headgate `, as it was typed: nothing stands before it, no mark of
a list, no blank, no entity. The comment is parsed as Markdown, and lines in quotes, code or HTML do not
count. The person's permission is checked when the command is run, not
here.
"""

import difflib
import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from bot.core.values.command import Command, Verb
from bot.core.values.ids import Frozen
from bot.core.values.repository import Role

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# More commands in one comment are a mistake or an attack; the others are refused with a reply.
COMMANDS_PER_COMMENT_MAX = 10


class Place(StrEnum):
    """Where a command may be written."""

    ANYWHERE = "any issue or pull request"
    ASKED = (
        "the tracking issue, a pull request that touches a spec, an issue that asks for work, "
        "or a change's issue or pull request"
    )
    TRACKING = "the tracking issue"
    CHANGE = "a change's issue or pull request"
    PULL = "a person's pull request"
    PULL_OR_CHANGE = "a person's pull request, or a change's issue or pull request"
    QUEUED = "a person's pull request that is in the queue, or a change's issue or pull request"
    ALLOWING = (
        "the tracking issue, a change's issue or pull request, or a person's pull request that "
        "is in the queue"
    )
    STOPPABLE = (
        "the tracking issue, a change's issue or pull request, or an issue that asks for work"
    )
    TRACKING_OR_CHANGE = "the tracking issue, or a change's issue or pull request"


class CommandRow(Frozen):
    """One row of the table; `role` None means the role that the policy's `approver` names.

    `twice` says what happens when the command is given again.
    """

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
        meaning="Plan the spec at PATH on the default branch. This also works for an old spec and "
        "for one that is marked as done.",
        place=Place.ANYWHERE,
        role=Role.WRITE,
        twice="If a spec run of the same text is open, the reply links to it.",
    ),
    CommandRow(
        verb=Verb.APPROVE,
        usage="/headgate approve [rN] [all]",
        meaning="Start the plan that the tracking issue showed when you wrote the comment. A plan of "
        "more changes than the policy's `changes_max` needs the word `all`.",
        place=Place.TRACKING,
        role=None,
        twice="Nothing else happens.",
    ),
    CommandRow(
        verb=Verb.ANSWER,
        usage="/headgate answer N TEXT",
        meaning="Answer question N about a spec, or question N of a change's agent. For several "
        "answers, write a numbered list below one line `/headgate answer`. An answer about a spec "
        "is valid until the text of its requirement changes. An agent continues when all of its "
        "questions are answered. On an issue that asks for work, `skip` continues without the "
        "other answers.",
        place=Place.ASKED,
        role=Role.WRITE,
        twice="The newer answer replaces the older one.",
    ),
    CommandRow(
        verb=Verb.PLAN,
        usage="/headgate plan EDIT",
        meaning="Edit the plan before it is approved (`split CHANGE`, `merge CHANGE CHANGE`, "
        "`move REQUIREMENT to CHANGE`, `drop CHANGE`, `include REQUIREMENT`, `size CHANGE S`), or make a model plan "
        "again (`again`). The result is checked and becomes a new revision.",
        place=Place.TRACKING,
        role=Role.WRITE,
        twice="An edit that changes nothing is refused; the reply says why.",
    ),
    CommandRow(
        verb=Verb.RETRY,
        usage="/headgate retry [agent] [CHANGE]",
        meaning="Try a failed or stopped change again, with a new budget of attempts: its work is "
        "judged again first, and an agent is ordered if it is still red. `agent` orders one at "
        "once. A change that waits for answers continues without them.",
        place=Place.TRACKING_OR_CHANGE,
        role=Role.WRITE,
        twice="A change that is under way continues as it is.",
    ),
    CommandRow(
        verb=Verb.HAND_BACK,
        usage="/headgate hand-back [CHANGE]",
        meaning="Give a change back to an agent after a person took it over by a push to its "
        "branch. The agent continues from the person's work.",
        place=Place.TRACKING_OR_CHANGE,
        role=Role.WRITE,
        twice="Nothing else happens.",
    ),
    CommandRow(
        verb=Verb.STOP,
        usage="/headgate stop [CHANGE]",
        meaning="Stop a change or, on the tracking issue, the whole spec run. Its work is kept. On "
        "an issue that asks for work, Headgate asks no more questions.",
        place=Place.STOPPABLE,
        role=Role.WRITE,
        twice="Nothing else happens.",
    ),
    CommandRow(
        verb=Verb.FREEZE,
        usage="/headgate freeze [WHY] [until DATE]",
        meaning="Stop all landings until the end of a day (2026-12-31), a time (2026-12-31 18:00, "
        "UTC), or `/headgate unfreeze`. On a pull request of another branch, this stops "
        "landings on that branch. Agents and gates continue. A landing that has begun "
        "completes, but Headgate removes what waits in GitHub's merge queue.",
        place=Place.ANYWHERE,
        role=Role.WRITE,
        twice="The newer reason and time count.",
    ),
    CommandRow(
        verb=Verb.UNFREEZE,
        usage="/headgate unfreeze",
        meaning="End a freeze (by a person, a commit that Headgate did not land, or smoke gates). "
        "A freeze because main is red ends when main is green.",
        place=Place.ANYWHERE,
        role=Role.WRITE,
        twice="The reply says that the queue is not frozen.",
    ),
    CommandRow(
        verb=Verb.PAUSE,
        usage="/headgate pause [WHY]",
        meaning="Start no new agents or gates on runners until `/headgate resume`. Work in "
        "progress continues.",
        place=Place.ANYWHERE,
        role=Role.WRITE,
        twice="The newer reason counts.",
    ),
    CommandRow(
        verb=Verb.RESUME,
        usage="/headgate resume",
        meaning="Try again at once. This ends `/headgate pause`, and all waiting for a model that "
        "does not answer, a wrong setup, or a push that GitHub refused.",
        place=Place.ANYWHERE,
        role=Role.WRITE,
        twice="The reply says that Headgate waits for nothing.",
    ),
    CommandRow(
        verb=Verb.QUEUE,
        usage="/headgate queue [SHA] [priority N]",
        meaning="Put a person's pull request into the queue with its current head. It lands when "
        "its merge with main has passed the gates. For a pull request from a fork, name "
        "the commit that you have read. A higher priority N (-9 to 9, default 0) goes "
        "first; this also sets the priority of a change. The label `headgate:queue` does "
        "the same.",
        place=Place.PULL_OR_CHANGE,
        role=None,
        twice="The newer priority counts.",
    ),
    CommandRow(
        verb=Verb.DEQUEUE,
        usage="/headgate dequeue",
        meaning="Remove a pull request from the queue.",
        place=Place.PULL,
        role=Role.WRITE,
        twice="The reply says that it is not in the queue.",
    ),
    CommandRow(
        verb=Verb.HOLD,
        usage="/headgate hold [WHY]",
        meaning="Do not let a change, or a pull request in the queue, land. Others go before it.",
        place=Place.QUEUED,
        role=Role.WRITE,
        twice="The newer reason counts.",
    ),
    CommandRow(
        verb=Verb.RELEASE,
        usage="/headgate release",
        meaning="End the hold of a pull request or a change.",
        place=Place.QUEUED,
        role=Role.WRITE,
        twice="The reply says that it is not on hold.",
    ),
    CommandRow(
        verb=Verb.NOW,
        usage="/headgate now",
        meaning="Move a pull request or a change to the front of the queue, before the one that is "
        "being judged. A change that waits for a change of another spec starts at once.",
        place=Place.QUEUED,
        role=Role.MAINTAIN,
        twice="Nothing else happens.",
    ),
    CommandRow(
        verb=Verb.WAIVE,
        usage="/headgate waive TEST… [until DATE]",
        meaning="Accept tests that fail on the default branch, until the end of a day (2026-12-31) "
        "or permanently. Each landing in that time names these tests in its ledger line.",
        place=Place.ANYWHERE,
        role=None,
        twice="The newer day counts.",
    ),
    CommandRow(
        verb=Verb.ALLOW,
        usage="/headgate allow SHA",
        meaning="Allow this commit of a change to edit files that decide how gates run or that "
        "setup depends on, to remove tests of main, or to repeat the expected answers of "
        "its tests. Its gates then run, and its ledger line names the files or tests, and "
        "you. Other contents need another comment. On a pull request in the queue (role "
        "`maintain`): allow its head to edit files that decide how others are judged.",
        place=Place.ALLOWING,
        role=None,
        twice="The reply names who allowed it.",
    ),
    CommandRow(
        verb=Verb.TELL,
        usage="/headgate tell [CHANGE|all] TEXT",
        meaning="Send a text to the agent of a change, or of all changes. A working agent gets it "
        "at its next turn, otherwise the next attempt gets it. Lines below the command "
        "belong to the text. On a change's issue or pull request, leave out CHANGE. Agents "
        "also get comments on lines of a change's pull request, without a command.",
        place=Place.TRACKING_OR_CHANGE,
        role=Role.WRITE,
        twice="The text is sent again.",
    ),
    CommandRow(
        verb=Verb.DONE,
        usage="/headgate done [N|all]",
        meaning="Mark step N, or all steps, of the list on a change's issue as done by a person. A "
        "tick in the list does the same.",
        place=Place.CHANGE,
        role=Role.WRITE,
        twice="Nothing else happens.",
    ),
    CommandRow(
        verb=Verb.SELFTEST,
        usage="/headgate selftest",
        meaning="Test here what Headgate needs from GitHub and from a runner, without a model. The "
        "reply says what works, and how to fix the rest. It deletes all that it creates.",
        place=Place.ANYWHERE,
        role=Role.WRITE,
        twice="The reply says if a test is already running.",
    ),
    CommandRow(
        verb=Verb.STATUS,
        usage="/headgate status",
        meaning="Show the state of every change.",
        place=Place.TRACKING_OR_CHANGE,
        role=Role.READ,
        twice="A new reply.",
    ),
    CommandRow(
        verb=Verb.WHY,
        usage="/headgate why [CHANGE]",
        meaning="Explain what a change waits for, and how its attempts ended. For a pull request "
        "in the queue: its place and what it waits for.",
        place=Place.TRACKING_OR_CHANGE,
        role=Role.READ,
        twice="A new reply.",
    ),
    CommandRow(
        verb=Verb.HELP,
        usage="/headgate help",
        meaning="Show this table.",
        place=Place.ANYWHERE,
        role=Role.READ,
        twice="A new reply.",
    ),
)

ROWS = {row.verb: row for row in TABLE}

QUEUE_PLACES = frozenset({Place.PULL, Place.PULL_OR_CHANGE, Place.QUEUED})


_NAME = "/headgate"


# An answer, the id of a test, a time, or words to agents may stand between backticks.
_WORDS_IN_CODE_COUNT = {Verb.ANSWER, Verb.WAIVE, Verb.FREEZE, Verb.TELL}
_GOES_ON_BELOW = {Verb.ANSWER, Verb.TELL}


def read_commands(body: str) -> tuple[Command, ...]:
    """The commands in a comment's body, in order; at most `COMMANDS_PER_COMMENT_MAX` + 1.

    The lines below `answer` and `tell`, up to the next command, belong to their argument.
    """
    return _kept(body) if _NAME in body.replace("\x00", "").lower() else ()


def parse_commands(body: str) -> tuple[Command, ...]:
    """As `read_commands`, without what it remembers."""
    found: list[Command] = []
    for line in _own_lines(body):
        # `split`, not a regular expression: one with two gaps takes minutes for 65,536 blanks.
        name, verb, argument = (*line.text.split(None, 2), "", "", "")[:3]
        if name.lower() != _NAME or not line.is_typed:
            if found and found[-1].verb in _GOES_ON_BELOW:
                found[-1] = _with_line(found[-1], line)
            continue
        said = (verb or "help").lower()
        if said in _WORDS_IN_CODE_COUNT:
            argument = (*line.words.split(None, 2), "", "", "")[2]
        if said in set(Verb):
            found.append(Command(verb=Verb(said), argument=argument, said=line.text))
        else:
            near = difflib.get_close_matches(said, [v.value for v in Verb], n=1, cutoff=0.5)
            nearest = Verb(near[0]) if near else None
            command = Command(verb=None, argument=argument, said=line.text, nearest=nearest)
            found.append(command)
        if len(found) > COMMANDS_PER_COMMENT_MAX:
            break
    return tuple(found)


# A tick reads a comment when a look finds it and again when it is answered. GitHub takes 65,536
# characters for a comment, so that these are 16 MB at most.
_kept = lru_cache(maxsize=128)(parse_commands)


class NumberedAnswer(Frozen):
    number: int
    text: str


_NUMBERED = re.compile(r"\s*#?(\d{1,6})(?:[.):]\s*|\s+|$)(.*)", re.DOTALL)
_INSIDE = re.compile(r"(?<=\s)(?=#?(\d{1,6}):\s)")


def read_answers(argument: str, asked: frozenset[int]) -> tuple[NumberedAnswer, ...]:
    """The answers in the argument of `answer`, without empty ones.

    A line without a number continues the answer above it; lines before the first number are
    ignored. Inside a line, `N:` starts another answer if N is in `asked` and larger than the
    number before it.
    """
    found: list[NumberedAnswer] = []
    for line in (part for whole in argument.splitlines() for part in _parts(whole, asked)):
        begins = _NUMBERED.match(line)
        if begins:
            found.append(NumberedAnswer(number=int(begins[1]), text=begins[2].strip()))
        elif found and line.strip():
            text = f"{found[-1].text} {line.strip()}".strip()
            found[-1] = found[-1].replace(text=text)
    return tuple(answer for answer in found if answer.text)


def _parts(line: str, asked: frozenset[int]) -> list[str]:
    first = _NUMBERED.match(line)
    last = int(first[1]) if first else 0
    parts, begins = [], 0
    for inside in _INSIDE.finditer(line):
        number = int(inside[1])
        if number in asked and number > last and inside.start() > 0:
            parts.append(line[begins : inside.start()])
            begins, last = inside.start(), number
    return [*parts, line[begins:]]


class _Line(Frozen):
    """A line of the comment's own text; `ordinal` is its number in a numbered list, or empty.

    Commands are looked for in `text`, where code and links are replaced by a character that no
    command has; `words` keeps the content of code. `is_typed`: it begins with `/headgate ` in the
    comment itself.
    """

    text: str
    words: str
    ordinal: str = ""
    is_typed: bool = False


# An answer is some sentences; a comment on GitHub can have 65,536 characters.
_ARGUMENT_CHARACTERS_MAX = 20_000


def _with_line(command: Command, line: _Line) -> Command:
    if len(command.argument) > _ARGUMENT_CHARACTERS_MAX:
        return command
    text = f"{line.ordinal}. {line.words}" if line.ordinal else line.words
    return command.replace(argument=f"{command.argument}\n{text}".lstrip("\n"))


@cache
def _markdown() -> "MarkdownIt":
    # Imported when a comment is first read: it would cost every start.
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")


def _own_lines(body: str) -> list[_Line]:
    """The comment's lines outside quotes, code blocks and HTML."""
    raw = body.replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n")
    try:
        tokens = _markdown().parse(raw)
    except (ValueError, RecursionError, IndexError):
        return []
    lines: list[_Line] = []
    typed = raw.split("\n")
    quoted = 0
    ordinal = ""
    for token in tokens:
        if token.type == "blockquote_open":
            quoted += 1
        elif token.type == "blockquote_close":
            quoted -= 1
        elif token.type == "list_item_open":
            ordinal = token.info
        elif token.type == "inline" and not quoted:
            first, end = token.map or (0, 0)
            said = _plain_lines(token.children or [])
            for at, (text, words) in enumerate(said):
                # Code over several lines makes one of them: then no line of the block commands.
                is_typed = len(said) == end - first and _is_typed(typed[first + at])
                lines.append(
                    _Line(
                        text=text.strip(), words=words.strip(), ordinal=ordinal, is_typed=is_typed
                    )
                )
                ordinal = ""
    return lines


def _is_typed(line: str) -> bool:
    return f"{line} ".lower().startswith(f"{_NAME} ")


def _plain_lines(children: "Sequence[Token]") -> list[tuple[str, str]]:
    lines = [("", "")]
    for child in children:
        text, words = lines[-1]
        if child.type in {"softbreak", "hardbreak"}:
            lines.append(("", ""))
        elif child.type == "text":
            lines[-1] = (text + child.content, words + child.content)
        elif child.type in {"code_inline", "html_inline", "image", "link_open"}:
            # A line that starts with such a thing must not read as a command.
            content = f"`{child.content}`" if child.type == "code_inline" else ""
            lines[-1] = (text + "\N{OBJECT REPLACEMENT CHARACTER}", words + content)
    return lines


def help_table() -> str:
    """The table as Markdown, for `/headgate help` and for the docs."""
    rows = [
        "| Command | What it does | Where | Role needed | Given twice |",
        "|---|---|---|---|---|",
    ]
    rows += [
        f"| `{row.usage}` | {row.meaning} | {row.place} | "
        f"{row.role or 'the policy’s `approver` (default: write)'} | {row.twice} |"
        for row in TABLE
    ]
    return "\n".join(rows)
