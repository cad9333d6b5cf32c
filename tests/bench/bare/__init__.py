"""The floor of a tap: a Django project that does nothing but one UPDATE, one INSERT and a fragment of ten seats."""
