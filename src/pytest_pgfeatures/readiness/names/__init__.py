"""The names of an application's own objects."""
