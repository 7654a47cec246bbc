"""Files out of an image: what the engine sends must be as long as it says."""

import io
import tarfile

from sandbox.environment.docker_build import TRIES, read_file


def archive(data=None, *, link=""):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        if data is not None:
            info = tarfile.TarInfo("built.json")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
        elif link:
            info = tarfile.TarInfo("built.json")
            info.type, info.linkname = tarfile.SYMTYPE, link
            tar.addfile(info)
    return buffer.getvalue()


class Engine:
    """Answers with these archives, one after the other; counts its containers."""

    def __init__(self, size, *archives):
        self.size, self.archives, self.made, self.removed = size, list(archives), 0, 0

    def create_container(self, **_options):
        self.made += 1
        return {"Id": str(self.made)}

    def get_archive(self, _container, _path):
        return iter([self.archives.pop(0)]), {"size": self.size}

    def remove_container(self, _container, **_options):
        self.removed += 1


def test_an_archive_without_the_file_is_read_again_from_another_container():
    engine = Engine(2, archive(), archive(b"{}"))
    assert read_file(engine, "image", "/opt/built.json") == b"{}"
    assert (engine.made, engine.removed) == (2, 2)


def test_a_whole_file_is_read_once():
    engine = Engine(2, archive(b"{}"))
    assert read_file(engine, "image", "/opt/built.json") == b"{}"
    assert engine.made == 1


def test_a_link_is_no_file_and_ends_the_tries():
    engine = Engine(6, *[archive(link="/etc/x")] * TRIES)
    assert read_file(engine, "image", "/opt/built.json") == b""
    assert (engine.made, engine.removed) == (TRIES, TRIES)
