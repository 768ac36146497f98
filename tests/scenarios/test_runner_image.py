"""The runner image: its packages, its programs, and each order's step on a PATH and a tree like its."""

import importlib.metadata
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from bot.core.talk.workflow_file import FOLDER, RUNS_ON, workflow_files
from bot.localhub.actions.runner_messages import Conclusion, JobMessage
from tests.needs import needs_bubblewrap
from tests.testkit.house import house
from tests.testkit.hub_setup import POLICY
from tests.testkit.image_tree import ImageTree, image_tree
from tests.testkit.runner import Runner
from tests.testkit.specs import requirement, spec

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "action/runner/Dockerfile"
BY_COMMAND = """\
agent:
  kind: command
  command: mkdir -p src && echo euro >src/till.txt
"""

pytestmark = [needs_bubblewrap, pytest.mark.slow]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> ImageTree:
    return image_tree(DOCKERFILE, tmp_path_factory.mktemp("image"))


def step_of_action() -> str:
    action = YAML(typ="safe").load((ROOT / "action/action.yml").read_text())
    return str(action["runs"]["steps"][0]["run"])


def step_of_image(mode: str) -> str:
    file = YAML(typ="safe").load(workflow_files(None)[f"{FOLDER}headgate-{mode}.yml"])
    return str(file["jobs"][mode]["steps"][0]["run"])


@dataclass
class ImageRunner(Runner):
    """Does each job's step as a runner of the image would."""

    image: ImageTree | None = None
    is_action: bool = True

    def do_all(self) -> int:
        count = 0
        while (job := self._acquire()) is not None:
            count += 1
            mode = "agent" if "headgate-agent" in str(job.contexts["github"]) else "gates"
            script = step_of_action() if self.is_action else step_of_image(mode)
            done = self._run(script, self._environment(job, mode, count))
            assert done.returncode == 0, done.stdout
            self.complete(job, Conclusion.SUCCESS)
        return count

    def _run(self, script: str, env: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
        assert self.image is not None
        argv = ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script)
        return subprocess.run(
            self.image.argv(argv, env),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=120,
        )

    def _environment(self, job: JobMessage, mode: str, count: int) -> dict[str, str]:
        inputs = job.contexts["inputs"]
        assert isinstance(inputs, dict)
        temp = self.folder / f"{job.job_id}-{count}"
        temp.mkdir(parents=True)
        return {
            "HOME": str(temp),
            "RUNNER_TEMP": str(temp),
            "GITHUB_ACTION_PATH": str(ROOT / "action"),
            "ACTIONS_ID_TOKEN_REQUEST_URL": str(job.id_token_url),
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN": str(job.id_token_request_token),
            "HEADGATE_MODE": mode,
            "HEADGATE_ORDER_ID": str(inputs["order_id"]),
            "HEADGATE_SERVER": str(inputs["server"]),
            "HEADGATE_READ_TOKEN": job.token,
            "HEADGATE_PLAIN_HTTP": "loopback",
        }


@pytest.mark.parametrize("is_action", [True, False], ids=["action", "own-program"])
def test_every_orders_step_works_on_a_runner_of_the_image(
    tmp_path: Path, image: ImageTree, is_action: bool
) -> None:
    with house(tmp_path, policy=POLICY + BY_COMMAND) as shop:
        shop.runner = ImageRunner(
            shop.url, shop.folder / "runner", shop.http, image=image, is_action=is_action
        )
        tracking = shop.start(spec(requirement("TILL")))
        shop.work()

        assert shop.main_files()["src/till.txt"] == "euro"
        assert shop.issue(tracking)["state"] == "closed"


def test_the_projects_python_does_not_see_headgates_packages(image: ImageTree) -> None:
    line = "command -v headgate-python headgate-action headgate && ls /usr/local/lib"
    done = subprocess.run(
        image.argv(("bash", "-c", line), {}), capture_output=True, text=True, check=True
    )
    programs = [f"/usr/local/bin/{n}" for n in ("headgate-python", "headgate-action", "headgate")]
    assert done.stdout.split() == [*programs, "headgate"]
    assert image.user == "1001"
    assert {"bubblewrap", "git", "python3", "python3-venv"} <= set(image.packages)


def test_packages_that_the_action_needs_are_in_the_lock_file() -> None:
    (needed,) = re.findall(r"needed=\((.*)\)", step_of_action())
    by_module = importlib.metadata.packages_distributions()
    packages = {by_module[module][0].lower().replace("_", "-") for module in needed.split()}
    lock = (ROOT / "action/requirements.lock").read_text()
    locked = set(re.findall(r"(?m)^([a-z0-9-]+)==", lock))
    assert packages <= locked


def test_the_autoscaled_set_takes_the_jobs_of_the_workflows() -> None:
    values = YAML(typ="safe").load((ROOT / "action/runner/arc-values.yaml").read_text())
    assert (values["runnerScaleSetName"],) == RUNS_ON
    for text in workflow_files(None).values():
        inputs = YAML(typ="safe").load(text)["on"]["workflow_dispatch"]["inputs"]
        assert inputs["runs_on"]["default"] == '["headgate"]'
    (container,) = values["template"]["spec"]["containers"]
    assert f'CMD ["{container["command"][0]}"]' in DOCKERFILE.read_text()
