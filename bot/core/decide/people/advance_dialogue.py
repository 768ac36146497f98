"""The dialogue about an issue that asks for work, until a spec can be proposed.

A model asks or writes the spec. Without a model a fixed list is asked, and the spec is made of
people's own words. There are at most three rounds; each is answered, skipped or ended by a person.
The result is a pull that a person must merge.
"""

from bot.core.decide.decision import Decision
from bot.core.decide.people import show_questions
from bot.core.decide.specs.propose_issue_spec import is_being_proposed, path_of
from bot.core.journal.effects import AskModel, ProposeSpec, WithdrawSpec
from bot.core.journal.events import (
    DialogueEnded,
    DialogueEnding,
    DraftReturned,
    ModelFailed,
    QuestionsPut,
    RoundClosed,
    WorkAsked,
    WorkReworded,
)
from bot.core.journal.state import Dialogue, DialoguePhase, dialogue_of, spec_issue_of
from bot.core.prompts.issue_forms import ReadinessAnswer, SpecAnswer, WrittenSpec
from bot.core.prompts.spec_from_answers import CHECKLIST, is_ready, written, written_by_rules
from bot.core.spec.drafts import digest
from bot.core.spec.issue_text import spec_of_issue
from bot.core.spec.model_choice import ModelRefusal, Resolved, resolve
from bot.core.state.observed import WorkIssueSnapshot
from bot.core.talk import dialogue_text, disabled_features
from bot.core.values.ids import IssueNumber
from bot.core.values.issue_input import EDITS_MAX, ROUNDS_MAX, IssuePromptInput, place_of, prompt_id
from bot.core.values.model_roles import ModelRole
from bot.core.values.question import Question
from bot.core.values.quoting import visible
from bot.core.values.repository import Comment, Role

# A draft is sent back once; after that, people see the remaining reasons on the pull.
_RETURNS_MAX = 1

_BODY_CHARACTERS_MAX = 24_000
_SPECS_MAX = 60


def next_steps(decision: Decision) -> None:
    """Start, continue or end the dialogue of every observed issue; then update all comments."""
    for number, snapshot in decision.observed.work_issues.items():
        known = dialogue_of(decision.state, number)
        if snapshot is not None and snapshot.is_wanted:
            _take_up(decision, snapshot, known)
        elif known is not None and known.phase is not DialoguePhase.ENDED:
            _end(decision, known, _why_ended(snapshot))
    for number in tuple(decision.state.dialogues):
        _close_round(decision, number)
        snapshot = decision.observed.work_issues.get(number)
        if snapshot is not None and decision.state.dialogues[number].is_thinking:
            _Thinker(decision, snapshot, decision.state.dialogues[number]).go_on()
        _withdraw(decision, decision.state.dialogues[number])
        show_questions.of_dialogue(decision, decision.state.dialogues[number])


def _take_up(decision: Decision, snapshot: WorkIssueSnapshot, known: Dialogue | None) -> None:
    is_over = known is None or known.phase is DialoguePhase.ENDED
    if not snapshot.role.covers(Role.WRITE):
        if known is not None and not is_over:
            _end(decision, known, DialogueEnding.NOT_PERMITTED)
        elif _is_labelled_anew(decision, snapshot, known):
            said = dialogue_text.label_needs_role(snapshot.labelled_by, snapshot.role)
            subject = f"work issue {snapshot.number} label by {snapshot.labelled_by}"
            decision.comment_once(snapshot.number, subject, said)
        return
    now = _digest(snapshot)
    if is_over:
        if _is_labelled_anew(decision, snapshot, known):
            decision.emit(
                WorkAsked(
                    issue=snapshot.number,
                    labelling=snapshot.labelling,
                    asked_by=snapshot.labelled_by,
                    title=snapshot.title,
                    digest=now,
                )
            )
    elif known is not None and known.is_open and known.digest != now and known.edits < EDITS_MAX:
        decision.emit(WorkReworded(issue=snapshot.number, title=snapshot.title, digest=now))


def _is_labelled_anew(
    decision: Decision, snapshot: WorkIssueSnapshot, known: Dialogue | None
) -> bool:
    """Whether this label began no dialogue yet, as far as is remembered."""
    if known is not None:
        return known.labelling != snapshot.labelling
    return not decision.state.retired_issues.is_old(snapshot.labelling)


