"""The stages ``dump`` and ``upgrade``, which move the extension and its data to another server."""

from __future__ import annotations

import shutil
from functools import partial
from typing import TYPE_CHECKING

import psycopg

from pytest_pgfeatures.errors import CapabilityMissingError, PgFeaturesError, StartTimeoutError
from pytest_pgfeatures.extension.create import create_extension
from pytest_pgfeatures.extension.kept import keep
from pytest_pgfeatures.extension.model import Done, LackingError, NothingToDoError, StageError
from pytest_pgfeatures.extension.regress import run_tests
from pytest_pgfeatures.extension.state import State
from pytest_pgfeatures.extension.trial import DBNAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_pgfeatures.extension.model import Object
    from pytest_pgfeatures.extension.trial import Trial
    from pytest_pgfeatures.server import Cluster

_NAMES = 10
_TYPES = (
    "SELECT t.oid::regtype::text FROM pg_depend d JOIN pg_extension e ON d.refobjid = e.oid"
    " JOIN pg_type t ON d.objid = t.oid LEFT JOIN pg_class c ON t.typrelid = c.oid"
    " WHERE d.classid = 'pg_type'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'"
    " AND e.extname = ANY(%s) AND t.typtype IN ('b', 'c', 'd', 'e', 'r', 'm') AND t.typcategory <> 'A'"
    " AND (c.relkind IS NULL OR c.relkind = 'c') ORDER BY 1"
)


def fill(trial: Trial, cluster: Cluster) -> None:
    """Fill the database that the stages dump and upgrade: create the extensions, a table with a column of each of
    their types, and the project's own data."""
    with trial.fresh_database(cluster) as connection:
        for name in trial.names:
            create_extension(connection, name, if_not_exists=True)
        columns = connection.execute(_TYPES, [list(trial.names)]).fetchall()
        definitions = "".join(f", c{number} {name}" for number, (name,) in enumerate(columns, 1))
        connection.execute(f"CREATE TABLE one_of_each_type (id int{definitions})".encode())
        connection.execute("INSERT INTO one_of_each_type (id) VALUES (1), (2)")
        if trial.options.data:
            _load(trial, connection)


def _load(trial: Trial, connection: psycopg.Connection) -> None:
    path = (trial.source.directory or trial.home) / trial.options.data
    try:
        connection.execute(path.read_text(encoding="utf-8").encode())
    except OSError as error:
        raise StageError(f"can't read the data in {path}: {error.strerror}") from None
    except psycopg.Error as error:
        raise StageError(
            f"{trial.options.data}: {error}".splitlines()[0], tuple(str(error).splitlines())
        ) from None


def dump(trial: Trial, following: Trial | None) -> Done:
    """Dump all databases, and restore them on a server of the same major and one of the next major."""
    before = _filled(trial)
    failed: dict[str, Object] = {}
    lost: dict[str, None] = {}
    done = []
    for target in filter(None, (trial, following)):
        where = f"after pg_dump to {target.cell}"
        new = _moved(partial(trial.cluster.dump_to, target.install_copy, timeout=trial.options.timeout))
        try:
            compared = before.check(state(trial, new), where, target.fresh)
        finally:
            trial.clusters.remove(new)
        for each in compared.failed:
            failed.setdefault(each.id, each)
        lost.update(dict.fromkeys(compared.lost))
        done.append(target.cell)
    told = [f"to {', '.join(done)}", *_kept(before)]
    return Done("; ".join(told), failed=tuple(failed.values()), warnings=tuple(lost))


def _kept(state: State) -> Iterator[str]:
    """Say which tables of the extension keep their rows, and which do not."""
    tables = {name: each for name, each in state.owned.get(DBNAME, {}).items() if not each.is_sequence}
    kept = [name for name, each in tables.items() if each.condition is not None]
    not_kept = [name for name, each in tables.items() if each.condition is None]
    for what, names in (("keeps", kept), ("does not keep", not_kept)):
        if names:
            more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
            yield f"{what} the rows of {', '.join(names[:_NAMES])}{more}"


def upgrade(trial: Trial, later: Trial, mode: str, *, with_tests: bool) -> Done:
    """Upgrade a copy of the server's files, check that everything is preserved, and run the tests on the later
    major.

    Parameters:
        trial: the trial of the earlier major. Its server has all data, and is stopped.
        later: the trial of the later major.
        mode: the mode of pg_upgrade.
        with_tests: whether to run the tests; they must pass on a fresh server of the later major.
    """
    before = _filled(trial)
    old = trial.clusters.copy(_stopped(trial), f"{trial.cell}-{mode}-{later.cell}")
    try:
        new = _moved(lambda: old.upgrade_to(later.install_copy, mode, timeout=trial.options.timeout))
        compared = before.check(state(trial, new), f"after pg_upgrade ({mode}) to {later.cell}")
        if compared.failed:
            raise StageError(
                "; ".join(each.summary for each in compared.failed),
                tuple(line for each in compared.failed for line in each.details),
            )
    finally:
        trial.clusters.remove(old)
    if with_tests and later.tree is not None:
        try:
            _run_tests(trial, later, mode)
        except NothingToDoError:
            pass
        except StageError as error:
            raise StageError(
                f"regression tests after pg_upgrade ({mode}) to {later.cell}: {error.summary}", error.details
            ) from None
    return Done(f"{later.cell} {mode}")


def _run_tests(trial: Trial, later: Trial, mode: str) -> None:
    """Run the tests on an upgraded server that they have not run on before: they need not clean up roles,
    databases or settings after themselves."""
    old = trial.clusters.copy(trial.pristine(partial(fill, trial)), f"{trial.cell}-{mode}-{later.cell}-tests")
    tree = later.clusters.directory_in(later.home, f"{trial.cell}-{mode}")
    try:
        new = _moved(lambda: old.upgrade_to(later.install_copy, mode, timeout=trial.options.timeout))
        _copy_built(later, tree)
        try:
            run_tests(later, new, tree)
        finally:
            keep(later, f"upgrade-{trial.cell}-{mode}", tree, new)
    finally:
        trial.clusters.remove(old)
        later.clusters.discard(tree)


def _copy_built(later: Trial, tree: Path) -> None:
    """Copy the built sources as the user who built them, because root would follow that user's links."""
    ended = later.run([shutil.which("cp") or "cp", "-pPR", f"{later.tree}/.", tree])
    if ended.status != 0:
        raise StageError(f"the sources can't be copied to {tree}", tuple(ended.output.splitlines()))


def _stopped(trial: Trial) -> Cluster:
    """Stop the major's server, with all data in it, and return it."""
    with trial.lock:
        return trial.stop()


def _filled(trial: Trial) -> State:
    """The state of the major's server after it has all data. It no longer changes."""
    with trial.lock:
        if trial.state is None:
            fill(trial, trial.cluster)
            trial.state = state(trial, trial.cluster)
        return trial.state


def state(trial: Trial, cluster: Cluster) -> State:
    """The state of a server's databases."""
    return State.of(lambda dbname: trial.connect(dbname, cluster), trial.names)


def _moved(move: Callable[[], Cluster]) -> Cluster:
    """Call a function that dumps or upgrades, and convert its errors to the exceptions of a stage."""
    try:
        return move()
    except CapabilityMissingError as error:
        raise LackingError(error.capability, error.problem, error.details) from None
    except StartTimeoutError:
        raise
    except PgFeaturesError as error:
        raise StageError(
            error.problem, (*error.details, *([f"what to do: {error.remedy}"] if error.remedy else []))
        ) from None
