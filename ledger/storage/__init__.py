"""The log and the books in a database: one store (`store`), on SQLite or on PostgreSQL."""
