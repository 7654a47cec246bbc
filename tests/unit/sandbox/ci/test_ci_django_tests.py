"""Which commands run Django's tests, and what pytest is called with in their place."""

from case_rows import rows
from every_case import every_case

from sandbox.ci.django_tests import ARGUMENTS, as_pytest, command_of_manage
from sandbox.runner import pytest_child

MANAGE = b"import os, sys\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')\n"
RUNTESTS = MANAGE.replace(b"shop.", b"tests.") + b"from django.test.utils import get_runner\n"
FILES = {
    "manage.py": MANAGE,
    "shop/__init__.py": b"",
    "shop/settings.py": b"",
    "shop/tests/test_views.py": b"",
    "shop/tests/__init__.py": b"",
    "backend/manage.py": MANAGE,
    "backend/cart/tests.py": b"",
    "runtests.py": RUNTESTS,
    "tests/__init__.py": b"",
    "other.py": b"print(1)\n",
}


@every_case(("command", "expected"), [*rows("ci/django_commands.txt"), ("", "")])
def test_djangos_tests_are_run_by_pytest_and_other_commands_stay(command, expected):
    assert as_pytest(command, FILES) == expected


def test_a_projects_own_manage_py_is_found_at_its_top_or_just_below():
    assert command_of_manage(FILES) == "python manage.py test"
    assert command_of_manage({"back end/manage.py": b""}) == "python 'back end/manage.py' test"
    assert command_of_manage({"a/b/manage.py": b"", "x.py": b""}) == ""


def test_the_sandbox_reads_the_variable_that_is_set():
    assert pytest_child.ARGUMENTS == ARGUMENTS
