"""A tree's paths with what its links stand for."""

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass

# A link that leads to a link that leads to …; more than this is not followed.
_DEPTH_MAX = 5


@dataclass(frozen=True)
class Links:
    """`paths` are regular files, by every name that they have; `aliases`: for each name that goes over
    links, these links and the file.
    """

    paths: frozenset[str]
    aliases: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, files: frozenset[str], links: Mapping[str, str]) -> "Links":
        """`links` by path, each with what it says."""
        found: dict[str, tuple[str, ...]] = {}
        for link in links:
            target, via = _resolved(link, links)
            if target in files:
                found[link] = (*via, target)
            else:
                below = [path for path in files if path.startswith(f"{target}/")]
                found |= {link + path[len(target) :]: (*via, path) for path in below}
        return cls(files | frozenset(found), found)

    def followed(self, named: frozenset[str]) -> frozenset[str]:
        """These names, and for each that goes over links the links and the file behind them."""
        behind = (self.aliases[name] for name in named if name in self.aliases)
        return named.union(*behind)


def _resolved(path: str, links: Mapping[str, str]) -> tuple[str, list[str]]:
    """Where a path leads, and the links on the way."""
    via: list[str] = []
    for _ in range(_DEPTH_MAX):
        parts = path.split("/")
        starts = ("/".join(parts[:count]) for count in range(1, len(parts) + 1))
        link = next((start for start in starts if start in links), None)
        if link is None:
            break
        via.append(link)
        place = posixpath.join(posixpath.dirname(link), links[link])
        path = posixpath.normpath(place + path[len(link) :])
    return path, via
