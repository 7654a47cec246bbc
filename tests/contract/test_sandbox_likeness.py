"""What tests ask of a machine, over every provider: the same kind of answer inside and outside."""

import dataclasses
import errno
import sys

import pytest
from every_case import every_case
from fakes.scripted_sandbox import ScriptedSandbox
from providers import ISOLATED, PROVIDERS

from sandbox import machine
from sandbox.base import SandboxSpec
from sandbox.errors import SandboxError
from sandbox.selfcheck.likeness.calls.answers import TRUE, TYPE, VALUE, answer, raised
from sandbox.selfcheck.likeness.compare import GROUPS, Likeness, compare, differ, differences_of


@pytest.fixture(scope="module", params=PROVIDERS)
def likened(request, make_provider):
    """A provider's name, and all calls, compared."""
    provider, spec = make_provider(request.param)
    return provider.name, compare(provider, spec)


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_what_tests_ask_of_a_machine_is_answered_as_outside(likened, group):
    _, found = likened
    unlike = {one.call: one.detail for one in found if one.group == group and one.likeness is Likeness.UNLIKE}
    assert not unlike


def test_nearly_all_calls_are_asked_and_alike(likened):
    _, found = likened
    assert len({one.call for one in found}) == len(found) >= 150
    assert sum(one.likeness is Likeness.ALIKE for one in found) >= 150


def test_a_difference_that_is_listed_is_one(likened):
    provider, found = likened
    listed = differences_of(provider)
    assert set(listed) <= {one.call for one in found}
    for one in found:
        if one.likeness is Likeness.KNOWN:
            assert one.reason == listed[one.call].reason
            assert one.differs, f"{one.call} is answered alike: strike it off"


@pytest.mark.parametrize("name", ISOLATED)
def test_nothing_that_describes_the_machine_inside_is_the_real_ones(make_provider, name):
    provider, spec = make_provider(name)
    paths = ["/etc/passwd", "/etc/group", *machine.LOOK_UP, "/etc/hostname", "/etc/machine-id"]
    with provider.open(spec) as sandbox:
        shown = {path: sandbox.exec(["cat", path], timeout_s=10).stdout.decode() for path in paths}
    users = [line.split(":")[0] for line in shown["/etc/passwd"].splitlines()]
    assert {"root", machine.USER, "nobody"} <= set(users)
    assert shown["/etc/hostname"] == machine.FILES["/etc/hostname"]
    assert shown["/etc/machine-id"] == machine.FILES["/etc/machine-id"]
    assert shown["/etc/resolv.conf"] == machine.LOOK_UP["/etc/resolv.conf"]
    addresses = [line.split()[0] for line in shown["/etc/hosts"].splitlines()]
    assert {machine.LOOPBACK, machine.OWN_ADDRESS, "::1"} <= set(addresses)
    assert all(address.startswith(("127.", "::1", "fe00::", "ff0")) for address in addresses)
    if name == "bubblewrap":
        wanted = {**machine.FILES, **machine.LOOK_UP}
        assert shown == {path: wanted[path] for path in paths}


@pytest.mark.parametrize("name", ISOLATED)
def test_what_is_left_at_home_is_gone_for_the_next_candidate(make_provider, name):
    provider, spec = make_provider(name)
    with provider.open(spec) as sandbox:
        first = sandbox.exec(
            ["sh", "-c", "echo x > ~/left && echo x > /var/tmp/left && echo x > ~/.bashrc && cat ~/left"],
            timeout_s=10,
        )
        second = sandbox.exec(["sh", "-c", "ls -A ~ /var/tmp; cat ~/.bashrc"], timeout_s=10)
    assert first.stdout == b"x\n"
    assert b"left" not in second.stdout
    assert {b".bashrc", b".profile", b"# Read by bash."} <= set(second.stdout.splitlines())


ATTRIBUTES = """
import array, fcntl, os, struct
open("file", "w").close()
for place in ("file", ".", os.path.expanduser("~")):
    for name, value in (("user.x", b"1"), ("system.posix_acl_default", struct.pack("<I", 2))):
        try:
            os.setxattr(place, name, value)
        except OSError as error:
            print(error.errno)
with open("file") as file:
    for request in (0x40086602, 0x40046602, 0x401C5820):
        try:
            fcntl.ioctl(file, request, array.array("L", [0x80] * 8))
        except OSError as error:
            print(error.errno)
"""


@pytest.mark.parametrize("name", ISOLATED)
def test_a_file_carries_nothing_that_restoring_it_would_miss(make_provider, name):
    """A default ACL of the home directory made every later candidate fail."""
    provider, spec = make_provider(name)
    with provider.open(spec) as sandbox:
        done = sandbox.exec([spec.python, "-c", ATTRIBUTES], timeout_s=10)
    assert done.stdout.split() == [b"%d" % errno.EOPNOTSUPP] * 9, done.stderr


# How it is judged ---------------------------------------------------------------------------------


def fails():
    return {}["x"]


@every_case(
    ("compared", "inside", "outside", "expected"),
    [
        (VALUE, lambda: 1, lambda: 1, False),
        (VALUE, lambda: 1, lambda: 2, True),
        (TYPE, lambda: 1, lambda: 2, False),
        (TYPE, lambda: 1, lambda: "1", True),
        (TYPE, fails, lambda: 1, True),
        (TYPE, lambda: 1, fails, False),  # the sandbox is like a machine of CI, which may have more
        (TYPE, fails, lambda: {}["y"], False),
        (TYPE, lambda: int("x"), fails, True),
        (TRUE, lambda: True, lambda: False, False),
        (TRUE, lambda: False, lambda: True, True),
        (TRUE, fails, fails, True),
    ],
)
def test_answers_are_of_the_same_kind_or_not(compared, inside, outside, expected):
    assert differ(answer(compared, inside), answer(compared, outside)) is expected


def test_what_raises_nothing_is_said_to():
    assert (raised(fails), raised(lambda: None)) == ("KeyError", "nothing")


@every_case("stdout", [b"", b"[]", b"{}", b'{"answers": {}}'])
def test_a_sandbox_that_gives_no_answers_is_not_taken_for_one_that_is_alike(stdout):
    with pytest.raises(SandboxError, match=r"users were not answered inside: it broke"):
        compare(ScriptedSandbox(stdout, name="bubblewrap"), SandboxSpec(python=sys.executable))


@pytest.mark.slow
def test_the_calls_are_made_with_the_limits_that_a_repair_has(make_provider):
    provider, spec = make_provider("process")
    tight = dataclasses.replace(spec.limits, open_files=64)
    found = compare(provider, dataclasses.replace(spec, limits=tight))
    assert next(one for one in found if one.call == "two thousand descriptors").likeness is Likeness.ALIKE
