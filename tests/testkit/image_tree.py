"""The file tree and the environment of an image, made from the lines of its Dockerfile.

No container engine is needed: what the Dockerfile copies and runs below `/usr/local` lands in a
folder that bubblewrap shows there. Distribution packages are not installed but named; the machine's
own programs stand for them, and its Python for the image's.
"""

import os
import re
import shlex
import shutil
import site
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]

# What a base image of Ubuntu begins with.
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

_PYTHON = "/usr/bin/python3"

# Of the base image, or of the distribution: not done here.
_NOT_DONE = ("apt-get", "useradd", "/home/runner/bin/installdependencies.sh")


@dataclass
class ImageTree:
    """`packages` are those that the image asks its distribution for."""

    folder: Path
    env: dict[str, str] = field(default_factory=lambda: {"PATH": _PATH})
    packages: list[str] = field(default_factory=list)
    user: str = ""

    def argv(self, command: Sequence[str], env: Mapping[str, str]) -> list[str]:
        """A command that sees this tree, with the image's environment and `env`."""
        shown = [
            word
            for place in ("usr/local", "tmp/headgate")
            for word in ("--bind", str(self._below(place)), f"/{place}")
        ]
        words = {**self.env, **env}.items()
        variables = [word for pair in words for word in ("--setenv", *pair)]
        privileges = ("--cap-add", "ALL") if os.geteuid() == 0 else ()
        everything = ("bwrap", "--dev-bind", "/", "/", "--clearenv")
        return [*everything, *shown, *self._python(), *privileges, *variables, *command]

    def do(self, instruction: str, rest: str) -> None:
        if instruction == "ENV":
            for word in shlex.split(rest):
                name, _, value = word.partition("=")
                self.env[name] = value
        elif instruction == "USER":
            self.user = rest
        elif instruction == "COPY" and "--from=" not in rest:
            self._copy(shlex.split(rest))
        elif instruction == "RUN":
            for line in rest.split("&&"):
                self._run(line.strip())

    def _below(self, place: str) -> Path:
        found = self.folder / place
        found.mkdir(parents=True, exist_ok=True)
        return found

    def _copy(self, words: list[str]) -> None:
        mode = next((int(w.partition("=")[2], 8) for w in words if w.startswith("--chmod=")), None)
        *sources, target = (word for word in words if not word.startswith("--"))
        for source in sources:
            is_inside = target.endswith("/")
            place = self.folder / target.strip("/") / (Path(source).name if is_inside else "")
            place.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / source).is_dir():
                left_out = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / source, place, ignore=left_out)
            else:
                shutil.copy(ROOT / source, place)
            if mode is not None:
                place.chmod(mode)

    def _run(self, line: str) -> None:
        words = shlex.split(line)
        if words[:2] == ["apt-get", "install"]:
            self.packages += [word for word in words[2:] if not word.startswith("-")]
        if words[0] in _NOT_DONE or words == ["rm", "-rf", "/var/lib/apt/lists/*"]:
            return
        if words == ["rm", "-rf", "/tmp/headgate"]:  # noqa: S108 - the Dockerfile's own line
            shutil.rmtree(self.folder / "tmp/headgate")
            return
        argv = self.argv(("bash", "-o", "pipefail", "-c", line), {"PIP_NO_INDEX": "1"})
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        if "-m venv" in line:
            self._stock_venv()

    def _stock_venv(self) -> None:
        """Give the image's pip what this machine has of the lock file, in place of a network."""
        for packages in self.folder.glob("usr/local/lib/*/lib/python*/site-packages"):
            # Python 3.12 gives its environments pip alone.
            for old in (*packages.glob("setuptools*"), packages / "_distutils_hack"):
                shutil.rmtree(old, ignore_errors=True)
            (packages / "distutils-precedence.pth").unlink(missing_ok=True)
            (packages / "here.pth").write_text("\n".join(site.getsitepackages()) + "\n")

    def _python(self) -> tuple[str, ...]:
        """The Python that runs this, as the image's. A wrapper in the place of itself would call itself."""
        real = Path(sys.executable).resolve()
        if real == Path(_PYTHON).resolve():
            return ()
        wrapper = self.folder / "python3"
        if not wrapper.exists():
            wrapper.write_text(f'#!/bin/sh\nexec {real} "$@"\n')
            wrapper.chmod(0o755)
        return ("--ro-bind", str(wrapper), _PYTHON)


def image_tree(dockerfile: Path, folder: Path) -> ImageTree:
    """Carry out the last stage of a Dockerfile."""
    text = re.sub(r"\\\n", " ", re.sub(r"(?m)^\s*#.*\n", "", dockerfile.read_text()))
    lines = [line for line in text.splitlines() if line.strip()]
    last = max(i for i, line in enumerate(lines) if line.startswith("FROM "))
    tree = ImageTree(folder)
    (folder / "usr/local/bin").mkdir(parents=True)
    for line in lines[last + 1 :]:
        instruction, _, rest = line.partition(" ")
        tree.do(instruction, " ".join(rest.split()))
    return tree
