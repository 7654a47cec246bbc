"""Models from the hub: the real client library against a local server that speaks the hub's file protocol."""

import hashlib
import socket
import time
from dataclasses import replace
from types import SimpleNamespace

import huggingface_hub
import pytest
from fakes.hub import COMMIT, hub

from bot.backends.hub import Hub, HubFile, parse
from bot.errors import ConfigurationError, ModelUnavailable

WEIGHTS = b"GGUF" + bytes(range(256)) * 4096
FILES = {"model-q4_k_m.gguf": WEIGHTS, "README.md": b"# A model\n"}
WANTED = HubFile(repo="owner/repo", file="model-q4_k_m.gguf")


@pytest.fixture(autouse=True)
def _own_client(monkeypatch):
    """No proxy, no waits, and no connection left to the next test."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    huggingface_hub.close_session()
    yield
    huggingface_hub.close_session()


@pytest.fixture
def fetch(tmp_path):
    """Fetches from a server into an empty cache; returns the path and what was told."""

    def run(server, wanted=WANTED, token=""):
        said = []
        place = Hub(
            checked=tmp_path / "checked", token=token, endpoint=server.url, directory=tmp_path / "hub"
        )
        return place.fetch(wanted, said.append), said

    return run


def downloads(server):
    return [request for request in server.served if request.startswith("GET /storage/")]


def test_a_file_is_downloaded_once_and_used_without_a_network(fetch):
    with hub(FILES) as server:
        path, said = fetch(server)
        assert path.read_bytes() == WEIGHTS
        assert "downloading model-q4_k_m.gguf: 100 % of 1 MiB" in said
        assert said[-1] == f"owner/repo/model-q4_k_m.gguf at {COMMIT}; model-revision pins it"
        again, said = fetch(server)
        assert again == path
        assert len(downloads(server)) == 1
        assert not any("checking" in line for line in said)
    assert fetch(server)[0] == path


def test_a_commit_is_not_asked_about_again(fetch):
    pinned = HubFile(repo="owner/repo", file="model-q4_k_m.gguf", revision=COMMIT)
    with hub(FILES) as server:
        _, said = fetch(server, pinned)
        asked = len(server.served)
        fetch(server, pinned)
    assert len(server.served) == asked
    assert said[-1] == f"owner/repo/model-q4_k_m.gguf at {COMMIT}"


def test_a_download_that_broke_off_goes_on(fetch, monkeypatch, capfd):
    monkeypatch.setattr(huggingface_hub.constants, "DOWNLOAD_CHUNK_SIZE", 1 << 16)
    with hub(FILES, drops=2) as server:
        path, _ = fetch(server)
    assert path.read_bytes() == WEIGHTS
    ranges = [request.partition(" bytes=")[2] for request in downloads(server)]
    assert ranges == ["", "524288-", "786432-"]
    assert capfd.readouterr() == ("", "")


def test_a_file_with_another_hash_is_refused_and_removed(fetch, tmp_path):
    with hub(FILES, damaged=True) as server:
        with pytest.raises(ModelUnavailable, match=r"came damaged: its SHA-256 is .*run again") as caught:
            fetch(server)
        assert hashlib.sha256(WEIGHTS).hexdigest()[:12] in str(caught.value)
        server.damaged = False
        assert fetch(server)[0].read_bytes() == WEIGHTS
    assert len(downloads(server)) == 2


def test_a_hash_that_is_given_pins_the_file_and_not_what_the_hub_says(fetch):
    digest = hashlib.sha256(WEIGHTS).hexdigest()
    with hub(FILES) as server:
        path, said = fetch(server, replace(WANTED, sha256=digest))
        assert path.read_bytes() == WEIGHTS
        assert said[-1] == f"owner/repo/model-q4_k_m.gguf at {COMMIT}"
        with pytest.raises(ModelUnavailable, match=r"another file on the hub.*should be 000000000000\.\.\."):
            fetch(server, replace(WANTED, sha256="0" * 64))


@pytest.mark.parametrize("others", [{}, {"model-q8_0.gguf": b"GGUF8", "model-f16.gguf": b"GGUF16"}])
def test_the_one_file_is_found_and_of_several_the_usual_one(fetch, others):
    with hub({**FILES, **others}) as server:
        assert fetch(server, HubFile(repo="owner/repo"))[0].name == "model-q4_k_m.gguf"


def test_of_several_strange_ones_none_is_guessed(fetch):
    with hub({"a.gguf": b"GGUF", "b.gguf": b"GGUF"}) as server, pytest.raises(ConfigurationError) as caught:
        fetch(server, HubFile(repo="owner/repo"))
    assert "name one as owner/repo/FILE (a.gguf, b.gguf)" in str(caught.value)


@pytest.mark.parametrize(
    ("wanted", "options", "words"),
    [
        (HubFile(repo="owner/repo", file="other.gguf"), {}, "holds no file 'other.gguf'"),
        (HubFile(repo="owner/none", file="a.gguf"), {}, "the hub shows no 'owner/none'"),
        (HubFile(repo="owner/repo", file="a.gguf", revision="v9"), {}, "has no revision 'v9'"),
        (WANTED, {"gated": True}, "who accepted its terms"),
        (WANTED, {"private": True}, "a private one needs HF_TOKEN"),
        (HubFile(repo="owner/repo"), {"files": {"a.safetensors": b"1"}}, "holds no GGUF file"),
    ],
)
def test_what_cannot_be_had_is_told_in_a_line(fetch, wanted, options, words):
    with hub(**{"files": FILES, **options}) as server, pytest.raises(ModelUnavailable) as caught:
        fetch(server, wanted)
    assert words in str(caught.value)
    assert str(caught.value).isprintable()


def test_the_token_opens_a_private_repository_and_goes_no_further(fetch):
    token = "hf_" + "a1B2" * 9
    with hub(FILES) as storage, hub(FILES, private=True) as server:
        server.storage_url = storage.url.replace("127.0.0.1", "localhost")
        path, _ = fetch(server, token=token)
    assert path.read_bytes() == WEIGHTS
    assert f"Bearer {token}" in {head.get("authorization") for head in server.heads}
    assert all("authorization" not in head for head in storage.heads)


def test_no_hub_is_told_in_a_line(fetch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ModelUnavailable, match="the hub cannot be reached"):
        fetch(SimpleNamespace(url=f"http://127.0.0.1:{port}"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("owner/repo", HubFile(repo="owner/repo")),
        ("owner/repo/file.gguf", HubFile(repo="owner/repo", file="file.gguf")),
        ("owner/repo/directory/file.gguf", HubFile(repo="owner/repo", file="directory/file.gguf")),
        ("owner", None),
        ("owner/repo/file.bin", None),
        ("../repo", None),
        ("owner/../../etc/x.gguf", None),
        ("owner/repo/../x.gguf", None),
        ("/etc/x.gguf", None),
        ("", None),
    ],
)
def test_names_on_the_hub(text, expected):
    assert parse(text) == expected
