"""Names and mail addresses."""

import re
from dataclasses import dataclass

_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


@dataclass(frozen=True)
class Contact:
    name: str
    address: str


def _key(name):
    return " ".join(name.split()).lower()


class AddressBook:
    """Contacts by name; spaces and capitals in the names do not count."""

    def __init__(self):
        self._contacts = {}

    def add(self, name, address):
        if not _ADDRESS.fullmatch(address):
            raise ValueError(f"no address: {address}")
        if _key(name) in self._contacts:
            raise ValueError(f"{name} is there already")
        self._contacts[_key(name)] = Contact(name.strip(), address)

    def __contains__(self, name):
        return _key(name) in self._contacts

    def __getitem__(self, name):
        return self._contacts[_key(name)].address

    def remove(self, name):
        del self._contacts[_key(name)]

    def search(self, text):
        """The names in which the text occurs, or whose address begins so, by the alphabet."""
        wanted = _key(text)
        found = [
            contact.name
            for key, contact in self._contacts.items()
            if wanted in key or contact.address.startswith(text)
        ]
        return sorted(found)