def _why_ended(snapshot: WorkIssueSnapshot | None) -> DialogueEnding:
    if snapshot is None or not snapshot.is_open:
        return DialogueEnding.CLOSED
    return DialogueEnding.IS_SPEC if snapshot.is_spec else DialogueEnding.LABEL_GONE


def _end(decision: Decision, dialogue: Dialogue, ending: DialogueEnding) -> None:
    decision.emit(DialogueEnded(issue=dialogue.issue, ending=ending))


def _close_round(decision: Decision, number: IssueNumber) -> None:
    dialogue = decision.state.dialogues[number]
    if dialogue.phase is DialoguePhase.ASKING and not dialogue.asked.unanswered:
        decision.emit(RoundClosed(issue=number, round=dialogue.closed + 1))


def skip(decision: Decision, dialogue: Dialogue, comment: Comment) -> tuple[str, ...]:
    """Continue without the open questions of a round; returns the replies if that is refused."""
    if dialogue.phase is not DialoguePhase.ASKING:
        return (dialogue_text.nothing_asked(dialogue.pull),)
    decision.emit(
        RoundClosed(issue=dialogue.issue, round=dialogue.closed + 1, skipped_by=comment.author)
    )
    return ()


def stop(decision: Decision, dialogue: Dialogue, comment: Comment) -> str:
    """End the dialogue if it is open; returns the reply."""
    if dialogue.phase is not DialoguePhase.ENDED:
        ending = DialogueEnding.STOPPED
        decision.emit(DialogueEnded(issue=dialogue.issue, ending=ending, by=comment.author))
    return dialogue_text.stopped()


