"""What a coding agent reaches: the hosts that its keys and addresses are for."""

import pytest

from bot.backends.coding_agents.agent_network import reach_of
from bot.backends.coding_agents.agent_profile import AgentProfile
from bot.errors import ConfigurationError


@pytest.mark.parametrize(
    ("base_url", "given", "hosts", "ports"),
    [
        ("", {"ONE_KEY": "k"}, {("one.example", 443)}, set()),
        ("", {"ONE_KEY": "k", "TWO_KEY": "k"}, {("one.example", 443), ("two.example", 8443)}, set()),
        ("", {"ONE_KEY": ""}, set(), set()),
        ("https://own.example/v1", {"ONE_KEY": "k"}, {("own.example", 443)}, set()),
        ("http://own.example:8000", {}, {("own.example", 8000)}, set()),
        ("http://localhost:11434/v1", {"ONE_KEY": "k"}, set(), {("localhost", 11434)}),
        ("http://[::1]:8000/v1", {}, set(), {("::1", 8000)}),
        ("https://[2001:db8::1]/v1", {}, {("2001:db8::1", 443)}, set()),
        ("", {"ONE_URL": "http://127.0.0.1:8080"}, set(), {("127.0.0.1", 8080)}),
        ("", {"HTTPS_PROXY": "http://proxy.example:3128"}, set(), set()),
        ("http://[broken", {}, set(), set()),
    ],
)
def test_its_network_is_what_its_keys_and_addresses_are_for(base_url, given, hosts, ports):
    keys = {"ONE_KEY": ("one.example",), "TWO_KEY": ("two.example:8443",)}
    names = (*keys, "ONE_URL", "HTTPS_PROXY")
    profile = AgentProfile(name="scripted", command=("x",), variables=names, hosts=keys)
    reach = reach_of(profile, base_url, {}, given)
    assert (reach.proxy.allowed, reach.near, reach.everything) == (hosts, ports, False)


def test_a_profile_can_open_the_network():
    profile = AgentProfile(name="scripted", command=("x",), variables=("KEY",), hosts={"KEY": ("*",)})
    assert reach_of(profile, "", {}, {"KEY": "k"}).everything
    assert not reach_of(profile, "", {}, {}).everything


def test_a_server_on_a_port_of_root_is_named():
    profile = AgentProfile(name="scripted", command=("x",))
    with pytest.raises(ConfigurationError, match="cannot reach the port 80 of this machine"):
        reach_of(profile, "http://localhost/v1", {}, {})


WRONG = ("https://one.example", "one.example:0", "one.example:65536")


@pytest.mark.parametrize("hosts", [{"OTHER": ("one.example",)}, *({"KEY": (host,)} for host in WRONG)])
def test_hosts_that_make_no_sense_are_named(hosts):
    with pytest.raises(ValueError, match=r"hosts: "):
        AgentProfile(name="scripted", command=("x",), variables=("KEY",), hosts=hosts)


def test_a_proxy_of_its_settings_is_no_host_and_other_low_ports_are_left_out():
    profile = AgentProfile(name="scripted", command=("x",))
    settings = {"HTTPS_PROXY": "http://proxy.example:3128", "OTHER": "http://localhost/"}
    reach = reach_of(profile, "http://localhost:8000", settings, {})
    assert (reach.proxy.allowed, reach.near) == (set(), {("localhost", 8000)})


def test_an_open_network_has_every_port():
    profile = AgentProfile(name="scripted", command=("x",), variables=("KEY",), hosts={"KEY": ("*",)})
    assert reach_of(profile, "http://localhost/v1", {}, {"KEY": "k"}).is_local
