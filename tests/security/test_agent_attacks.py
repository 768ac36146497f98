"""A hostile agent command, the real harness, a fake server; one attack per test."""

import subprocess
import sys
from pathlib import Path

import pytest

from action.order import SetupCommand
from action.report import AgentEnding, Obstacle
from tests.action.fake_server import (
    LEASE_TOKEN,
    MODEL_KEY,
    OIDC_BEARER,
    OIDC_TOKEN,
    READ_TOKEN,
    FakeServer,
    bash,
)
from tests.action.kit import ROOT, Harness, Project, agent_order, ended, git, unpack
from tests.needs import needs_curl
from tests.security.kit import attack

pytestmark = pytest.mark.slow


@pytest.mark.attack(
    "A hunt for keys and tokens through everything that is visible inside",
    held="no secret is handed in; the model is reached through `action.harness.model_proxy`",
)
@needs_curl
def test_no_secret_can_be_found_from_inside(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    hunt = (
        "(curl -s $ANTHROPIC_BASE_URL/ -i;"
        " env; cat /proc/*/environ /proc/*/cmdline /proc/*/maps 2>&1; cat .git/config .git/logs/HEAD;"
        " grep -rIs token ~ /tmp $TMPDIR /etc .git; cat $(dirname $PWD)/*/* 2>&1) >$TMPDIR/found 2>&1;"
        " tr -d '\\0' <$TMPDIR/found | head -c 1000000 | LC_ALL=C rev >loot"
    )
    attack(server, project, hunt)

    run = harness.run()

    assert run.code == 0, run.output
    assert server.bundles, server.agent_report
    # Backwards: what looks like a key would be left out of the work.
    backwards = (unpack(project, server.bundles[0], tmp_path) / "loot").read_bytes()
    loot = b"\n".join(line[::-1] for line in backwards.splitlines())
    assert len(loot) > 1_000
    assert b"HTTP/1.1 200" in loot
    for secret in (MODEL_KEY, LEASE_TOKEN, OIDC_TOKEN, OIDC_BEARER, READ_TOKEN):
        assert secret.encode() not in loot
    assert b"ACTIONS_ID_TOKEN" not in loot


@pytest.mark.attack(
    "Writing the workflow's command files, printing workflow commands",
    held="they are not shown; output is not printed",
)
def test_the_workflows_command_files_cannot_be_reached(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    attack(
        server,
        project,
        f"echo 'LD_PRELOAD=/evil.so' >>{harness.command_file}; echo x >>\"$GITHUB_ENV\"; "
        f"echo x >>{harness.summary}; echo '::add-path::/evil'; echo '##[add-path]/evil'; touch new",
    )

    run = harness.run()

    assert harness.command_file.read_text() == ""
    assert "/evil" not in run.output
    assert "x\n" not in harness.summary.read_text().splitlines(keepends=True)


@pytest.mark.attack(
    "Git hooks, filters, aliases and configuration left in the tree",
    held="`action.harness.git`: the harness's own git directory, which the sandbox never sees",
)
def test_planted_hooks_filters_and_configuration_never_run(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    mark = tmp_path / "ran"
    mark.mkdir(mode=0o777)
    mark.chmod(0o777)
    evil = f"touch {mark}/evil"
    plant = (
        f"for hook in pre-commit post-commit post-checkout post-index-change reference-transaction; "
        f"do printf '#!/bin/sh\\n{evil}\\n' >.git/hooks-$hook; mkdir -p .git/hooks; "
        "cp .git/hooks-$hook .git/hooks/$hook; chmod +x .git/hooks/$hook; done; "
        f"git config filter.evil.clean '{evil}; cat'; git config filter.evil.smudge '{evil}; cat'; "
        f"git config core.fsmonitor '{evil}'; git config core.hooksPath .git/hooks; "
        f"git config alias.add '!{evil}'; printf '[filter \"evil\"]\\n clean = {evil}\\n' >~/.gitconfig; "
        "echo '* filter=evil diff=evil merge=evil' >.gitattributes; "
        f"printf '[core]\\n fsmonitor = {evil}\\n' >.gitmodules; echo changed >shop.py"
    )
    attack(server, project, plant)

    run = harness.run()

    assert run.code == 0, run.output
    assert list(mark.iterdir()) == []
    clone = unpack(project, server.bundles[0], tmp_path)
    assert (clone / "shop.py").read_text() == "changed\n"


@pytest.mark.attack(
    "A `.git` that points elsewhere",
    held="the tree's `.git` is never read",
)
def test_a_git_folder_that_points_elsewhere_is_ignored(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    attack(
        server,
        project,
        "rm -rf .git; git init -q /tmp/evil; echo 'gitdir: /tmp/evil/.git' >.git; echo 2 >shop.py",
    )

    harness.run()

    clone = unpack(project, server.bundles[0], tmp_path)
    assert git(clone, "rev-parse", "headgate^") == project.head_sha
    assert (clone / "shop.py").read_text() == "2\n"


@pytest.mark.attack(
    "Rewritten history",
    held="the tree alone is committed: `action.harness.work.collect`",
)
def test_history_that_the_agent_rewrote_is_ignored(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    rewrite = (
        "git checkout -q --orphan evil && git -c user.name=x -c user.email=x commit -qam evil && "
        "git branch -qM headgate; git update-ref refs/heads/main HEAD; echo 2 >shop.py"
    )
    attack(server, project, rewrite)

    harness.run()

    clone = unpack(project, server.bundles[0], tmp_path)
    assert git(clone, "rev-list", "--count", f"{project.head_sha}..headgate") == "1"


@pytest.mark.attack(
    "Links out of the tree, set-user-id files, nested repositories, huge files, protected paths, secrets",
    held="`action.harness.work.faults_of`",
)
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ln -s /etc/passwd evil", "`evil` is a symbolic link that leads out"),
        ("mkdir a; ln -s ../../x a/evil", "`a/evil` is a symbolic link that leads out"),
        ("ln -s .git/config evil", "`evil` is a symbolic link that leads out"),
        ("cp /bin/true evil; chmod u+s evil", "`evil` is set-user-id"),
        ("git init -q sub; cd sub; touch x; git add .; git -c user.name=x -c user.email=x commit -qm x",
         "`sub` is a separate git repository"),
        ("head -c 11000000 /dev/urandom >big", "`big` is larger than 10 MiB"),
        ("mkdir gates; touch gates/evil", "`gates/evil` is protected"),
        ("ln -s /etc gates", "`gates` is protected"),
        ("echo AKIA''QYLPMN5HHHFPZAM2 >.aws", "`.aws` holds a secret (AWS Access Key in line 1)"),
    ],
)  # fmt: skip
def test_harmful_files_are_refused_before_they_are_committed(
    server: FakeServer, project: Project, harness: Harness, line: str, said: str
) -> None:
    attack(server, project, line)

    harness.run()

    assert server.agent_report.ending is AgentEnding.WORK_REFUSED
    assert said in server.agent_report.sentence
    assert server.bundles == []


@pytest.mark.attack(
    "One bad file beside good work",
    held="the bad file alone is left out, by name",
)
def test_accepted_files_are_handed_back_without_the_refused_ones(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    attack(
        server,
        project,
        "echo 2 >shop.py; ln -s /etc/passwd evil; touch gates; for n in 1 2 3 4 5 6; do"
        " head -c 9000000 /dev/zero >zero$n; done; cp -r .git/.. /tmp/c 2>/dev/null; mv /tmp/c sub",
    )

    harness.run()

    assert server.agent_report.ending is AgentEnding.WORK_REFUSED
    clone = unpack(project, server.bundles[0], tmp_path)
    changed = git(clone, "diff", "--name-only", "headgate^", "headgate").split()
    assert changed == ["shop.py", *(f"zero{n}" for n in range(1, 7))]


@pytest.mark.attack(
    "A bundle of any size",
    held="`action.harness.work.BUNDLE_BYTES_MAX`",
)
def test_work_that_is_too_large_as_a_whole_is_refused(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    attack(server, project, "for n in 1 2 3 4 5 6; do head -c 9000000 /dev/urandom >big$n; done")

    harness.run()

    assert server.agent_report.ending is AgentEnding.WORK_REFUSED
    assert "the limit is 50 MiB" in server.agent_report.sentence
    assert server.bundles == []


def test_a_link_inside_the_tree_and_odd_names_are_fine(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    attack(
        server, project, "ln -s shop.py link; mkdir d; ln -s ../shop.py d/l; touch $'a\\nb' 'ü *'"
    )

    harness.run()

    clone = unpack(project, server.bundles[0], tmp_path)
    assert (clone / "d" / "l").read_text() == "x = 1\n"
    assert (clone / "a\nb").exists()


@pytest.mark.attack(
    "A process that changes the tree after the agent's end",
    held="it ended with its command",
)
def test_a_surviving_process_cannot_change_the_work_afterwards(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    server.order = agent_order(server, project)
    survivor = "(setsid sh -c 'sleep 1; echo late >shop.py' >/dev/null 2>&1 &); echo 2 >shop.py"
    server.script = [[bash(survivor)], [bash("sleep 1.5")], ["DONE"]]

    harness.run()

    clone = unpack(project, server.bundles[0], tmp_path)
    assert (clone / "shop.py").read_text() == "2\n"


@pytest.mark.attack(
    "Setup that talks to hosts that are not listed; an agent that talks to any",
    held="`action.harness.egress`",
)
@needs_curl
def test_setup_reaches_only_listed_hosts_and_the_agent_reaches_none(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    host = server.url.removeprefix("http://")
    ask = "curl -s -o /dev/null --proxytunnel -w '%{http_code}/%{http_connect} ' -m 5"
    setup = (
        f"({ask} http://{host}/x; {ask} http://127.0.0.1:9/x; {ask} http://example.org:443/;"
        f" curl -s -o /dev/null -w '%{{http_code}} ' -m 5 http://{host}/x) >codes"
    )
    attack(
        server,
        project,
        f"cp codes seen; env | grep -c HTTPS_PROXY >>seen; {ask} http://{host}/x >>seen; true",
        setup=(SetupCommand(run=setup),),
        egress_hosts=(host,),
    )

    harness.run()

    seen = (unpack(project, server.bundles[0], tmp_path) / "seen").read_text().split()
    assert seen == ["404/200", "000/403", "000/403", "405", "0", "000/000"]


@pytest.mark.attack(
    "Setup that talks to any host where none is listed",
    held="no proxy is started",
)
@needs_curl
def test_without_listed_hosts_setup_has_no_network(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    line = f"curl -sS -m 5 {server.url}/x"
    attack(server, project, "touch new", setup=(SetupCommand(run=line),))

    harness.run()

    assert server.agent_report.obstacle is Obstacle.SETUP_FAILED


@pytest.mark.attack(
    "Links that lead the harness to write outside",
    held="the harness never writes through the sandbox's paths",
)
def test_setup_cannot_redirect_writes_of_the_harness(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "config").write_text("mine")
    setup = (
        f"rm -rf .git && ln -s {victim} .git; rm -rf ~/* $TMPDIR/*; "
        f"ln -s {victim} ~/.headgate-shell; rm shop.py; ln -s {victim}/config shop.py"
    )
    server.order = agent_order(server, project, setup=(SetupCommand(run=setup),))
    server.script = [[bash("echo evil >.git/config; echo evil >shop.py")], ["DONE"]]

    harness.run()

    assert (victim / "config").read_text() == "mine"
    assert sorted(path.name for path in victim.iterdir()) == ["config"]
    # What setup changed was put back before the agent came.
    assert server.agent_report.ending is AgentEnding.FINISHED


@pytest.mark.attack(
    "Reading the harness's memory as its own user",
    held="the process is not dumpable",
)
def test_the_harness_memory_is_closed_to_its_own_user(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    server.order = agent_order(server, project)
    server.script = [[bash("sleep 60")]]
    process = harness.start_by_command()
    assert server.asked_model.wait(30)
    try:
        # Not dumpable: /proc/<pid> belongs to root, whoever runs the program.
        status = Path(f"/proc/{process.pid}/environ").stat()
        assert status.st_uid == 0
        assert MODEL_KEY not in Path(f"/proc/{process.pid}/cmdline").read_text()
    finally:
        process.terminate()
        assert ended(process, 20).code == 6
    # Where root runs it, that says nothing: the kernel is asked in the program itself.
    asking = (
        "import ctypes; from action import command_line as c; "
        "c.run_session = lambda *_: print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)); "
        "c.main(['agent', '--order-id', 'o', '--server', 'https://x.example'])"
    )
    said = subprocess.run(
        [sys.executable, "-c", asking], capture_output=True, check=True, cwd=ROOT
    ).stdout
    assert said == b"0\n"
