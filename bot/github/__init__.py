"""GitHub: what we need of it (``port``), its REST API (``client``), event payloads and runner files."""
