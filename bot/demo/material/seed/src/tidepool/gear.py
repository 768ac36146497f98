"""Gear and the catalogue of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tidepool.refused import Refused


@dataclass(frozen=True)
class Gear:
    """A piece of gear, known by its code."""

    code: str
    name: str

    def to_record(self) -> dict[str, str]:
        """The piece as the shed file keeps it."""
        return {"code": self.code, "name": self.name}

    @classmethod
    def from_record(cls, record: dict[str, str]) -> "Gear":
        """The piece that a record of the shed file describes."""
        return cls(code=record["code"], name=record["name"])


class Catalogue:
    """All gear of the shed, in the order of the codes."""

    def __init__(self, pieces: Iterable[Gear] = ()) -> None:
        self._by_code = {piece.code: piece for piece in pieces}

    def __iter__(self) -> Iterator[Gear]:
        return iter(sorted(self._by_code.values(), key=lambda piece: piece.code))

    def add(self, piece: Gear) -> None:
        """Put a piece on the list; its code must be new."""
        if piece.code in self._by_code:
            raise Refused(f"The code {piece.code} is taken by {self._by_code[piece.code].name}.")
        self._by_code[piece.code] = piece

    def get(self, code: str) -> Gear:
        """The piece with a code."""
        if code not in self._by_code:
            raise Refused(f"No gear has the code {code}.")
        return self._by_code[code]

    def remove(self, code: str) -> Gear:
        """Take a piece off the list."""
        piece = self.get(code)
        del self._by_code[code]
        return piece
