"""How questions to people evolve: put and answered at a place, which its own machine may refuse."""

from itertools import islice

from bot.core.journal import events as ev
from bot.core.journal.dialogue_state import Dialogue
from bot.core.journal.evolve_clarify import with_questions
from bot.core.journal.fold_table import folds, on
from bot.core.journal.state import RepositoryState, asked_at, with_change, with_dialogue
from bot.core.journal.transitions import CHANGES, DIALOGUES
from bot.core.values.ids import ChangeId
from bot.core.values.issue_input import issue_of
from bot.core.values.question import CHANGE_PLACE, Answer, AskedQuestions
from bot.core.values.replacement import replace, without

# Decisions about texts that nobody asks about any more: when there are so many more, the oldest go at once.
DECISIONS_KEPT = 1_000
_DECISIONS_AT_ONCE = 100


def _put(state: RepositoryState, event: ev.QuestionsPut) -> RepositoryState:
    asked = asked_at(state, event.place)
    return _with(state, event, asked.put(event.round, event.questions, event.last))


def _answered(state: RepositoryState, event: ev.QuestionAnswered) -> RepositoryState:
    """A decision about a spec's text outlives its place: the pull's holds for the file on main."""
    asked = asked_at(state, event.place)
    topics = {q.number: q.topic for q in asked.questions}
    if event.number not in topics:
        return state
    topic = topics[event.number]
    if not topic:
        return _with(state, event, asked.answered(event.number, event.answer))
    return replace(
        state, decided=state.decided + 1, decisions=_with_decision(state, topic, event.answer)
    )


def _with_decision(state: RepositoryState, topic: str, answer: Answer) -> dict[str, Answer]:
    """The newest, and those about questions that are asked somewhere."""
    decisions = {**without(state.decisions, topic), topic: answer}
    more = len(decisions) - DECISIONS_KEPT
    if more < _DECISIONS_AT_ONCE:
        return decisions
    asked = {q.topic for at_place in state.asked.values() for q in at_place.questions}
    return without(decisions, *(t for t in islice(decisions, more) if t not in asked))


def _with(
    state: RepositoryState, event: ev.QuestionsPut | ev.QuestionAnswered, asked: AskedQuestions
) -> RepositoryState:
    """The place with these questions; a stale event changes nothing."""
    if event.place.startswith(CHANGE_PLACE):
        change = state.changes.get(ChangeId(event.place.removeprefix(CHANGE_PLACE)))
        after = CHANGES.after(change, event) if change else None
        if change is None or after is None:
            return state
        return with_change(state, with_questions(replace(change, state=after), asked))
    issue = issue_of(event.place)
    if issue is None:
        return replace(state, asked={**state.asked, event.place: asked})
    dialogue = state.dialogues.get(issue)
    phase = DIALOGUES.after(dialogue, event) if dialogue else None
    if dialogue is None or phase is None:
        return state
    moved = replace(dialogue, phase=phase, asked=asked, is_told=False)
    return with_dialogue(state, _turned(moved, event))


def _turned(dialogue: Dialogue, event: ev.QuestionsPut | ev.QuestionAnswered) -> Dialogue:
    """With questions put it is the people's turn: a model's reply is weighed."""
    if isinstance(event, ev.QuestionAnswered):
        return dialogue
    before = 0 if dialogue.asked_by_rules == event.round else dialogue.asked_by_rules
    asked_by_rules = event.round if event.by_rules else before
    return replace(dialogue, reply="", reply_to="", asked_by_rules=asked_by_rules)


QUESTION_FOLDS = folds(
    on(ev.QuestionsPut, _put),
    on(ev.QuestionAnswered, _answered),
)
