"""Trees of any shape, on the whole way: what they do to the harness, and what is left of an order."""

import os
import resource
import shutil
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from action.harness.folder import order_folder
from action.harness.git import OrderGit
from action.order import SetupCommand
from action.report import AgentEnding, Obstacle
from action.sandbox.trees import give, holds_more_than, keep_readable, remove, walk
from gates.result import GateDefinition, Judges
from tests.action.fake_server import FakeServer
from tests.action.kit import (
    ROOT,
    Harness,
    Project,
    ended,
    gate_order,
    unpack,
)
from tests.security.kit import attack

pytestmark = pytest.mark.slow

DEEP = 'python3 -c \'import os\nfor i in range(3000): os.mkdir("d"); os.chdir("d")\''


def deep_folder(place: Path, depth: int = 3_000) -> None:
    """Nested folders, made as an attacker makes them: no path is that long."""
    at = os.open(place, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=at)
        below = os.open("d", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    file = os.open("file", os.O_WRONLY | os.O_CREAT, dir_fd=at)
    # In some file systems folders themselves take no place.
    os.write(file, bytes(200_000))
    os.close(file)
    os.close(at)


@pytest.mark.attack(
    "3,000 nested folders in the tree, in the home, in the temporary folder",
    held="`action.sandbox.trees.walk`: no recursion, no long paths",
)
@pytest.mark.parametrize("place", [".", "~", "$TMPDIR", ".git"])
def test_deeply_nested_folders_lose_neither_the_work_nor_the_report(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path, place: str
) -> None:
    attack(server, project, f"echo 2 >shop.py; cd {place}; {DEEP}; touch file")

    run = harness.run()

    assert run.code == 0, run.output
    assert server.agent_report.ending is AgentEnding.FINISHED, server.agent_report
    clone = unpack(project, server.bundles[0], tmp_path)
    assert (clone / "shop.py").read_text() == "2\n"
    assert harness.left_behind() == []


@pytest.mark.attack(
    "Nested folders made by a candidate's setup, or by a gate",
    held="`action.harness.session`: whatever fails is reported, and removed by descriptors",
)
@pytest.mark.parametrize("by", ["setup", "gate"])
def test_nested_folders_of_a_candidate_end_as_a_report(
    server: FakeServer, project: Project, harness: Harness, by: str
) -> None:
    gate = GateDefinition(
        name="test",
        judges=Judges.TREE,
        command=DEEP if by == "gate" else "true",
        gate_timeout_seconds=60,
    )
    setup = (SetupCommand(run=DEEP),) if by == "setup" else ()
    server.order = gate_order(server, project, (gate, gate), setup=setup)

    run = harness.run("gates")

    assert run.code == 0, run.output
    report = server.gate_report
    assert report.report is not None or report.obstacle is Obstacle.SETUP_FAILED, report
    assert harness.left_behind() == []


@pytest.mark.attack(
    "Folders whose owner took his own rights away, links, sockets, pipes, odd names",
    held="`action.sandbox.trees.remove`",
)
def test_an_unreadable_folder_is_removed_completely(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    attack(
        server,
        project,
        "mkdir -p a/b ~/c; touch a/b/x ~/c/y; chmod 0 a/b a ~/c; ln -s / ~/root; mkfifo ~/p; "
        "touch ~/$'a\\nb' ~/$'\\377'; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"s\")'",
    )

    run = harness.run()

    assert run.code == 0, run.output
    assert harness.left_behind() == []


@pytest.mark.attack(
    "Pipes, sockets, links without an end and odd names where the harness's git reads or writes them down",
    held="`action.sandbox.trees.keep_readable`, `action.harness.git.OrderGit.stage`: the rest is the work",
)
@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("mkfifo .gitignore .gitattributes; mkdir a; mkfifo a/.gitignore", ""),
        ("rm README.md; mkfifo README.md", ""),
        ("mkdir -p a/.git/refs a/.git/objects; mkfifo a/.git/HEAD", ""),
        ("git init -q a; ln -s /dev/zero a/.git/commondir", "`a` is a separate git repository"),
        ("ln -s shop.py .gitmodules", "`.gitmodules` is a kind of file that git cannot store"),
        ("mkdir .GIT; touch .GIT/config", "`.GIT/config` is a kind of file that git cannot store"),
        ("truncate -s 1900M big README.md", "`README.md` is larger than 10 MiB"),
    ],
)  # fmt: skip
def test_files_that_git_cannot_read_do_not_lose_the_work(
    server: FakeServer,
    project: Project,
    harness: Harness,
    tmp_path: Path,
    line: str,
    refused: str,
) -> None:
    attack(server, project, f"{line}; echo 2 >shop.py")

    run = harness.run(timeout_seconds=60)

    assert run.code == 0, run.output
    ending = AgentEnding.WORK_REFUSED if refused else AgentEnding.FINISHED
    assert server.agent_report.ending is ending, server.agent_report
    assert refused in server.agent_report.sentence
    clone = unpack(project, server.bundles[0], tmp_path)
    assert (clone / "shop.py").read_text() == "2\n"
    assert harness.left_behind() == []


