"""Where people see what they are asked: each asker's questions, with their answers, kept true.

Each has one comment where it is answered. A spec's questions are there before anybody has read the
plan: they are a region of the tracking issue, and the check run of a pull.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.state import ChangeFacts, Dialogue, SpecRun, spec_issue_of
from bot.core.state.waiting import is_waited_for
from bot.core.talk import disabled_features, issues
from bot.core.talk.agent_questions_text import questions_text
from bot.core.talk.dialogue_text import dialogue_comment
from bot.core.talk.money_text import money_questions
from bot.core.values.ids import IssueNumber


def of_agent(decision: Decision, change: ChangeFacts, issue: IssueNumber) -> None:
    """One comment for each time that a change's agent asked, while answers still count."""
    for asked in change.clarifications:
        decision.keep_comment(
            issue,
            f"asked {change.id} {asked.order}",
            questions_text(decision.policy, change, asked),
            is_due=is_waited_for(change, asked),
        )


def of_spec(decision: Decision, run: SpecRun, issue: IssueNumber) -> None:
    if asked := issues.tracking_questions(decision.state, decision.policy, run):
        decision.keep_region(issue, issues.QUESTIONS, asked)


def of_money(decision: Decision, run: SpecRun, issue: IssueNumber) -> None:
    if asked := money_questions(decision.state, decision.policy, run):
        decision.keep_comment(issue, f"money {run.id}", asked)


def of_dialogue(decision: Decision, dialogue: Dialogue) -> None:
    if dialogue.is_told and not dialogue.is_open:
        return
    is_by_rules = dialogue.asked_by_rules and not dialogue.failure
    off = disabled_features.no_model_for_issues() if is_by_rules else ""
    said = dialogue_comment(dialogue, off, _why_not_proposed(decision, dialogue))
    decision.keep_comment(dialogue.issue, dialogue.subject, said)


def _why_not_proposed(decision: Decision, dialogue: Dialogue) -> str:
    """Why GitHub refused the pull; empty if it did not."""
    known = spec_issue_of(decision.state, dialogue.issue)
    stem = f"propose:{dialogue.issue}:{known.round + 1 if known else 1}:"
    said = [sentence for key, sentence in decision.state.refused.items() if key.startswith(stem)]
    return said[-1] if said else ""
