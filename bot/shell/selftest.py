"""Tries on a real repository what Headgate needs there, without a model, in about a minute.

All of it happens under refs and issues of its own, which are removed at the end. The journal is not
written: the order is in the order store alone, so nothing follows from its report.
"""

import json
import secrets
from collections.abc import Callable
from datetime import timedelta

from action.order import GateOrder
from action.report import GateOrderReport
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import RunsOnFor
from bot.core.state.own_refs import SELF_TEST_REFS
from bot.core.state.refusing_rules import Weight, findings
from bot.core.talk import selftest_text as text
from bot.core.talk.reason_text import RUNNER_LABEL
from bot.core.talk.rules_text import in_words
from bot.core.values.candidate import PushOutcome, RefUpdate
from bot.core.values.check_run import CheckRunText, Conclusion
from bot.core.values.hosted import are_hosted
from bot.core.values.ids import IssueNumber, OrderId, Ref, Sha
from bot.core.values.repository import IssueEdit, IssueState, RepositoryFacts
from bot.core.values.selftest import Held, TestLine
from bot.order_ports import ApprovedFile
from bot.ports import Retryable, UserError
from bot.shell.own_pushes import push_all, recipe
from bot.shell.process_ports import Ports
from bot.shell.workflow_trust import approve_workflow
from gates.result import Ending, GateDefinition, Judges, definition_hash

# How long a runner may take for an order that has nothing to do.
RUNNER_WITHIN = timedelta(seconds=45)
# A machine of GitHub's is waited for and made ready first.
HOSTED_WITHIN = timedelta(seconds=120)
_POLL_SECONDS = 1.0


class _DidNotHold(Exception):
    """`fix` where it is another one than the line's."""

    def __init__(self, says: str, fix: str = "") -> None:
        super().__init__(says)
        self.says, self.fix = says, fix