def test_files_without_read_permission_are_read_and_links_are_kept(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("x")
    (tmp_path / "kept").chmod(0)
    root = tmp_path / "root"
    (root / "folder").mkdir(parents=True)
    (root / "folder" / "file").touch(mode=0o000)
    (root / "null").symlink_to("/dev/null")
    (root / "link").symlink_to("../kept")
    (root / "folder").chmod(0)
    root.chmod(0)

    keep_readable(root)

    assert root.stat().st_mode & 0o700 == (root / "folder").stat().st_mode & 0o700 == 0o700
    assert (root / "folder" / "file").stat().st_mode & 0o777 == 0o400
    assert (root / "null").is_symlink()
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0


def test_endless_links_of_a_repository_are_removed(tmp_path: Path) -> None:
    (tmp_path / "a" / ".git").mkdir(parents=True)
    for name in ("a/.git/commondir", "a/.git/HEAD", ".git"):
        (tmp_path / name).symlink_to("/dev/zero")
    (tmp_path / "a" / ".git" / "refs").symlink_to("..")

    keep_readable(tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert [path.name for path in (tmp_path / "a" / ".git").iterdir()] == ["refs"]


def test_a_pipe_is_removed_when_a_tree_is_listed(tmp_path: Path, project: Project) -> None:
    git = OrderGit(tmp_path / "git", project.work)
    git.create()
    os.mkfifo(project.work / "pipe")

    git.untracked()

    assert not (project.work / "pipe").exists()


@pytest.mark.attack(
    "60,000 small files, which the harness takes minutes to write down",
    held="`action.harness.git.OrderGit.stage`: no pathspec for each",
)
def test_many_files_are_staged_in_linear_time(tmp_path: Path, project: Project) -> None:
    took = []
    for count in (5_000, 10_000):
        tree = tmp_path / f"tree{count}"
        tree.mkdir()
        git = OrderGit(tmp_path / f"git{count}", tree)
        git.create()
        git.bring(project.work, project.head_sha)
        git.check_out(project.head_sha)
        for number in range(count):
            (tree / f"{number}").touch()
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        git.stage(project.head_sha, git.untracked())
        took.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        assert len(git.staged()) == count

    assert took[1] < 3 * took[0] + 0.1, took


@pytest.mark.parametrize(
    "ending", ["crash", "no lease", "told to stop", "refused work", "cancelled"]
)
def test_no_files_remain_after_any_ending(
    server: FakeServer, project: Project, harness: Harness, ending: str
) -> None:
    line = {"crash": "exit 3", "refused work": "ln -s /etc evil"}.get(ending, "sleep 60")
    attack(server, project, line)
    if ending == "no lease":
        server.refuse_lease = (409, "Order o1 is taken.")
        run = harness.run()
        assert run.code != 0
        assert "Order o1 is taken." in run.output
    elif ending in ("told to stop", "cancelled"):
        process = harness.start_by_command()
        deadline = time.monotonic() + 30
        while not any(harness.temp.glob("headgate-*/given/prompt.txt")):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        if ending == "cancelled":
            process.terminate()
        else:
            server.carry_on = False
        assert ended(process, 60).code in (4, 6)
    else:
        assert harness.run().code == 0

    assert harness.left_behind() == []


@pytest.mark.attack(
    "A harness that is killed in the middle: private code stays on the runner",
    held="`action.harness.folder.remove_abandoned`: the next order removes it",
)
def test_files_of_a_killed_harness_are_removed_by_the_next_order(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    attack(server, project, f"{DEEP}; sleep 60")
    process = harness.start_by_command()
    deadline = time.monotonic() + 30
    while not any(harness.temp.glob("headgate-*/tree/d")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert harness.left_behind() != []

    attack(server, project, "echo 2 >shop.py")
    assert harness.run().code == 0

    assert harness.left_behind() == []


def test_the_folder_of_a_running_harness_is_not_removed(tmp_path: Path) -> None:
    outer = {"RUNNER_TEMP": str(tmp_path)}
    with order_folder(outer) as first, order_folder(outer):
        assert first.tree.is_dir()


def test_a_deep_tree_is_walked_given_and_removed_with_few_descriptors(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    deep_folder(root)
    before = len(list(Path("/proc/self/fd").iterdir()))

    assert sum(1 for _ in walk(root)) == 6_001
    give(root, os.geteuid())
    assert holds_more_than(root, 100_000)
    assert not holds_more_than(root, 10**9)
    remove(root)

    assert not root.exists()
    assert len(list(Path("/proc/self/fd").iterdir())) <= before


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").touch()
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path / "kept")
    (tmp_path / "to-root").symlink_to(root)

    remove(tmp_path / "to-root")
    assert root.is_dir()
    remove(root)

    assert not root.exists()
    assert (tmp_path / "kept" / "file").exists()


def test_every_failure_of_the_harness_is_reported(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    # A folder in place of a file: something that nobody has thought of.
    site = tmp_path / "site"
    shutil.copytree(ROOT / "action", site / "action")
    shutil.copytree(ROOT / "gates", site / "gates")
    broken = site / "action" / "harness" / "conventions.py"
    broken.write_text("raise RecursionError('of any kind')\n")
    attack(server, project, "true")

    run = replace(harness, program_folder=site).run()

    assert run.code == 0, run.output
    assert server.agent_report.ending is AgentEnding.CRASHED
    assert "RecursionError: of any kind" in server.agent_report.sentence
    assert harness.left_behind() == []


@pytest.mark.attack(
    "An order whose clone address is a file, or plain http of another machine",
    held="`action.harness.addresses.refusal_of_url`, and `GIT_ALLOW_PROTOCOL`",
)
@pytest.mark.parametrize("address", ["file:///etc", "http://example.org/x", "ssh://a/b", "/etc"])
def test_an_order_cannot_fetch_from_another_kind_of_address(
    server: FakeServer, project: Project, harness: Harness, address: str
) -> None:
    attack(server, project, "true", clone_url=address)

    harness.run()

    assert server.agent_report.obstacle is Obstacle.FETCH_FAILED
    assert "is not https" in server.agent_report.sentence


@pytest.mark.attack(
    "A workflow that sends the runner to another server",
    held="`action.harness.addresses.refusal_of_server`: `HEADGATE_SERVERS` of the runner",
)
def test_a_runner_works_only_for_listed_servers(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    attack(server, project, "true")
    harness.environment = {"HEADGATE_SERVERS": "https://own.example,https://other.example/"}
    refused = harness.run()
    harness.environment = {"HEADGATE_SERVERS": f"https://own.example,{server.url}/"}
    taken = harness.run()

    assert refused.code == 2
    assert "is not in HEADGATE_SERVERS" in refused.output
    assert taken.code == 0


def test_plain_http_requires_an_explicit_setting(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    harness.environment = {"HEADGATE_PLAIN_HTTP": ""}

    run = harness.run()

    assert run.code == 2
    assert "HEADGATE_PLAIN_HTTP=loopback" in run.output
