"""Rows under named columns."""


def normal(name):
    return name.strip().lower()


class Table:
    def __init__(self, columns, rows=()):
        self.columns = [normal(name) for name in columns]
        if len(set(self.columns)) != len(self.columns):
            raise ValueError("a column is there twice")
        self.rows = []
        for row in rows:
            self.append(row)

    def append(self, row):
        if len(row) != len(self.columns):
            raise ValueError(f"{len(row)} cells for {len(self.columns)} columns")
        self.rows.append(list(row))

    def column(self, name):
        place = self.columns.index(normal(name))
        return [row[place] for row in self.rows]

    def where(self, **wanted):
        """The rows in which each named column holds the value."""
        places = {self.columns.index(normal(name)): value for name, value in wanted.items()}
        found = [row for row in self.rows if all(row[place] == value for place, value in places.items())]
        return Table(self.columns, found)

    def __len__(self):
        return len(self.rows)
