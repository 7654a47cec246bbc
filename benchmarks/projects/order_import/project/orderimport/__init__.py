from .importer import Report, import_orders

__all__ = ["Report", "import_orders"]
