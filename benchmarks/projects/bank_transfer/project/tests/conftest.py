import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))


@pytest.fixture
def ledger():
    from bank import Account, Ledger

    return Ledger(Account("A", 1000), Account("B", 50, overdraft=100), Account("C"))
