from discount import discounted, discount_rate


def test_small_orders_pay_in_full():
    assert discounted(20) == 20


def test_half_the_threshold_gets_five_percent():
    assert discount_rate(50) == 0.05


def test_just_below_the_threshold_five_percent_are_left():
    assert discounted(99.8) == 94.81


def test_the_threshold_itself_gets_ten_percent():
    assert discounted(100) == 90


def test_large_orders_get_ten_percent():
    assert discounted(200) == 180
