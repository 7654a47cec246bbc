from accesslog import most_wanted, parse, traffic

LINES = [
    '10.0.0.1 - - [02/Mar/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 512',
    '10.0.0.2 - eve [02/Mar/2026:10:00:01 +0000] "GET /a HTTP/1.1" 304 -',
    "nonsense",
    '10.0.0.1 - - [02/Mar/2026:10:00:02 +0000] "GET /none HTTP/1.1" 404 99',
    '10.0.0.3 - - [02/Mar/2026:10:00:03 +0000] "GET / HTTP/2" 200 512',
]


def test_fields():
    entry = parse(LINES[1])
    assert (entry["user"], entry["path"], entry["size"]) == ("eve", "/a", 0)
    assert entry["time"].hour == 10


def test_another_form():
    assert parse("nonsense") is None


def test_traffic():
    assert traffic(LINES) == 1123
    assert most_wanted([]) == []
