"""Stories of a change's own files in its delta folder: tasks to tick, a design to fill."""

from pathlib import Path

import pytest

from action.harness.artefacts import ticked_of, with_ticks
from action.order import Artefacts
from action.report import AgentEnding
from tests.action.fake_server import FakeServer, bash
from tests.action.kit import Harness, Project, agent_order, git, make_project, unpack

FOLDER = "openspec/changes/add-greeting"
OWN = f"{FOLDER}/headgate/greet"
TASKS = "# Tasks: Greet\n\n## 1. Greeting (REQ-1)\n\n- [ ] 1.1 REQ-1: code\n- [ ] 1.2 REQ-1: test\n"
FILES = Artefacts(
    folder=FOLDER,
    tasks_path=f"{OWN}/tasks.md",
    tasks=TASKS,
    design_path=f"{OWN}/design.md",
    design="# Design: Greet\n",
)
PROTECTED = ("openspec/",)
DONE = ["All is there.\nDONE"]


def ordered(server: FakeServer, project: Project, **more: object) -> None:
    fields: dict[str, object] = {"artefacts": FILES, "protected": PROTECTED}
    server.order = agent_order(server, project, **fields | more)


def head(project: Project, server: FakeServer, folder: Path) -> Path:
    """A clone with the work of the only bundle checked out."""
    clone = unpack(project, server.bundles[-1], folder)
    git(clone, "checkout", "--quiet", "headgate")
    return clone


@pytest.mark.slow
class TestStories:
    def test_design_files_are_in_the_tree_and_return_with_the_work(
        self, server: FakeServer, project: Project, harness: Harness, tmp_path: Path
    ) -> None:
        ordered(server, project)
        tick = f"sed -i 's/\\[ \\] 1.1/[x] 1.1/' {OWN}/tasks.md"
        server.script = [
            [bash(f"git status --short; cat {OWN}/design.md")],
            [bash(f"echo hello >greet.py; {tick}; echo By name. >>{OWN}/design.md")],
            DONE,
        ]

        harness.run()

        report = server.agent_report
        assert (report.ending, report.ticked, report.tasks) == (AgentEnding.FINISHED, 1, 2)
        clone = head(project, server, tmp_path)
        assert "[x] 1.1 REQ-1" in (clone / FILES.tasks_path).read_text()
        assert (clone / FILES.design_path).read_text() == "# Design: Greet\nBy name.\n"
        # The tree was clean when the agent first looked.
        answered = report.transcript_tail.partition("bash answered")[2].strip()
        assert answered.startswith("# Design: Greet")

    def test_other_files_of_the_change_folder_are_protected(
        self, server: FakeServer, project: Project, harness: Harness, tmp_path: Path
    ) -> None:
        ordered(server, project)
        server.script = [
            [bash(f"echo hello >greet.py; echo x >{OWN}/more.md; echo x >{FOLDER}/proposal.md")],
            [bash(f"rm {OWN}/tasks.md; ln -s ../../../../../greet.py {OWN}/tasks.md")],
            DONE,
        ]

        harness.run()

        report = server.agent_report
        assert report.ending is AgentEnding.WORK_REFUSED
        for path in (f"{OWN}/more.md", f"{FOLDER}/proposal.md", FILES.tasks_path):
            assert f"`{path}` is protected" in report.sentence
        clone = head(project, server, tmp_path)
        assert not (clone / FILES.tasks_path).exists()
        assert (clone / "greet.py").exists()

    def test_ticked_boxes_alone_do_not_count_as_work(
        self, server: FakeServer, project: Project, harness: Harness
    ) -> None:
        ordered(server, project)
        server.script = [[bash(f"sed -i 's/\\[ \\]/[x]/' {OWN}/tasks.md")], DONE, DONE]

        harness.run()

        assert server.agent_report.ending is AgentEnding.NOTHING_CHANGED
        assert server.bundles == []

    def test_the_next_attempt_sees_the_ticks_of_the_previous_one(
        self, server: FakeServer, harness: Harness, tmp_path: Path
    ) -> None:
        before = TASKS.replace("[ ] 1.2", "[x] 1.2").replace("- [ ] 1.1 REQ-1: code\n", "")
        project = make_project(
            tmp_path / "again", {FILES.tasks_path: before, FILES.design_path: "Mine.\n"}
        )
        server.repository = project.bare
        ordered(server, project, attempt=2)
        server.script = [[bash("echo hello >greet.py")], DONE]

        harness.run()

        report = server.agent_report
        assert (report.ticked, report.tasks) == (1, 2)
        clone = head(project, server, tmp_path)
        assert (clone / FILES.tasks_path).read_text() == TASKS.replace("[ ] 1.2", "[x] 1.2")
        assert (clone / FILES.design_path).read_text() == "Mine.\n"

    def test_a_symlink_in_the_tree_does_not_redirect_design_files(
        self, server: FakeServer, harness: Harness, tmp_path: Path
    ) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        project = make_project(tmp_path / "linked", {})
        (project.work / "openspec").symlink_to(outside)
        git(project.work, "add", ".")
        git(project.work, "commit", "--quiet", "-m", "Link")
        git(project.work, "push", "--quiet", str(project.bare), "main")
        server.repository = project.bare
        ordered(server, project, start_sha=git(project.work, "rev-parse", "HEAD"))
        server.script = [[bash("echo hello >greet.py")], DONE]

        harness.run()

        assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "- [ ] 1.1 A\n- [ ] 1.2 B\n"),
        ("- [x] 1.1 A\n", "- [x] 1.1 A\n- [ ] 1.2 B\n"),
        ("- [X] 1.2 B\n- [x] 9.9 gone\n", "- [ ] 1.1 A\n- [x] 1.2 B\n"),
        ("* [x] 1.2 B\n- [ ] 1.1 A\nA note.\n", "* [x] 1.2 B\n- [ ] 1.1 A\nA note.\n"),
    ],
    ids=["new", "a task more", "a task less and more", "with a note"],
)
def test_a_list_keeps_its_ticks(before: str, after: str) -> None:
    assert with_ticks("- [ ] 1.1 A\n- [ ] 1.2 B\n", before) == after


def test_boxes_are_counted() -> None:
    assert ticked_of("- [x] a\n  * [X] b\n- [ ] c\n- [] d\n[x] e\n") == (2, 3)
