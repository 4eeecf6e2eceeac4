"""Results of runs as plain values for all reports: an item, where it ran, its outcome, its evidence.

Jobs (behaviors, tests of a matrix, stages of an extension, commands) produce them; ``report`` reads them.
``model`` defines the result, ``evidence`` its evidence, ``transcript`` a lab's statements, ``program`` the end of a
program. Import these modules one by one: starting a server needs only ``program``.
"""
