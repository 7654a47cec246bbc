"""The files of the machine that code in a sandbox sees."""

from every_case import every_case

from sandbox import machine

IMAGE_PASSWD = "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"


def names(text):
    return [line.split(":")[0] for line in text.splitlines()]


def test_the_users_own_entry_is_the_one_found_by_its_number():
    entries = machine.FILES["/etc/passwd"].splitlines()
    first = next(entry for entry in entries if f":{machine.UID}:" in entry)
    assert first == f"{machine.USER}:x:{machine.UID}:{machine.UID}::{machine.HOME}:{machine.SHELL}"


def test_an_images_entries_stay_and_the_users_comes_before_nobodys():
    merged = machine.merged("/etc/passwd", IMAGE_PASSWD)
    assert set(IMAGE_PASSWD.splitlines()) <= set(merged.splitlines())
    assert names(merged)[:3] == [machine.USER, "root", "nobody"]
    assert len(set(names(merged))) == len(names(merged))


@every_case("path", ["/etc/passwd", "/etc/group"])
@every_case("present", ["", "odd\n\n", f"{machine.USER}:x:1:1:other:/:/bin/sh\n"])
def test_whatever_an_image_has_the_user_has_one_entry(path, present):
    merged = machine.merged(path, present)
    assert names(merged).count(machine.USER) == 1
    assert "root" in names(merged)
    assert machine.merged(path, merged) == merged


def test_the_digest_changes_with_what_is_written(monkeypatch):
    before = machine.digest()
    monkeypatch.setattr(machine, "FILES", {**machine.FILES, "/etc/new": "new\n"})
    assert machine.digest() != before


def test_each_service_and_protocol_is_a_line_that_the_resolver_can_read():
    for line in machine.FILES["/etc/services"].splitlines():
        _, port, *_ = line.split()
        number, protocol = port.split("/")
        assert 0 < int(number) < 65536
        assert protocol in {"tcp", "udp", "sctp"}
    for line in machine.FILES["/etc/protocols"].splitlines():
        _, number, *_ = line.split()
        assert 0 <= int(number) < 256
