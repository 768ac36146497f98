"""What refs a server has, asked without git; and what is left to git."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.adapters.git.listed_refs import listed_refs
from bot.adapters.git.mirror_git import MirrorGit
from bot.core.values.ids import Ref
from tests.adapters.git_server import TOKEN, GitServer, serving
from tests.adapters.workshop import Workshop, facts_of, git
from tests.testkit.real_servers import make_certificate

MAIN = Ref("refs/heads/main")
SHA = "0123456789" * 4
KIND = "application/x-git-upload-pack-result"


@pytest.fixture
def server(shop: Workshop) -> Iterator[GitServer]:
    with serving(shop.origin.parent.parent) as running:
        yield running


def _line(words: str) -> str:
    return f"{len(words) + 4:04x}{words}"


@contextmanager
def _answering(
    body: str, kind: str = KIND, keys: Path | None = None, status: str = "200 OK"
) -> Iterator[str]:
    """A server that says this once, whatever it is asked; its URL. With keys it speaks TLS."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}"
    said = f"{head}\r\nConnection: close\r\n\r\n{body}"
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            caller, _ = listening.accept()
            if keys is not None:
                secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                secure.load_cert_chain(keys / "cert.pem", keys / "key.pem")
                try:
                    caller = secure.wrap_socket(caller, server_side=True)
                except OSError:
                    return
            with caller:
                asked = b""
                # All of it: what is left unread when it is closed takes the answer back.
                while not asked.endswith(b"0000"):
                    asked += caller.recv(65_536)
                caller.sendall(said.encode())

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        scheme = "http" if keys is None else "https"
        yield f"{scheme}://127.0.0.1:{listening.getsockname()[1]}/octo/shop.git"
        thread.join(5)


def test_one_request_lists_what_git_lists(shop: Workshop, server: GitServer) -> None:
    head = shop.head()
    git(shop.tree, "tag", "-a", "-m", "One", "v1")
    git(shop.tree, "push", "--quiet", str(shop.origin), "v1", f"{head}:refs/heads/headgate/a")
    url = f"{server.url}/octo/shop.git"
    for prefixes in (("refs/",), ("refs/heads/headgate/", "refs/tags/"), ("refs/none/",)):
        patterns = [f"{prefix}*" for prefix in prefixes]
        lines = git(shop.tree, "ls-remote", "--refs", str(shop.origin), *patterns).splitlines()
        expected = {name: sha for sha, _, name in (line.partition("\t") for line in lines)}
        assert listed_refs(url, TOKEN, prefixes) == expected
    assert server.protocols == ["version=2"] * 3


def test_a_look_at_one_ref_takes_one_request(
    shop: Workshop, server: GitServer, tmp_path: Path
) -> None:
    git(shop.tree, "push", "--quiet", str(shop.origin), f"{shop.head()}:refs/heads/main2")
    mirror = MirrorGit(tmp_path / "mirrors", lambda _: TOKEN)
    facts = facts_of(f"{server.url}/octo/shop.git")
    assert mirror.remote_ref(facts, MAIN) == shop.head()
    assert mirror.remote_ref(facts, Ref("refs/heads/mai")) is None
    assert len(server.protocols) == 2


@pytest.mark.parametrize("status", ["401 Unauthorized", "404 Not Found", "503 Busy"])
def test_what_is_no_plain_answer_is_asked_by_git(
    status: str, shop: Workshop, server: GitServer, tmp_path: Path
) -> None:
    server.answers[:] = [status]
    mirror = MirrorGit(tmp_path / "mirrors", lambda _: TOKEN)
    assert mirror.remote_ref(facts_of(f"{server.url}/octo/shop.git"), MAIN) == shop.head()


@pytest.mark.parametrize("name", ["http_proxy", "https_proxy", "HTTPS_PROXY"])
def test_a_machine_with_a_proxy_asks_by_git(
    name: str, server: GitServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert listed_refs(f"{server.url}/octo/shop.git", TOKEN, ("refs/",)) is None
    assert server.protocols == []


@pytest.mark.parametrize("name", ["GIT_SSL_CAINFO", "CURL_CA_BUNDLE"])
def test_a_server_is_trusted_by_the_certificates_that_git_is_given(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_certificate(tmp_path)
    for other in ("GIT_SSL_CAINFO", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(other, raising=False)
    with _answering("0000", keys=tmp_path) as url:
        assert listed_refs(url, TOKEN, ("refs/",)) is None
    monkeypatch.setenv(name, str(tmp_path / "cert.pem"))
    with _answering("0000", keys=tmp_path) as url:
        assert listed_refs(url, TOKEN, ("refs/",)) == {}
    monkeypatch.setenv(name, str(tmp_path / "none.pem"))
    assert listed_refs(url, TOKEN, ("refs/",)) is None


def test_a_token_does_not_follow_a_redirect(server: GitServer, tmp_path: Path) -> None:
    with serving(tmp_path / "elsewhere") as other:
        server.redirect_to = other.url
        assert listed_refs(f"{server.url}/octo/shop.git", TOKEN, ("refs/",)) is None
        assert other.authorizations == []


def test_a_server_that_is_not_there_is_left_to_git(shop: Workshop) -> None:
    with serving(shop.origin.parent.parent) as gone:
        url = f"{gone.url}/octo/shop.git"
    assert listed_refs(url, TOKEN, ("refs/",)) is None


def test_names_are_read_as_they_stand() -> None:
    refs = {f"refs/heads/{n}": SHA for n in range(3)}
    body = "".join(_line(f"{sha} {name}\n") for name, sha in refs.items())
    with _answering(f"{body}0000") as url:
        assert listed_refs(url, "", ("refs/heads/",)) == refs


@pytest.mark.parametrize(
    "body",
    [
        "",
        _line(f"{SHA} {MAIN}\n"),
        f"{_line(f'{SHA} {MAIN}')}0000",
        f"{_line('ERR no such repository')}0000",
        f"{_line(f'{SHA[:39]} {MAIN}' + chr(10))}0000",
        f"{_line(f'{SHA} HEAD' + chr(10))}0000",
        f"00zz{SHA} {MAIN}\n0000",
        "0001",
        "<html>",
    ],
)
def test_half_an_answer_and_nonsense_are_left_to_git(body: str) -> None:
    with _answering(body) as url:
        assert listed_refs(url, "", ("refs/",)) is None


@pytest.mark.parametrize(("kind", "status"), [("text/html", "200 OK"), (KIND, "500 Busy")])
def test_an_answer_of_another_kind_is_left_to_git(kind: str, status: str) -> None:
    with _answering("0000", kind, status=status) as url:
        assert listed_refs(url, "", ("refs/",)) is None
