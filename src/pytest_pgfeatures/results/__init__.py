"""What runs produce: an item, where it ran, its outcome, its evidence. Plain values, for every report.

The jobs make them (behaviors, tests of a matrix, stages of an extension, commands), and ``report`` reads them.
``model`` has the result itself, ``evidence`` what shows it, ``transcript`` a lab's statements, ``program`` how a
program ended. They are imported one by one: starting a server needs the last one only.
"""
