"""Behaviors: documented features and incompatibilities, observed on real servers.

The folder is plural because the decorator is :func:`pytest_pgfeatures.behavior`: a subpackage of that name
would take its place as soon as anything imports it.
"""
