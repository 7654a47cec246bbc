from flags import Flag, Flags


def test_each_check_has_its_flag():
    flags = Flags.parse("a ann\nb bob\nc 0%")
    assert [flags.checks[name]("ann") for name in "abc"] == [True, False, False]
    assert [flags.checks[name]("bob") for name in "abc"] == [False, True, False]


def test_asked_in_order():
    flags = Flags(Flag("x"), Flag("y"))
    flags.on_for("z")
    assert flags.asked == [("x", "z"), ("y", "z")]
