"""What setup is given of the runner besides the checkout: named variables and authorities of TLS.

The values stay here. Setup alone gets them, which runs on main's files or on those that a person allowed;
what it says is shown without them, and a setup that writes one of them into a small file, where an agent
would find it, has failed.
"""

import os
import re
import ssl
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from action.harness.folder import OrderFolder
from action.harness.workflow import SECRET_CHARACTERS_MIN
from action.order import SetupEnvironment

_CERTIFICATE = re.compile(
    r"-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----", re.ASCII
)
_FILE_BYTES_MAX = 1024**2
# Of files in which a tool keeps a password; an installed package has larger ones, too.
_SMALL_BYTES = 64 * 1024
_FILES_MAX = 2_000
_DEPTH = 3
# Each names one file with every authority that is trusted; Node's comes on top of its own.
BUNDLE_VARIABLES = (
    *("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO"),
    *("CARGO_HTTP_CAINFO", "NODE_EXTRA_CA_CERTS"),
)


@dataclass(frozen=True)
class Given:
    """`variables` are all that setup gets; `secrets` the values that nobody may be shown."""

    variables: Mapping[str, str] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()


def read_given(
    asked: SetupEnvironment, outer: Mapping[str, str], folder: OrderFolder
) -> Given | str:
    """What the policy names, out of the runner's own environment; a sentence where it is not there."""
    missing = [name for name in asked.variables if not outer.get(name)]
    if missing:
        return (
            f"The policy's `environment` names {', '.join(missing)}, which this runner does not have. "
            "Set it in the runner's environment, or in the workflow's `env`."
        )
    values = {name: outer[name] for name in asked.variables}
    secrets = tuple(v for v in values.values() if len(v) >= SECRET_CHARACTERS_MIN)
    if not asked.ca_files:
        return Given(values, secrets)
    try:
        found = [
            certificate for path in asked.ca_files for certificate in _certificates(Path(path))
        ]
    except (OSError, ValueError) as failure:
        return (
            "The policy's `environment` names a file of certificate authorities that this "
            f"runner cannot use: {failure}"
        )
    bundle = folder.given / "authorities.pem"
    bundle.write_text("\n".join((*_trusted(), *found, "")), encoding="utf-8")
    bundle.chmod(0o644)
    return Given({**dict.fromkeys(BUNDLE_VARIABLES, str(bundle)), **values}, secrets)


def _certificates(path: Path) -> list[str]:
    """Only certificates leave the file, whatever else somebody names here."""
    with path.open("rb") as file:
        text = file.read(_FILE_BYTES_MAX + 1).decode("ascii", "replace")
    found = _CERTIFICATE.findall(text)
    if len(text) > _FILE_BYTES_MAX or not found:
        raise ValueError(f"{path} has no certificate in PEM form.")
    return found


def _trusted() -> Iterable[str]:
    """The authorities that the machine trusts anyway."""
    file = Path(ssl.get_default_verify_paths().cafile or "/etc/ssl/certs/ca-certificates.crt")
    return _CERTIFICATE.findall(file.read_text("ascii", "replace")) if file.is_file() else ()


def written_by_setup(given: Given, folder: OrderFolder) -> str:
    """A file of the home or the tree in which a value stands; empty where there is none."""
    values = [value.encode() for value in given.secrets]
    if not values:
        return ""
    for path in _small_files(folder):
        try:
            content = path.read_bytes()
        except OSError:
            continue
        if any(value in content for value in values):
            shown = path.relative_to(folder.root)
            return (
                f"Setup wrote a value of the policy's `environment` into {shown}, where the "
                "agent could read it. Leave the value in the variable; `.npmrc`, for example, "
                "accepts ${NAME}."
            )
    return ""


def _small_files(folder: OrderFolder) -> Iterator[Path]:
    count = 0
    for top in (folder.home, folder.tree, folder.tmp, folder.out):
        for at, folders, names in os.walk(top):
            depth = len(Path(at).relative_to(top).parts)
            if depth >= _DEPTH:
                folders.clear()
            for name in names:
                path = Path(at, name)
                if path.is_symlink() or not path.is_file() or path.stat().st_size > _SMALL_BYTES:
                    continue
                count += 1
                if count > _FILES_MAX * (1 + (top == folder.tree)):
                    return
                yield path
