"""What people read on GitHub, page by page: a change of the words is seen in the golden files' diff."""

import re
from dataclasses import replace

from delivery_cases import PULL
from delivery_pages import DIRECTORY, pages
from every_case import every_case
from fakes.github_markdown import read

from bot.delivery.render import repository_url
from bot.delivery.sticky import read_state

PAGES = pages()
# What a library packs may differ from one release to the next, though it unpacks the same.
_PACKED = re.compile(r"(?<=<!-- regreen:proposal )[A-Za-z0-9+/=]+")


@every_case("name", PAGES)
def test_the_page_is_as_it_was_read(name):
    golden = (DIRECTORY / f"{name}.md").read_text("utf-8")
    assert _PACKED.sub("", PAGES[name]) == _PACKED.sub("", golden), (
        "run: python tests/golden/delivery/delivery_pages.py"
    )


def test_no_golden_file_is_left_over():
    assert {path.stem for path in DIRECTORY.glob("*.md")} == set(PAGES)


@every_case("name", [name for name in PAGES if name != "commit-message"])
def test_a_page_reads_as_it_was_meant(name):
    page = read(PAGES[name])
    assert not page.acted_upon
    assert "table_open" in page.kinds or "evidence" not in name
    assert PAGES[name].count("<details") == PAGES[name].count("</details>") or name == "comment-hostile"
    assert "\n\n\n\n" not in PAGES[name]


@every_case("name", [name for name in PAGES if name.startswith("comment-") or name == "comment"])
def test_a_comment_is_found_again(name):
    assert read_state(PAGES[name]) is not None
    assert len(PAGES[name]) < 65_536


def test_a_repository_may_be_called_pull():
    pull = replace(PULL, url="https://github.com/octo/pull/pull/7")
    assert repository_url(pull) == "https://github.com/octo/pull"


def test_a_suggestion_that_deletes_is_empty():
    assert "```suggestion\n```" in PAGES["suggestion-deletes"]


def test_a_suggestion_with_fences_has_a_longer_one():
    assert read(PAGES["suggestion-fences"]).code[-1] == "    ```x\n````\n"
