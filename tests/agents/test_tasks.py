"""Each task is open and can be done; its check distinguishes both without a model."""

from pathlib import Path

import pytest

from action.order import AgentSettings
from action.report import AgentEnding
from tests.action.fake_server import bash, fake_server
from tests.agents.live import is_done, run_line, work_on
from tests.agents.tasks import AgentTask, tasks

TASKS = tasks()
# The ways of a task through the harness differ by the language of its check alone.
ONE_OF_EACH = {task.language: task for task in TASKS}.values()


@pytest.mark.slow
@pytest.mark.parametrize("language", sorted({task.language for task in TASKS}))
def test_a_task_is_open_until_it_is_done(language: str, tmp_path: Path) -> None:
    for task in (one for one in TASKS if one.language == language):
        folder = tmp_path / task.name
        folder.mkdir()
        for name, text in task.files.items():
            (folder / name).write_text(text)
        assert not is_done(task, folder), task.name
        assert run_line(task.solution, folder) == 0, task.name
        assert is_done(task, folder), task.name


def test_there_are_twenty_tasks_in_four_languages() -> None:
    assert len(TASKS) == 20
    assert len({task.language for task in TASKS}) == 4


@pytest.mark.slow
@pytest.mark.parametrize("task", ONE_OF_EACH, ids=lambda task: task.language)
def test_a_benchmark_task_runs_through_the_real_harness(task: AgentTask, tmp_path: Path) -> None:
    with fake_server(tmp_path) as server:
        # Red first: the check answers DONE, as the task's quick gate.
        server.script = [["DONE"], [bash(task.solution)], ["DONE"]]
        ended = work_on(task, AgentSettings(), server, tmp_path)

    assert (ended.report.ending, ended.report.turns) == (AgentEnding.FINISHED, 3)
    assert ended.is_done
