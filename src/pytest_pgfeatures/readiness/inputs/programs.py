"""Calls of programs."""


def read_scripts(given, problems):
    return [], []


def settings_of(invocations):
    return []
