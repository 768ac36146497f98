"""The fingerprint of a run changes only when its work changes."""

import os
from pathlib import Path

from action.agents.budget import Budget
from action.agents.idle_watch import newest_file
from action.agents.rounds import Rounds
from action.harness.fingerprint import EVERY_SECONDS, FingerprintWatch
from action.harness.progress import Progress
from action.order import AgentSettings, Fingerprint
from action.sandbox.sandbox import Command, CommandResult, Sandbox
from action.sandbox.trees import remove
from gates.result import GateDefinition, Judges


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def watched(tree: Path, clock: Clock) -> FingerprintWatch:
    (tree / "shop").mkdir(parents=True)
    (tree / ".git").mkdir()
    for name in ("a.py", "shop/b.py"):
        (tree / name).write_text("1")
    return FingerprintWatch(tree, lambda: ("lint",), clock=clock)


def test_the_fingerprint_changes_only_with_files_of_the_tree(tmp_path: Path) -> None:
    clock = Clock()
    watch = watched(tmp_path, clock)
    clock.now += EVERY_SECONDS
    assert watch.now() == Fingerprint(red=("lint",))

    (tmp_path / "new.py").write_text("1")
    before = (tmp_path / "shop/b.py").stat()
    (tmp_path / "shop/b.py").write_text("2")
    # Its time of writing is what a program says it is.
    os.utime(tmp_path / "shop/b.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    (tmp_path / "a.py").unlink()
    (tmp_path / ".git/index").write_text("1")
    # Not at once: looking through a tree takes its time.
    assert watch.now() == Fingerprint(red=("lint",))
    clock.now += EVERY_SECONDS
    first = watch.now()
    assert (first.files, len(first.tree)) == (3, 8)

    clock.now += EVERY_SECONDS
    assert watch.now() == first
    (tmp_path / "new.py").write_text("2")
    clock.now += EVERY_SECONDS
    assert watch.now().files == 3
    assert watch.now().tree != first.tree


def test_files_left_by_tools_are_not_changes(tmp_path: Path) -> None:
    clock = Clock()
    watch = watched(tmp_path, clock)
    for name in ("shop/__pycache__/b.cpython-311.pyc", ".pytest_cache/README.md", "new.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1")
    clock.now += EVERY_SECONDS
    assert watch.now().files == 1


def test_ticked_tasks_are_part_of_the_fingerprint(tmp_path: Path) -> None:
    clock = Clock()
    (tmp_path / "own").mkdir()
    (tmp_path / "own/tasks.md").write_text("- [x] 1\n- [ ] 2\n")
    watch = FingerprintWatch(tmp_path, tuple, "own/tasks.md", clock)
    assert watch.now() == Fingerprint(ticked=1, tasks=2)

    (tmp_path / "own/tasks.md").write_text("- [x] 1\n- [x] 2\n")
    clock.now += EVERY_SECONDS
    assert (watch.now().ticked, watch.now().tasks) == (2, 2)

    # Nothing that an agent makes of its folder leads the reader elsewhere.
    (tmp_path / "own").rename(tmp_path / "away")
    (tmp_path / "own").symlink_to("away")
    clock.now += EVERY_SECONDS
    assert watch.now().tasks == 0


def test_a_tree_of_any_depth_is_fingerprinted(tmp_path: Path) -> None:
    clock = Clock()
    watch = watched(tmp_path, clock)
    inside = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir("d", dir_fd=inside)
        deeper = os.open("d", os.O_RDONLY, dir_fd=inside)
        os.close(inside)
        inside = deeper
    os.close(os.open("new.py", os.O_CREAT | os.O_WRONLY, dir_fd=inside))
    os.close(inside)
    clock.now += EVERY_SECONDS
    assert watch.now().files == 1
    assert newest_file(tmp_path)[0] == 3
    remove(tmp_path)


def test_a_status_has_the_fingerprint_from_the_start(tmp_path: Path) -> None:
    progress = Progress(lambda _: None)
    assert progress.status().fingerprint == Fingerprint()
    progress.follow(watched(tmp_path, Clock()))
    assert progress.status().fingerprint.red == ("lint",)


class OneAnswer:
    """A sandbox whose next command ends with this code."""

    def __init__(self) -> None:
        self.code = 1

    def run(self, _: Command, _hear: object = None) -> CommandResult:
        return CommandResult(self.code, None, False, "", 0, 0.0)


def test_a_gate_counts_as_red_until_it_was_green(tmp_path: Path) -> None:
    sandbox = OneAnswer()
    gates = [GateDefinition(name="lint", judges=Judges.TREE, command="lint")]
    rounds = Rounds(gates, _as_sandbox(sandbox), tmp_path, Budget(AgentSettings()))
    assert list(rounds.seen_red) == []
    rounds.run()
    assert list(rounds.seen_red) == ["lint"]
    sandbox.code = 0
    rounds.run()
    assert list(rounds.seen_red) == []


def _as_sandbox(one: OneAnswer) -> Sandbox:
    return one  # type: ignore[return-value]
