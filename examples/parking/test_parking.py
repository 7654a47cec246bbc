from parking import price


def test_a_short_stop_is_free():
    assert price(15) == 0


def test_a_full_hour():
    assert price(60) == 200


def test_an_hour_begun_is_charged():
    # Turning the floor into "one more hour" would pass here, and overcharge the full hour above.
    assert price(90) == 400


def test_a_long_day_stops_at_the_limit():
    assert price(9 * 60) == 1200
