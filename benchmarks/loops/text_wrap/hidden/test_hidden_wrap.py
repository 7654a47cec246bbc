from wrap import pieces


def test_joined():
    for width in range(1, 8):
        found = pieces("abcdefghijklmnop", width)
        assert "".join(found) == "abcdefghijklmnop"
        assert all(len(piece) <= width for piece in found)
