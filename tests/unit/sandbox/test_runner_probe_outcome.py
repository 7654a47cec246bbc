"""What a call came to, as text that two processes can compare."""

import io

from every_case import every_case

from sandbox.runner.probe_outcome import value_outcome


def adder(n):
    return lambda x: x + n


@every_case("value", [adder(1), [adder(1)], {"f": adder(2)}, io.StringIO("a"), object()])
def test_a_value_of_which_only_the_address_is_seen_says_nothing(value):
    assert value_outcome(value, "[]", []) is None


@every_case("value", [None, 1, "at 0x12", int, [1.5, {"a": (2,)}], ValueError("x"), range(3)])
def test_other_values_are_compared(value):
    assert value_outcome(value, "[]", [])[0] == "value"
