from tank import hours_to_empty


def test_many():
    for level in range(1, 40):
        for pumped in range(1, 6):
            assert hours_to_empty(level, pumped) == -(-level // pumped)
