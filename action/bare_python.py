"""What a Python lacks before it can run the harness; read by Pythons that are too old for the rest."""

import importlib.util
import sys
from pathlib import Path

PYTHON_MIN = (3, 11)
# What `action.yml` asks for; the image has them.
PACKAGES = {
    "pydantic": "pydantic",
    "httpx2": "httpx2",
    "anthropic": "anthropic",
    "junitparser": "junitparser",
    "defusedxml": "defusedxml",
    "pathspec": "pathspec",
    "detect_secrets": "detect-secrets",
}
_ROOT = Path(__file__).resolve().parents[1]
# Where the image has them, and GitHub's own machines get them. A system's pip refuses to install (PEP 668).
_PLACE = "/usr/local/lib/headgate"


def lacks() -> "list[tuple[str, str, str]]":
    """What, in which words, and the fix; a Python that is too old is asked for no package."""
    if sys.version_info < PYTHON_MIN:
        version = ".".join(map(str, sys.version_info[:3]))
        return [("python", f"{version}, {sys.executable}", "install Python 3.11 or later")]
    missing = [name for module, name in PACKAGES.items() if not importlib.util.find_spec(module)]
    if not missing:
        return []
    how = (
        f"as root: {sys.executable} -m venv {_PLACE} && {_PLACE}/bin/pip install --require-hashes "
        f"--requirement {_ROOT}/action/requirements.lock && "
        f"install {_ROOT}/action/runner/headgate-python /usr/local/bin/"
    )
    return [("packages", f"lacks {', '.join(missing)}", how)]
