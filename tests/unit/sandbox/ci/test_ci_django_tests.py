"""Which commands run Django's tests, and what pytest is called with in their place."""

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
ARGV = "REGREEN_ARGUMENTS='manage.py test'"
PYTEST = "python -m pytest -o 'python_files=test*.py'"
SHOP = "DJANGO_SETTINGS_MODULE=shop.settings"


@every_case(
    ("command", "expected"),
    [
        ("python manage.py test", f"{SHOP} {ARGV} {PYTEST}"),
        ("./manage.py test -v2 --parallel", f"{SHOP} {ARGV} {PYTEST}"),
        ("python -W error -X dev manage.py test shop", f"{SHOP} {ARGV} {PYTEST} shop"),
        (
            "python manage.py test shop.tests.test_views",
            f"{SHOP} {ARGV} {PYTEST} shop/tests/test_views.py",
        ),
        ("python manage.py test --settings=a.b", f"DJANGO_SETTINGS_MODULE=a.b {ARGV} {PYTEST}"),
        ("python manage.py test --settings a.b", f"DJANGO_SETTINGS_MODULE=a.b {ARGV} {PYTEST}"),
        (
            "DB=x DJANGO_SETTINGS_MODULE=c.d django-admin test",
            f"DB=x DJANGO_SETTINGS_MODULE=c.d {ARGV} {PYTEST}",
        ),
        (
            "DJANGO_SETTINGS_MODULE=tests.settings python -b -m django test -v2 tests",
            f"DJANGO_SETTINGS_MODULE=tests.settings {ARGV} {PYTEST} tests",
        ),
        ("python runtests.py --parallel", f"DJANGO_SETTINGS_MODULE=tests.settings {ARGV} {PYTEST}"),
        ("cd backend && python manage.py test", f"{SHOP} {ARGV} PYTHONPATH=backend {PYTEST} backend"),
        (
            "cd backend && python manage.py test cart",
            f"{SHOP} {ARGV} PYTHONPATH=backend {PYTEST} backend/cart",
        ),
        (
            "python backend/manage.py test cart.tests",
            f"{SHOP} {ARGV} PYTHONPATH=backend {PYTEST} backend/cart/tests.py",
        ),
    ],
)
def test_djangos_tests_are_run_by_pytest(command, expected):
    assert as_pytest(command, FILES) == expected


@every_case(
    "command",
    [
        "",
        "pytest",
        "python other.py test",
        "python missing.py",
        "python manage.py migrate",
        "django-admin test",  # nobody names the settings
        "python -m django check",
        "python manage.py test 'unclosed",
        "python",
    ],
)
def test_other_commands_stay(command):
    assert as_pytest(command, FILES) == ""


def test_a_projects_own_manage_py_is_found_at_its_top_or_just_below():
    assert command_of_manage(FILES) == "python manage.py test"
    assert command_of_manage({"back end/manage.py": b""}) == "python 'back end/manage.py' test"
    assert command_of_manage({"a/b/manage.py": b"", "x.py": b""}) == ""


def test_the_sandbox_reads_the_variable_that_is_set():
    assert pytest_child.ARGUMENTS == ARGUMENTS
