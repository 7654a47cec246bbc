import pytest

from marks import to_html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("plain", "<p>plain</p>"),
        (
            "some *words* and **more *of* them**",
            "<p>some <em>words</em> and <strong>more <em>of</em> them</strong></p>",
        ),
        ("`a < b`", "<p><code>a &lt; b</code></p>"),
        ("[home](/index)", '<p><a href="/index">home</a></p>'),
        ("# Big\n\ntext\ngoes on", "<h1>Big</h1>\n<p>text goes on</p>"),
        ("#tag", "<p>#tag</p>"),
        ("", ""),
    ],
)
def test_html(text, html):
    assert to_html(text) == html


def test_hostile_text():
    assert to_html("<script>") == "<p>&lt;script&gt;</p>"


def test_hostile_link():
    assert "href" not in to_html("[x](javascript:alert)")
