import pytest

from marks import to_html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a & b", "<p>a &amp; b</p>"),
        ("`<b>&amp;`", "<p><code>&lt;b&gt;&amp;amp;</code></p>"),
        ('say "x"', "<p>say &quot;x&quot;</p>"),
        ("*it's*", "<p><em>it&#x27;s</em></p>"),
        ("[<](/?a=1&b=2)", '<p><a href="/?a=1&amp;b=2">&lt;</a></p>'),
    ],
)
def test_escaping(text, html):
    assert to_html(text) == html
