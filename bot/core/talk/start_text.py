"""What a server says before it starts: what keeps it from starting, with the fix, and its address."""

from typing import NamedTuple


class Trouble(NamedTuple):
    """What is wrong, and the fix."""

    says: str
    how: str

    @property
    def sentence(self) -> str:
        return f"{self.says}: {self.how}."


def port_taken(setting: str, host: str, port: int) -> Trouble:
    return Trouble(
        f"Port {port} at {host} is already in use",
        f"stop the other program (maybe another Headgate), or set {setting} to a free port",
    )


def port_refused(setting: str, host: str, port: int, why: str) -> Trouble:
    return Trouble(
        f"Port {port} at {host} cannot be opened ({why})",
        f"set HEADGATE_HOST to an address of this machine, and {setting} to a port above 1023",
    )


def folder_refused(folder: str, why: str) -> Trouble:
    return Trouble(
        f"{folder} cannot be written ({why})",
        "set HEADGATE_VAR to a folder that this user can write",
    )


def database_away(why: str) -> Trouble:
    return Trouble(
        f"The database refuses the connection ({why})",
        "check DATABASE_URL, and check that the database server is running",
    )


def database_file_refused(folder: str, why: str) -> Trouble:
    """The database is a file of ours."""
    return Trouble(
        f"The database in {folder} cannot be written ({why})",
        "free some disk space, and check that its files belong to the server's user and that "
        "no other program uses them",
    )


def database_unknown(why: str) -> Trouble:
    return Trouble(
        f"DATABASE_URL does not name a database that Headgate can use ({why})",
        "set it to an address that begins with postgresql://, or unset it to use SQLite",
    )


def redis_away(why: str) -> Trouble:
    return Trouble(
        f"Redis refuses the connection ({why})",
        "check REDIS_URL (redis:// or, with TLS, rediss://), and check that the Redis server "
        "is running",
    )


REDIS_WANTS_A_PASSWORD = Trouble(
    "Redis requires a password", "put it into REDIS_URL: redis://:PASSWORD@HOST, %-encoded"
)
NO_GIT = Trouble("There is no git on PATH", "install git, for example with `apt-get install git`")


def git_too_old(version: str) -> Trouble:
    return Trouble(f"{version} is too old", "git 2.38 or later is needed (merge-tree --write-tree)")


NO_REDIS = Trouble(
    "There is no Redis on this machine",
    "`apt-get install redis-server` (or valkey), or set REDIS_URL",
)


NOT_JSON = 'Write a list or a mapping as JSON, for example ["one", "two"] or {"name": {…}}'


def settings_wrong(wrong: list[tuple[str, str]]) -> str:
    """Each setting with what is wrong about its value."""
    lines = "\n".join(f"  {name}: {why}" for name, why in wrong)
    return f"Settings that cannot be read:\n{lines}"


def address(url: str, public_url: str, gateway: str) -> str:
    said = f"Headgate's address: {url}"
    if public_url != url:
        said += f"; runners reach it at {public_url}"
    return f"{said}; models at {gateway}" if gateway else said
