from threshold import first_failing


def test_every_limit():
    loads = list(range(20))
    for limit in range(22):
        assert first_failing(loads, lambda load: load < limit) == min(limit, 20)
