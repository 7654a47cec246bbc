from accesslog import most_wanted, parse

LINE = '10.0.0.1 - - [02/Mar/2026:10:00:00 +0100] "POST {} HTTP/1.1" {} 7'


def test_status_is_a_number():
    assert parse(LINE.format("/x", 500))["status"] == 500


def test_failures_do_not_count():
    lines = [LINE.format("/x", 500)] * 3 + [LINE.format("/y", 399), LINE.format("/z", 400)]
    assert most_wanted(lines) == [("/y", 1)]
