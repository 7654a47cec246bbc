import pytest

from retries import GaveUp, call


def test_number_of_tries():
    for tries in range(1, 6):
        seen = []

        def action():
            seen.append(1)
            if len(seen) > 50:
                raise AssertionError("too many")
            raise ConnectionError

        with pytest.raises(GaveUp):
            call(action, tries=tries)
        assert len(seen) == tries
