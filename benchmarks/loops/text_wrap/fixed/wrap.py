"""Cut words into pieces for a narrow display."""


def pieces(word, width):
    """``word`` in pieces of at most ``width`` characters."""
    found = []
    while len(word) > width:
        found.append(word[:width])
        word = word[width:]
    if word:
        found.append(word)
    return found


def lines(sentence, width):
    """The words of ``sentence`` in lines of at most ``width`` characters."""
    found = []
    line = ""
    for word in sentence.split():
        for piece in pieces(word, width):
            if line and len(line) + 1 + len(piece) <= width:
                line = f"{line} {piece}"
            else:
                if line:
                    found.append(line)
                line = piece
    if line:
        found.append(line)
    return found
