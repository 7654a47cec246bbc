"""GitHub: its REST API (``client``) as plain data (``records``), event payloads and runner files."""
