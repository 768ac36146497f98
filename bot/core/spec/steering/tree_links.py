"""A tree's paths with what its links stand for."""

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass

# A link that leads to a link that leads to …; more than this is not followed.
_DEPTH_MAX = 5


@dataclass(frozen=True)
class Links:
    """`paths` are regular files, by every name that they have; `aliases`: for each name that goes over a
    link, the link and the file.
    """

    paths: frozenset[str]
    aliases: Mapping[str, tuple[str, str]]

    @classmethod
    def of(cls, files: frozenset[str], links: Mapping[str, str]) -> "Links":
        """`links` by path, each with what it says."""
        found: dict[str, tuple[str, str]] = {}
        for link, said in links.items():
            target = posixpath.normpath(posixpath.join(posixpath.dirname(link), said))
            for _ in range(_DEPTH_MAX):
                if target not in links:
                    break
                place = posixpath.dirname(target)
                target = posixpath.normpath(posixpath.join(place, links[target]))
            if target in files:
                found[link] = (link, target)
            else:
                below = [path for path in files if path.startswith(f"{target}/")]
                found |= {link + path[len(target) :]: (link, path) for path in below}
        return cls(files | frozenset(found), found)

    def followed(self, named: frozenset[str]) -> frozenset[str]:
        """These names, and for each that goes over a link the link and the file behind it."""
        behind = (self.aliases[name] for name in named if name in self.aliases)
        return named.union(*behind)
