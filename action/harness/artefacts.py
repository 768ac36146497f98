"""A change's own files in its delta folder: laid out before the agent begins, read when it has ended.

They come into the tree by a commit of git's making, so that no link in it leads anywhere else.
"""

import re

from action.harness.git import OrderGit
from action.order import AgentOrder
from action.report import AgentReport

_BOX = re.compile(r"^[ \t]*[-*][ \t]+\[([ xX])\][ \t]+(\S(?:.*\S)?)[ \t]*$", re.MULTILINE)


def with_artefacts(order: AgentOrder, git: OrderGit) -> str:
    """The commit to begin with: the order's start, with what it lacks of these files."""
    artefacts = order.artefacts
    if artefacts is None:
        return order.start_sha
    start = order.start_sha
    there = {
        path: git.text_of(f"{start}:{path}") for path in git.regular_files(start, artefacts.paths)
    }
    wanted = {
        # The plan may have another list by now.
        artefacts.tasks_path: with_ticks(artefacts.tasks, there.get(artefacts.tasks_path, "")),
        artefacts.design_path: there.get(artefacts.design_path, artefacts.design),
    }
    missing = {path: text.encode() for path, text in wanted.items() if there.get(path) != text}
    if not missing:
        return start
    said = f"Lay out the files of {order.change}"
    return git.commit_with(start, missing, order.base_sha, said)


def with_ticks(tasks: str, before: str) -> str:
    """The list, ticked where an earlier one was; the earlier one itself where it has all of its tasks."""
    boxes = {text: mark for mark, text in _BOX.findall(before)}
    if all(text in boxes for _, text in _BOX.findall(tasks)):
        return before or tasks
    return _BOX.sub(lambda box: _ticked(box) if boxes.get(box[2], " ") != " " else box[0], tasks)


def ticked_of(text: str) -> tuple[int, int]:
    marks = [mark for mark, _ in _BOX.findall(text)]
    return len(marks) - marks.count(" "), len(marks)


def with_ticked(report: AgentReport, order: AgentOrder, git: OrderGit) -> AgentReport:
    """The report with what is ticked in the work that it hands back."""
    if order.artefacts is None or report.head_sha is None:
        return report
    path = order.artefacts.tasks_path
    if not git.regular_files(report.head_sha, [path]):
        return report
    ticked, tasks = ticked_of(git.text_of(f"{report.head_sha}:{path}"))
    return report.replace(ticked=ticked, tasks=tasks)


def _ticked(box: re.Match[str]) -> str:
    at = box.start(1) - box.start()
    return f"{box[0][:at]}x{box[0][at + 1 :]}"
