from settings import Config, merge


def test_deeper_tables_are_independent():
    Config().set("cache.paths.root", "/elsewhere")
    assert Config().get("cache.paths.root") == "/tmp/cache"


def test_lists_are_independent():
    Config().get("log.targets").append("file")
    assert Config().get("log.targets") == ["stderr"]


def test_arguments_stay_as_they_were():
    base = {"t": {"u": {"v": 1}}}
    merged = merge(base, {"t": {"w": 2}})
    merged["t"]["u"]["v"] = 9
    assert base == {"t": {"u": {"v": 1}}}
