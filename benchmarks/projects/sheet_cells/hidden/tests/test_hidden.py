from sheet import Sheet


def test_wide_rows_from_the_middle():
    sheet = Sheet()
    sheet.update([[1, 2, 3], [4], [], [5, 6]], start="D10")
    assert sheet.filled() == ["D10", "D11", "D13", "E10", "E13", "F10"]
    assert [sheet[name] for name in ("F10", "D11", "E13")] == [3, 4, 6]


def test_nothing_to_write():
    sheet = Sheet()
    sheet.update([])
    assert sheet.filled() == []
