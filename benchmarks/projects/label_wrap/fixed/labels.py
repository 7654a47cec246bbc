"""Texts for labels of a fixed width."""


def wrap(text, width):
    """Lines of whole words, none longer than the width; words that are too long are cut."""
    if width < 1:
        raise ValueError("a label is one character wide at least")
    lines, current = [], ""
    for word in _pieces(text, width):
        if not current:
            current = word
        elif len(current) + 1 + len(word) <= width:
            current = f"{current} {word}"
        else:
            lines.append(current)
            current = word
    if current:
        lines.append(current)
    return lines


def _pieces(text, width):
    for word in text.split():
        while len(word) > width:
            yield word[:width]
            word = word[width:]
        if word:
            yield word


def centred(text, width):
    return [line.center(width).rstrip() for line in wrap(text, width)]


def label(text, width, height):
    """Lines of the label; what does not fit ends with an ellipsis."""
    lines = wrap(text, width)
    if len(lines) > height:
        lines = lines[:height]
        lines[-1] = lines[-1][: width - 1] + "…"
    return lines
