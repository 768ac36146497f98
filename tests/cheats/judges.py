"""The judges of a stage by themselves, without the house: for the many cheats that each of them knows.

An agent is a shell script in a clone of main. What its commit steers is asked first, as the server asks it.
Else the gates that Headgate brings judge it in this process, which is enough for most; a runner's harness judges
by all gates of the policy, behind its walls. One cheat of each kind is played (`tests.cheats.stage`), up to the verdict.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from action.halt import Halt
from action.harness.folder import order_folder
from action.harness.gate_order import run_gate_order
from action.harness.order_context import OrderContext
from action.harness.progress import Progress
from action.order import GateOrder
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.spec.read import read_spec
from bot.core.state.asked_requirements import names_of
from bot.core.state.coverage import PassedTests, passed_of
from bot.core.state.proof import ProofContext, with_levels
from bot.core.talk.steering_text import shadows_text, steered_text
from bot.core.talk.workflow_file import ActionSource, workflow_files
from bot.core.values.ids import Sha
from bot.core.values.spec_model import Requirement
from bot.entry.commands.gates_steering import steering_here
from bot.entry.commands.policy_here import policy_of
from gates.asked import AskedRequirement
from gates.judge import Subject, all_required_passed, judge
from gates.result import GateReport, GateResult
from gates.settings import JudgeSettings
from tests.cheats.stage import Cheat, requirement_id, run_agent, the_spec
from tests.testkit.people import UNTIDIED


@dataclass(frozen=True)
class Sentence:
    """What the judges made of an agent's work; `said` is everything that they say of it."""

    stopped: bool
    said: str


@dataclass(frozen=True)
class Judges:
    """Main of a stage in a folder, and its policy. Every agent works in a copy."""

    main: Path
    policy: Policy

    def stop(self, cheat: Cheat, before: str = "", *, runs: bool = False) -> None:
        """Fails unless they stop this cheat with its words; `before` is what its agent did first."""
        found = self.judge(cheat.name, before + cheat.script, runs=runs)
        assert found.stopped, found.said
        assert cheat.said in found.said

    def let_pass(self, name: str, script: str) -> None:
        """Fails where they stop this work."""
        found = self.judge(name, script)
        assert not found.stopped, found.said

    def judge(self, name: str, script: str, *, runs: bool = False) -> Sentence:
        """What is said of this agent's work on a spec of one requirement; `runs`: by the lines of the policy, too."""
        tree = self.main.with_name(f"{self.main.name}-{name}")
        shutil.copytree(self.main, tree, symlinks=True)
        try:
            path, text = f"specs/{name}.md", the_spec(name)
            base = _committed(tree, {path: text})
            run_agent(script, requirement_id(name), tree)
            head = _committed(tree, {})
            requirement = read_spec(path, {path: text.encode()}).requirements[0]
            return self._judged(tree, base, head, requirement, runs=runs)
        finally:
            shutil.rmtree(tree)

    def _judged(
        self, tree: Path, base: str, head: str, requirement: Requirement, *, runs: bool
    ) -> Sentence:
        steering = steering_here(tree / ".git", Sha(base), Sha(head), self.policy)
        if steering.shadows:
            return Sentence(True, shadows_text(steering))
        if steering.files:
            return Sentence(True, steered_text(steering, Sha(head)))
        # What runs a project's tests once more is the runner's own.
        by_program = [g for g in self.policy.gates if g.builtin and g.builtin != "base_tests"]
        gates = self.policy.gates if runs else tuple(by_program)
        scenarios = tuple(one.name for one in requirement.scenarios)
        asked = AskedRequirement(
            id=requirement.id, names=names_of(requirement), scenarios=scenarios
        )
        if runs:
            report = self._behind_walls(tree, base, head, asked)
            passed = passed_of(report.results)
        else:
            settings = JudgeSettings(protected=self.policy.protected, requirements=(asked,))
            report = judge(Subject(tree, base), gates, settings, lambda _: None)
            # No test has run: what could not be seen is not held against the work.
            passed = PassedTests(names=(), is_whole=False)
        known = ProofContext(
            requirements={requirement.id: requirement}, passed=passed, plan=self.policy.test_plan
        )
        results = tuple(with_levels(result, known) for result in report.results)
        said = "\n".join(words for result in results for words in _words(result))
        is_red = not all_required_passed(gates, replace(report, results=results))
        return Sentence(is_red, said)

    def _behind_walls(
        self, tree: Path, base: str, head: str, asked: AskedRequirement
    ) -> GateReport:
        """What a runner reports of an order as the server places it."""
        order = GateOrder(
            order_id="o1",
            repository="team/shop",
            clone_url="",
            candidate_sha=head,
            candidate_ref="HEAD",
            diff_base_sha=base,
            definition_hash="",
            gates=self.policy.gates,
            protected=self.policy.protected,
            requirements=(asked,),
            measured=self.policy.measured,
            setup=self.policy.setup,
            setup_sha=base,
        )
        outer = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        # A short path: a sandbox's sockets lie below it.
        with tempfile.TemporaryDirectory(prefix="judges-") as temp:
            outer |= {"RUNNER_TEMP": temp, "HEADGATE_LAYERS": str(self.main.parent / "layers")}
            with order_folder(outer) as folder:
                context = OrderContext(folder, outer, "", Halt(), Progress(lambda _: None))
                context.git.create()
                context.git.bring(tree, head)
                ended = run_gate_order(order, context)
        assert ended.report is not None, ended.sentence
        return ended.report


def judges(folder: Path, files: Mapping[str, str], policy: str) -> Judges:
    """The judges over a main with these files."""
    folder.mkdir(parents=True)
    _git(folder, "init", "-q", "-b", "main")
    workflows = workflow_files(ActionSource(repository="headgate/headgate", sha=Sha("0" * 40)))
    _committed(folder, {**files, POLICY_PATH: policy, **workflows})
    return Judges(folder, policy_of(POLICY_PATH, policy))


def _words(result: GateResult) -> list[str]:
    remarks = [note.message for note in result.annotations]
    why = [f"{one.requirement}: {one.why}" for one in result.proof]
    ended = f"{result.gate} ({result.ending.value})"
    return [f"{ended}: {result.sentence}", result.log_tail, *remarks, *why]


def _committed(tree: Path, files: Mapping[str, str]) -> str:
    for path, text in files.items():
        place = tree / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    _git(tree, "add", "-A")
    _git(tree, "commit", "-q", "--allow-empty", "-m", "Work")
    return _git(tree, "rev-parse", "HEAD")


def _git(tree: Path, *arguments: str) -> str:
    who = {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in (("NAME", "agent"), ("EMAIL", "agent@example.com"))
    }
    environment = {"PATH": os.environ["PATH"], "HOME": os.devnull, **who, **UNTIDIED}
    done = subprocess.run(
        ["git", *arguments], cwd=tree, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()
