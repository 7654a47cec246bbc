from threshold import first_failing, highest


def test_nothing_is_borne():
    assert highest([5, 9], lambda load: False) is None


def test_all_is_borne():
    assert first_failing([1, 2, 3], lambda load: True) == 3


def test_some_are_borne():
    assert first_failing([2, 4, 6, 8], lambda load: load < 5) == 2


def test_highest():
    assert highest([2, 4, 6, 8], lambda load: load <= 6) == 6