class SelfTest:
    """One self-test of one repository. `wait` passes the time between two looks at a runner."""

    def __init__(
        self, ports: Ports, facts: RepositoryFacts, policy: Policy, wait: Callable[[float], None]
    ) -> None:
        self._ports = ports
        self._facts = facts
        self._policy = policy
        self._wait = wait
        self._id = f"selftest-{secrets.token_hex(4)}"
        self._ref = Ref(f"{SELF_TEST_REFS}{self._id}")
        self._branch = f"headgate/{self._id}"
        self._main = Sha("")
        self._commit = Sha("")
        # The gates' workflow, which is the last that is looked at.
        self._workflow: ApprovedFile | None = None
        self._asks_for_signatures = False
        self._issues: list[IssueNumber] = []
        self.lines: list[TestLine] = []

    def run(self) -> tuple[TestLine, ...]:
        try:
            self._run()
        finally:
            self._try(text.CLEAN, self._clean_up)
        return tuple(self.lines)

    def _run(self) -> None:
        if not self._try(text.MAIN, self._read_main):
            return
        has_files = self._try(text.WORKFLOWS, self._files)
        self._try(text.RULES, self._rules)
        if self._try(text.REFS, self._refs):
            self._try(text.SIGNED, self._sign)
            self._try(text.SWAP, self._compare_and_swap)
            self._try(text.CHECK, self._check_run)
        self._try(text.ISSUES, self._link_issues)
        if has_files and self._commit:
            self._try(text.RUNNER, self._runner)
        else:
            self.lines.append(TestLine(name=text.RUNNER[0], held=Held.NOT_TRIED))

    def _try(self, line: tuple[str, str], step: Callable[[], str]) -> bool:
        name, fix = line
        try:
            said = step()
        except _DidNotHold as failure:
            fix = failure.fix or fix
            self.lines.append(TestLine(name=name, held=Held.NO, says=failure.says, fix=fix))
            return False
        except (UserError, Retryable) as failure:
            self.lines.append(TestLine(name=name, held=Held.NO, says=failure.sentence, fix=fix))
            return False
        self.lines.append(TestLine(name=name, held=Held.YES, says=said))
        return True

    def _read_main(self) -> str:
        git = self._ports.git
        git.fetch(self._facts)
        main = git.remote_ref(self._facts, self._facts.main_ref)
        if main is None:
            raise _DidNotHold(text.no_main(self._facts.default_branch))
        self._main = main
        return f"{self._facts.full_name} at {main[:10]}"

    def _files(self) -> str:
        names = (self._policy.file.agent_workflow, self._policy.file.gates_workflow)
        wanted = tuple(f".github/workflows/{name}" for name in names)
        there = self._ports.git.blobs(self._facts, self._main, wanted)
        if missing := [path for path in wanted if path not in there]:
            raise _DidNotHold(text.lacks(missing))
        state = self._ports.journal.load(self._facts.id)
        for path in wanted:
            self._workflow = approve_workflow(self._ports, self._facts, state, path, self._main)
        return ", ".join(wanted)

    def _rules(self) -> str:
        rules = self._ports.forge.rules(self._facts)
        found = [
            one
            for one in findings(self._facts, rules, self._policy, RUNNER_LABEL)
            if one.weight is not Weight.NOTE
        ]
        self._asks_for_signatures = rules.ask_for_signatures
        said = " ".join(in_words(rules.branch, rules.codeowners, found))
        if any(one.weight is Weight.REFUSES for one in found):
            raise _DidNotHold(said)
        return said or text.rules_read(len(rules.rules))

    def _refs(self) -> str:
        ports, facts = self._ports, self._facts
        tree = ports.git.tree_of(facts, self._main)
        made = recipe(facts, ports.clock.now(), tree, (self._main,), f"{text.TITLE}\n")
        commit = ports.git.commit(facts, made)
        push_all(
            ports,
            facts,
            RefUpdate(ref=self._ref, old=None, new=commit),
            RefUpdate(ref=self._branch_ref, old=None, new=self._main),
        )
        if ports.git.remote_ref(facts, self._ref) != commit:
            raise _DidNotHold(text.NOT_THERE)
        self._commit = commit
        wrong = ports.git.push(facts, (RefUpdate(ref=self._ref, old=self._main, new=self._main),))
        if wrong.outcome is PushOutcome.DONE:
            raise _DidNotHold(text.MOVED_BLINDLY)
        return self._ref

    def _sign(self) -> str:
        """A commit that no ref names, and that is nothing."""
        tree = self._ports.git.tree_of(self._facts, self._main)
        made = self._ports.forge.sign_commit(self._facts, tree, (self._main,), f"{text.TITLE}\n")
        # A candidate's is fetched so, before a ref names it.
        self._ports.git.fetch_commit(self._facts, made.sha)
        if made.is_verified:
            return text.signed(made.sha)
        if self._asks_for_signatures:
            raise _DidNotHold(text.unsigned(made.reason))
        return text.unsigned_and_unasked(made.reason)

    @property
    def _branch_ref(self) -> Ref:
        return Ref(f"refs/heads/{self._branch}")

    def _compare_and_swap(self) -> str:
        scratch = self._facts.replace(default_branch=self._branch)
        wrong = self._ports.forge.move_main(scratch, self._commit, self._commit)
        if wrong is None:
            return text.NO_SWAP
        if wrong.outcome is PushOutcome.DONE:
            raise _DidNotHold(text.MOVED_BLINDLY)
        right = self._ports.forge.move_main(scratch, self._main, self._commit)
        if right is None or right.outcome is not PushOutcome.DONE:
            raise _DidNotHold(right.sentence if right else text.NO_SWAP)
        return "`updateRefs`"

    def _check_run(self) -> str:
        said = CheckRunText(
            name="headgate/selftest",
            conclusion=Conclusion.SUCCESS,
            title=text.CHECK_TITLE,
            summary=text.CHECK_SUMMARY,
        )
        forge = self._ports.forge
        made = forge.create_check_run(self._facts, self._commit, self._id, said)
        seen = forge.check_run_by_us(self._facts, self._commit, self._id)
        if seen is None or seen.id != made:
            raise _DidNotHold(text.NOT_FOUND_AGAIN)
        return f"check run {made}"

    def _link_issues(self) -> str:
        forge, facts = self._ports.forge, self._facts
        first = forge.open_issue(facts, f"{text.TITLE} ({self._id})", text.BODY, ())
        self._issues.append(first.number)
        second = forge.open_issue(facts, f"{text.PART_TITLE} ({self._id})", text.BODY, ())
        self._issues.append(second.number)
        forge.link_sub_issue(facts, first.number, second.id)
        forge.link_blocked_by(facts, first.number, second.id)
        forge.comment_on_issue(facts, first.number, text.COMMENT)
        return f"#{first.number} and #{second.number}"

    def _runner(self) -> str:
        ports, facts = self._ports, self._facts
        gates = (GateDefinition(name="selftest", judges=Judges.TREE, command="true"),)
        order = GateOrder(
            order_id=self._id,
            repository=facts.full_name,
            clone_url=facts.clone_url,
            candidate_sha=self._commit,
            candidate_ref=self._ref,
            diff_base_sha=self._main,
            definition_hash=definition_hash(gates),
            gates=gates,
            sandbox=self._policy.sandbox,
        )
        id_ = OrderId(self._id)
        ports.order_store.place(facts.id, order, self._workflow)
        inputs = {"order_id": id_, "server": ports.server_url}
        asked = self._policy.runs_on(RunsOnFor.GATES, None)
        if asked:
            inputs["runs_on"] = json.dumps(asked)
        try:
            run = ports.forge.dispatch_workflow(facts, self._policy.file.gates_workflow, inputs)
        except UserError as refused:
            ports.order_store.revoke(facts.id, id_)
            raise _DidNotHold(refused.sentence, text.NOT_STARTED) from refused
        if run is not None:
            ports.order_store.bind(facts.id, id_, run)
        within = HOSTED_WITHIN if are_hosted(asked) else RUNNER_WITHIN
        until = ports.clock.now() + within
        while (entry := ports.order_store.entries(facts.id, (id_,)).get(id_)) is not None:
            if isinstance(entry.report, GateOrderReport):
                return _verdict(entry.report)
            if ports.clock.now() > until:
                break
            self._wait(_POLL_SECONDS)
        ports.order_store.revoke(facts.id, id_)
        if run is not None:
            ports.forge.cancel_workflow_run(facts, run)
        leased = entry is not None and entry.leased_at is not None
        raise _DidNotHold(text.runner_late(within.seconds, leased))

    def _clean_up(self) -> str:
        ports, facts = self._ports, self._facts
        for number in self._issues:
            edit = IssueEdit(state=IssueState.CLOSED, reason="not_planned")
            ports.forge.edit_issue(facts, number, edit)
        there = ports.git.remote_refs(facts, (self._ref, self._branch_ref))
        gone = tuple(RefUpdate(ref=ref, old=sha, new=None) for ref, sha in there.items())
        if gone:
            push_all(ports, facts, *gone)
        return text.cleaned(len(gone), len(self._issues))


def _verdict(report: GateOrderReport) -> str:
    if report.report is None:
        raise _DidNotHold(report.sentence, text.RUNNER_UNFIT)
    (result,) = report.report.results
    if result.ending is not Ending.PASSED:
        raise _DidNotHold(result.sentence, text.RUNNER_UNFIT)
    return f"{text.RUNNER_HELD} (sandbox: {report.sandbox})"
