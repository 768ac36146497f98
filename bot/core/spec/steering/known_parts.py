"""The parts of shared files that steer a runner: `pyproject.toml`, `package.json`, `Cargo.toml`, `go.mod`."""

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Mapping

# Tables of pyproject.toml that build, install or release and never steer a runner.
_HARMLESS_TOOLS = frozenset(
    {"poetry", "uv", "setuptools", "setuptools_scm", "flit", "towncrier", "commitizen"}
    | {"semantic_release", "bumpversion"}
)
# Keys of package.json that only describe the package or list what it depends on.
_HARMLESS_KEYS = frozenset(
    {"name", "version", "description", "keywords", "author", "contributors", "license", "funding"}
    | {"repository", "bugs", "homepage", "private", "files", "main", "module", "types", "exports"}
    | {"bin", "dependencies", "devDependencies", "peerDependencies", "optionalDependencies"}
)
# Tables of Cargo.toml that list what it depends on, or describe the package.
_HARMLESS_TABLES = frozenset(
    {"dependencies", "dev-dependencies", "build-dependencies", "badges", "package", "features"}
    | {"target", "lib", "bin", "example"}
)
_STEERING_PACKAGE = frozenset(
    {"build", "autotests", "autobins", "autoexamples", "autobenches", "workspace", "resolver"}
)
_STEERING_TARGET = frozenset({"path", "test", "doctest", "harness", "required-features"})
# Go's module file: what it depends on is no part of how tests run.
_GO_REQUIRES = re.compile(r"^require\s*\([^)]*\)|^(?:require|go|toolchain)\s.*$", re.MULTILINE)
_GO_COMMENT = re.compile(r"//.*$", re.MULTILINE)


def has_parts(name: str) -> bool:
    """Whether of a file with this name only some parts steer."""
    return name in _PARTS


def same_parts(name: str, before: bytes | None, after: bytes | None) -> bool:
    """Whether what steers in such a file stays as it was; None: it is not there."""
    return _steering_parts(_PARTS[name], before) == _steering_parts(_PARTS[name], after)


def package_settings(content: bytes) -> str:
    """What of a package.json configures tools, as JSON; empty where it cannot be read."""
    parts = _steering_parts(_package_json, content)
    return "" if isinstance(parts, bytes) else json.dumps(parts)


def _steering_parts(read: Callable[[str], object], content: bytes | None) -> object:
    """What steers in a file; where it cannot be read, all of it."""
    if content is None:
        return {}
    try:
        return read(content.decode("utf-8"))
    except (ValueError, TypeError, AttributeError, RecursionError, configparser.Error):
        return content


def _pyproject(text: str) -> object:
    tools = tomllib.loads(text).get("tool", {})
    return {name: table for name, table in tools.items() if name not in _HARMLESS_TOOLS}


def _package_json(text: str) -> object:
    keys = json.loads(text)
    if not isinstance(keys, dict):
        return text
    parts = {key: value for key, value in keys.items() if key not in _HARMLESS_KEYS}
    for kind in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"):
        listed = keys.get(kind)
        if isinstance(listed, dict) and (own := _put_in_place(listed)):
            parts[kind] = own
    return parts


def _put_in_place(listed: Mapping[str, object]) -> dict[str, object]:
    """Packages that are taken from a folder, or are others than they are called."""
    places = ("file:", "link:", "portal:", "npm:", "patch:")
    return {name: at for name, at in listed.items() if str(at).startswith(places)}


def _setup_cfg(text: str) -> object:
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    return {
        name: dict(parser[name])
        for name in parser.sections()
        if name != "metadata" and not name.startswith("options")
    }


def _cargo(text: str) -> object:
    tables = tomllib.loads(text)
    parts: dict[str, object] = {k: v for k, v in tables.items() if k not in _HARMLESS_TABLES}
    parts["package"] = _picked(tables.get("package"), _STEERING_PACKAGE)
    parts["lib"] = _picked(tables.get("lib"), _STEERING_TARGET)
    for kind in ("bin", "example"):
        targets = tables.get(kind, [])
        parts[kind] = [p for one in targets if (p := _picked(one, _STEERING_TARGET - {"path"}))]
    listed = tables.get("dev-dependencies", {})
    parts["dev-dependencies"] = {
        name: at
        for name, at in listed.items()
        if isinstance(at, dict) and {"path", "git", "package"} & at.keys()
    }
    parts["features"] = _picked(tables.get("features"), frozenset({"default"}))
    return {key: value for key, value in parts.items() if value}


def _picked(table: object, keys: frozenset[str]) -> dict[str, object]:
    if not isinstance(table, dict):
        return {}
    return {key: value for key, value in table.items() if key in keys}


def _go_mod(text: str) -> object:
    rest = _GO_REQUIRES.sub("", _GO_COMMENT.sub("", text))
    lines = sorted(" ".join(line.split()) for line in rest.splitlines() if line.strip())
    return lines or {}


_PARTS: Mapping[str, Callable[[str], object]] = {
    "pyproject.toml": _pyproject,
    "package.json": _package_json,
    "setup.cfg": _setup_cfg,
    "Cargo.toml": _cargo,
    "go.mod": _go_mod,
}
