"""Files out of an image: what the engine sends must be as long as it says."""

import io
import tarfile

from every_case import every_case

from sandbox.environment.docker_build import TRIES, read_file


def archive(data=None, *, link=""):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        info = tarfile.TarInfo("built.json")
        if data is not None:
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
        elif link:
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


@every_case(
    ("engine", "data", "containers"),
    [
        (Engine(2, archive(b"{}")), b"{}", 1),
        # An archive without the file is read again from another container.
        (Engine(2, archive(), archive(b"{}")), b"{}", 2),
        # A link is no file.
        (Engine(6, *[archive(link="/etc/x")] * TRIES), b"", TRIES),
    ],
)
def test_a_whole_file_is_read(engine, data, containers):
    assert read_file(engine, "image", "/opt/built.json") == data
    assert (engine.made, engine.removed) == (containers, containers)
