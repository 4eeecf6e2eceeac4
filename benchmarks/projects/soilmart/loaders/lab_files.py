"""Reads the files of the laboratories (one result a line, separated by semicolons) into raw."""
import pathlib
import sys

from .db import begin_load, connect, finish_load

COPY_RESULTS = "COPY raw.lab_results (file_id, sample_no, parameter, raw_value, unit) FROM STDIN"

CHECKSUM = """
    UPDATE raw.lab_files f
       SET checksum = (SELECT sum(crc32(r.sample_no)) FROM raw.lab_results r WHERE r.file_id = f.id),
           lines = (SELECT count(*) FROM raw.lab_results r WHERE r.file_id = f.id)
     WHERE f.id = %s
    RETURNING f.lines
"""


def load_file(connection, path: pathlib.Path) -> int:
    known = connection.execute("SELECT id FROM raw.lab_files WHERE name = %s", [path.name]).fetchone()
    if known:
        return 0
    (file_id,) = connection.execute(
        "INSERT INTO raw.lab_files (name, lab_code) VALUES (%s, %s) RETURNING id",
        [path.name, path.name.split("-")[0].upper()],
    ).fetchone()
    with connection.cursor().copy(COPY_RESULTS) as copy:
        for line in path.read_text(encoding="utf-8").splitlines():
            sample, parameter, value, unit = line.split(";")
            copy.write_row((file_id, sample, parameter, value or None, unit or None))
    return connection.execute(CHECKSUM, [file_id]).fetchone()[0]


def use_reagent(connection, code: str, ml: float) -> str | None:
    row = connection.execute(
        "INSERT INTO core.reagent_usage (code, stock_ml) VALUES (%s, %s) RETURNING remark", [code, ml]
    ).fetchone()
    return row[0]


def restock(connection, code: str, ml: float):
    return connection.execute("SELECT core.restock(%s::text, %s::numeric)", [code, ml]).fetchone()[0]


def main(inbox: str) -> None:
    with connect() as connection:
        load = begin_load(connection, "lab")
        rows = sum(load_file(connection, path) for path in sorted(pathlib.Path(inbox).glob("*.txt")))
        finish_load(connection, load, rows)


if __name__ == "__main__":
    main(sys.argv[1])