class _Thinker:
    """The next step of one dialogue, while it is Headgate's turn."""

    def __init__(self, decision: Decision, snapshot: WorkIssueSnapshot, dialogue: Dialogue) -> None:
        self._decision = decision
        self._snapshot = snapshot
        self._dialogue = dialogue
        self._read = spec_of_issue(snapshot.title, snapshot.body)
        self._path = path_of(decision, snapshot.number, snapshot.title)

    def go_on(self) -> None:
        """Take the next step; none while a spec is being proposed."""
        dialogue = self._dialogue
        if is_being_proposed(self._decision, dialogue.issue):
            return
        if is_ready(self._path, self._read.text):
            self._propose(self._read.text, by_model=False)
        elif dialogue.reply and dialogue.reply_to == self._prompt_id:
            self._weigh()
        else:
            found = self._models()
            if isinstance(found, ModelRefusal) or dialogue.failure:
                self._ask_by_rules()
            else:
                self._ask_model(found)

    @property
    def _round(self) -> int:
        return self._dialogue.closed + 1

    @property
    def _prompt_id(self) -> str:
        d = self._dialogue
        return prompt_id(d.begun, self._round, d.digest, len(d.rejections))

    def _models(self) -> Resolved | ModelRefusal:
        server = self._decision.observed.models
        found = resolve(ModelRole.QUESTION, self._decision.policy, server)
        if isinstance(found, ModelRefusal) or server.can_ask:
            return found
        return ModelRefusal(
            role=found.role, tier=found.tier, sentence=disabled_features.no_model_for_issues()
        )

    def _ask_model(self, found: Resolved) -> None:
        snapshot, dialogue = self._snapshot, self._dialogue
        about = IssuePromptInput(
            issue=dialogue.issue,
            begun=dialogue.begun,
            round=self._round,
            digest=dialogue.digest,
            title=visible(snapshot.title),
            author=snapshot.author,
            body=visible(snapshot.body)[:_BODY_CHARACTERS_MAX],
            remarks=snapshot.remarks,
            exchanges=dialogue.exchanges,
            specs=tuple(sorted(p for p, v in self._decision.state.spec_versions.items() if v))[
                :_SPECS_MAX
            ],
            rejections=dialogue.rejections,
        )
        effect = AskModel(
            prompt=self._prompt_id,
            role=ModelRole.QUESTION,
            models=found.models,
            about=about,
            asked_at=self._decision.now,
        )
        self._decision.intend(effect)

    def _weigh(self) -> None:
        """Use a model's answer: questions for people, a spec, or neither."""
        dialogue = self._dialogue
        if self._round > ROUNDS_MAX:
            self._judge(SpecAnswer.model_validate_json(dialogue.reply).spec)
            return
        answer = ReadinessAnswer.model_validate_json(dialogue.reply)
        if answer.spec is not None:
            self._judge(answer.spec)
            return
        questions = tuple(
            Question(
                number=dialogue.asked.last + at,
                sentence=_flat(asked.question),
                why=_flat(asked.why),
                choices=tuple(_flat(c) for c in asked.choices),
            )
            for at, asked in enumerate(answer.questions, 1)
        )
        self._put(questions, by_rules=False)

    def _judge(self, spec: WrittenSpec) -> None:
        dialogue = self._dialogue
        text = written(self._path, spec, dialogue.exchanges)
        if text.reasons and len(dialogue.rejections) < _RETURNS_MAX:
            self._decision.emit(
                DraftReturned(issue=dialogue.issue, previous=dialogue.reply, reasons=text.reasons)
            )
        elif not text.is_read_back:
            self._decision.emit(
                ModelFailed(
                    place=place_of(dialogue.issue),
                    prompt=self._prompt_id,
                    sentence=f"The model twice wrote a text that is not a spec. {text.reasons[0]}",
                )
            )
        else:
            self._propose(text.text, by_model=True)

    def _ask_by_rules(self) -> None:
        """Ask the fixed list, once; after it propose the spec made of people's own words."""
        dialogue = self._dialogue
        asked = dialogue.asked_by_rules
        if self._round > ROUNDS_MAX or (asked and asked <= dialogue.closed):
            said = visible(self._snapshot.body)
            text = written_by_rules(self._snapshot.title, said, dialogue.exchanges)
            self._propose(text, by_model=False)
            return
        fresh = tuple(
            Question(number=dialogue.asked.last + at, sentence=sentence, why=why)
            for at, (sentence, why) in enumerate(CHECKLIST, 1)
        )
        # After an edit of the issue, the list keeps its numbers.
        self._put(dialogue.asked.rounds[asked] if asked else fresh, by_rules=True)

    def _put(self, questions: tuple[Question, ...], *, by_rules: bool) -> None:
        self._decision.emit(
            QuestionsPut(
                place=self._dialogue.place,
                questions=questions,
                last=max(q.number for q in questions),
                round=self._round,
                by_rules=by_rules,
            )
        )

    def _propose(self, text: str, *, by_model: bool) -> None:
        main, facts = self._decision.state.main, self._decision.state.facts
        if main is None or facts is None:
            return
        dialogue, snapshot = self._dialogue, self._snapshot
        known = spec_issue_of(self._decision.state, dialogue.issue)
        self._decision.intend(
            ProposeSpec(
                issue=dialogue.issue,
                round=known.round + 1 if known else 1,
                base=main,
                branch=f"headgate/specs/{dialogue.issue}",
                path=self._path,
                text=text,
                digest=digest(text, 12),
                title=dialogue_text.pull_title(dialogue),
                body=dialogue_text.pull_body(dialogue, snapshot, self._path, self._read, by_model),
                message=dialogue_text.commit_message(dialogue, snapshot, self._path, facts),
                at=self._decision.now,
                dialogue=dialogue.begun,
            )
        )


def _withdraw(decision: Decision, dialogue: Dialogue) -> None:
    """Close the pull of an ended dialogue; if the issue has the spec label, that takes over."""
    known = decision.state.spec_issues.get(dialogue.issue)
    if dialogue.ending in {None, DialogueEnding.IS_SPEC} or known is None or known.is_withdrawn:
        return
    if known.round == dialogue.proposal:
        decision.intend(WithdrawSpec(issue=dialogue.issue, pull=known.pull, round=known.round))


def _digest(snapshot: WorkIssueSnapshot) -> str:
    """Of the visible text, without its layout."""
    return digest(" ".join(visible(f"{snapshot.title}\n{snapshot.body}").split()), 12)


def _flat(text: str) -> str:
    return " ".join(visible(text).split())
