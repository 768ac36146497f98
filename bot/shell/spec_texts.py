"""Specs as values: from memory or from the store; what is in neither is read by another worker.

People's commands wait for whoever looks, so that process reads no document. A text is rung for; what a
worker of readings made of it lies in the store, by its content, for all processes.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from time import process_time

from pydantic import BaseModel

from bot.core.decide.specs.plan_new_spec import version_of
from bot.core.plan.deterministic import plan
from bot.core.plan.readiness import plan_findings
from bot.core.spec.ceilings import over_main_cap, too_costly
from bot.core.spec.identity.register import Register, registered
from bot.core.spec.read import read_spec
from bot.core.values.ids import Frozen, Sha
from bot.core.values.repository import RepositoryFacts
from bot.core.values.spec_model import Spec
from bot.core.values.wanted_reading import Reading, ReadingKind
from bot.ports import Retryable
from bot.shell.deadline import TooCostly, within
from bot.shell.process_ports import Ports
from bot.shell.recent import Recent

# Of the processor, for reading a spec and planning it once; 100 kB take less than a second.
_SPEC_SECONDS = 10.0
# When somebody who needs a text that is being read asks again.
SOON = timedelta(seconds=5)
# A process may be ended for another reason while it reads.
_TRIES_MAX = 2
# A long spec takes a megabyte.
_SPECS_KEPT = 200


class Unread(Retryable):
    def __init__(self, path: str) -> None:
        super().__init__(f"`{path}` is being read.", SOON)


class SpecText(Frozen):
    """A spec as it was read, and the seconds of the processor that its plan takes."""

    spec: Spec
    plan_seconds: float = 0.0


class SpecTexts:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._kept: Recent[tuple[str, str], SpecText] = Recent(_SPECS_KEPT)

    def known(
        self, facts: RepositoryFacts, path: str, version: str, commit: Sha
    ) -> SpecText | None:
        """The text of a version, which a commit has; None where it is rung for and comes later."""
        found = self._found(facts, path, version)
        if found is None:
            wanted = Reading(kind=ReadingKind.SPEC, path=path, commit=commit)
            self._ports.doorbell.ring_reading(facts.id, wanted)
        return found

    def at(self, facts: RepositoryFacts, commit: Sha, paths: tuple[str, ...]) -> tuple[Spec, ...]:
        """The specs at a commit. Raises `Unread` where some are rung for and come later."""
        found = {path: self._known_at(facts, commit, path) for path in paths}
        for path, text in found.items():
            if text is None:
                raise Unread(path)
        return tuple(text.spec for text in found.values() if text is not None)

    def _known_at(self, facts: RepositoryFacts, commit: Sha, path: str) -> SpecText | None:
        version = version_of(self._ports.git.blobs(facts, commit, (path,)))
        return self.known(facts, path, version, commit)

    def read(self, facts: RepositoryFacts, path: str, commit: Sha) -> bool:
        """Read a spec at a commit into the store; False where another process is at it, or it is gone."""
        ports = self._ports
        if not ports.git.has(facts, commit):
            ports.git.fetch(facts)
        blobs = ports.git.blobs(facts, commit, (path,))
        if not blobs:
            return False
        version = version_of(blobs)
        if self._found(facts, path, version) is not None:
            return True
        key = _key(facts, path, version)
        tries = ports.readings.begin(key, ports.clock.now())
        if tries is None:
            return False
        if tries > _TRIES_MAX:
            why = f"Headgate tried to read it {_TRIES_MAX} times, but no reading completed."
            self._keep(facts, path, version, SpecText(spec=too_costly(path, why)))
            return True
        self._made(facts, path, version, ports.git.files(facts, commit, (path,)))
        return True

    def keep_read(self, facts: RepositoryFacts, path: str, version: str, spec: Spec) -> None:
        """Keep a spec that a reader of a pull has read: it is asked about, and may come to main."""
        if self._found(facts, path, version) is None:
            self._keep(facts, path, version, _planned(path, spec))

    def _found(self, facts: RepositoryFacts, path: str, version: str) -> SpecText | None:
        known = self._kept.get((path, version))
        if known is not None:
            return known
        key = _key(facts, path, version)
        body = self._ports.readings.get(key)
        if body is None:
            return None
        # What is used is kept for longer.
        self._ports.readings.put(key, body, self._ports.clock.now())
        return self._kept.put((path, version), SpecText.model_validate_json(body))

    def _made(
        self, facts: RepositoryFacts, path: str, version: str, files: Mapping[str, bytes]
    ) -> SpecText:
        """The text, or a finding in place of one that takes too long; either is remembered."""
        try:
            text = within(_SPEC_SECONDS, lambda: _read(path, files))
        except TooCostly:
            why = (
                f"reading and planning it takes more than {_SPEC_SECONDS:g} seconds of "
                "processor time. Shorten the text, or split it into several."
            )
            text = SpecText(spec=too_costly(path, why))
        return self._keep(facts, path, version, text)

    def _keep(self, facts: RepositoryFacts, path: str, version: str, text: SpecText) -> SpecText:
        body = text.model_dump_json().encode()
        self._ports.readings.put(_key(facts, path, version), body, self._ports.clock.now())
        return self._kept.put((path, version), text)


def _read(path: str, files: Mapping[str, bytes]) -> SpecText:
    return _planned(path, read_spec(path, files))


def _planned(path: str, spec: Spec) -> SpecText:
    """As it will be decided on: what cannot be planned in time is not handed on."""
    refused = over_main_cap(spec)
    if refused is not None:
        return SpecText(spec=refused)
    began = process_time()
    known = registered(Register(), spec, "main").spec
    plan_findings(path, known, plan(known))
    return SpecText(spec=spec, plan_seconds=process_time() - began)


def _key(facts: RepositoryFacts, path: str, version: str) -> str:
    """The same for the same text, as this release writes it down."""
    return hashlib.sha256(
        f"{form_of(SpecText)} spec {facts.id} {version} {path}".encode()
    ).hexdigest()


@cache
def form_of(model: type[BaseModel]) -> str:
    """What tells a reading by another release from ours: its shape, and the readers' own texts."""
    digest = hashlib.sha256(json.dumps(model.model_json_schema(), sort_keys=True).encode())
    for text in _sources(resources.files("bot.core.spec")):
        digest.update(text)
    digest.update((resources.files("gates") / "unseen.py").read_bytes())
    return digest.hexdigest()


def _sources(folder: Traversable) -> Iterator[bytes]:
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        if one.is_dir():
            yield from _sources(one)
        elif one.name.endswith(".py"):
            yield one.read_bytes()
