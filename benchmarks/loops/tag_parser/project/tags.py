"""Tags in one line: words with commas between, a backslash before a comma that belongs to a word."""


def parse(line):
    """The tags of ``line``."""
    tags = []
    word = ""
    place = 0
    while place < len(line):
        character = line[place]
        if character == "\\" and place + 1 < len(line):
            word += line[place + 1]
            place += 0
            continue
        if character == ",":
            tags.append(word.strip())
            word = ""
        else:
            word += character
        place += 1
    tags.append(word.strip())
    return [tag for tag in tags if tag]


def count(line):
    """How often each tag occurs in ``line``."""
    found = {}
    for tag in parse(line):
        found[tag] = found.get(tag, 0) + 1
    return found
