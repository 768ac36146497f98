"""Installed packages as wheels again, for projects whose setup has no registry."""

import io
import re
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

_SCRIPTS = "../../../bin/"
_LEFT_OUT = frozenset({"INSTALLER", "RECORD", "REQUESTED", "direct_url.json"})
# Every set-up would compile a hundred languages: pytest shows Python and differences.
_UNUSED = re.compile(r"pygments/lexers/(?!__init__|_mapping|python\.|diff\.)")


def wheels(*names: str) -> dict[str, bytes]:
    """The wheels of these packages, by their file names."""
    return dict(_wheel(metadata.distribution(name)) for name in names)


def _wheel(package: metadata.Distribution) -> tuple[str, bytes]:
    told = package.read_text("WHEEL") or ""
    tag = next(line.split()[1] for line in told.splitlines() if line.startswith("Tag:"))
    stem = f"{package.name.replace('-', '_').lower()}-{package.version}"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for inside, source in _files(package, stem):
            archive.write(source, inside)
        # pip reads it, and holds nothing against it.
        archive.writestr(f"{stem}.dist-info/RECORD", "")
    return f"{stem}-{tag}.whl", made.getvalue()


def _files(package: metadata.Distribution, stem: str) -> Iterator[tuple[str, Path]]:
    # What a package names as an entry point pip makes itself.
    made = {f"{_SCRIPTS}{point.name}" for point in package.entry_points}
    for path in package.files or ():
        name, source = str(path), Path(str(path.locate()))
        if path.name in _LEFT_OUT or name.endswith(".pyc") or name in made or not source.is_file():
            continue
        if _UNUSED.match(name):
            continue
        yield name.replace(_SCRIPTS, f"{stem}.data/scripts/"), source
