"""Blocks: paragraphs and headings."""

from .inline import inline


def to_html(text):
    blocks = []
    for block in text.strip().split("\n\n"):
        line = " ".join(block.split())
        if not line:
            continue
        level = len(line) - len(line.lstrip("#"))
        if 0 < level <= 6 and line[level : level + 1] == " ":
            blocks.append(f"<h{level}>{inline(line[level + 1 :])}</h{level}>")
        else:
            blocks.append(f"<p>{inline(line)}</p>")
    return "\n".join(blocks)
