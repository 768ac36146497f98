"""What people are told of money: what agents have cost, and the question whether to go on."""

from bot.core.journal.state import RepositoryState, SpecRun, asked_at
from bot.core.spec.policy import Policy
from bot.core.state.money import Held, budget_of_run, held_now, spent_on_run
from bot.core.talk.question_text import how_to_answer, question_lines
from bot.core.values.question import money_place

CHOICES = ("yes", "no", "another amount, such as $20")
NO = "no"
# The region of the tracking issue that tells of agents at work.
SPENDING = "spending"


def question(spent: float, budget: float, dollars: float) -> str:
    return (
        f"The agents of this spec run have spent ${spent:.2f} of its ${budget:.2f}. Continue "
        f"for ${dollars:.2f} more?"
    )


def yes(dollars: float) -> str:
    """An answer as it is kept."""
    return f"yes, ${dollars:.2f} more"


def not_understood(number: int) -> str:
    return (
        f"Question {number} is about money: answer `yes`, `no`, or an amount in US dollars, as "
        f"`/headgate answer {number} $20`."
    )


def answered_before(number: int) -> str:
    return (
        f"Question {number} was answered with yes. Headgate asks again when this amount is spent."
    )


def spent_line(state: RepositoryState, policy: Policy, run: SpecRun) -> str:
    """What the agents of a run have cost; empty while that is nothing that is known."""
    spent = spent_on_run(state, run, policy)
    budget = budget_of_run(run, policy)
    of = f" of the run's ${budget:.2f}" if budget is not None else ""
    return f"Agents have spent ${spent:.2f}{of}." if round(spent, 2) or of else ""


def working_line(dollars: float, agents: int) -> str:
    """What agents that have not ended say that they have spent."""
    who = "The running agent has" if agents == 1 else f"The {agents} running agents have"
    return f"{who} spent ${dollars:.2f} so far."


def is_waiting(state: RepositoryState, policy: Policy, run: SpecRun) -> bool:
    """Whether agents of the run wait for people's word about money."""
    return run.is_open and any(
        held_now(state, policy, change) is Held.RUN
        for change in state.changes_of(run.id)
        if not change.is_ended
    )


def money_questions(state: RepositoryState, policy: Policy, run: SpecRun) -> str:
    """The comment with all that was asked about the run's budget; empty if nothing was."""
    asked = asked_at(state, money_place(run.id))
    if not asked.questions:
        return ""
    lines = ["**The budget of this spec run.**", ""]
    for one in asked.questions:
        lines += question_lines(one, asked.answers.get(one.number))
    return "\n".join((*lines, "", _what_now(state, policy, run)))


def _what_now(state: RepositoryState, policy: Policy, run: SpecRun) -> str:
    if not is_waiting(state, policy, run):
        return "No agent waits for an answer now."
    number = asked_at(state, money_place(run.id)).questions[-1].number
    return (
        "No agent starts before there is an answer. Gates and landings continue. "
        f"{how_to_answer(number, policy.file.approver, 'yes')} Or set `budgets.run_dollars` in "
        "the policy."
    )


def to_do(state: RepositoryState, policy: Policy, run: SpecRun) -> list[str]:
    if not is_waiting(state, policy, run):
        return []
    questions = asked_at(state, money_place(run.id)).questions
    return [
        f"decide whether agents may spend more: question {q.number}, below" for q in questions[-1:]
    ]
