"""The stages ``dump`` and ``upgrade``, which move the extension and its data to another server."""

from __future__ import annotations

import contextlib
import shutil
from functools import partial
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from pytest_pgfeatures.errors import CapabilityMissingError, PgFeaturesError, StartTimeoutError
from pytest_pgfeatures.extension.create import create_extension
from pytest_pgfeatures.extension.kept import keep
from pytest_pgfeatures.extension.model import Done, LackingError, NothingToDoError, StageError
from pytest_pgfeatures.extension.regress import run_tests
from pytest_pgfeatures.extension.state import State
from pytest_pgfeatures.extension.typed_values import check, store
from pytest_pgfeatures.extension.workspace import DBNAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from pytest_pgfeatures.extension.model import Object
    from pytest_pgfeatures.extension.workspace import Workspace
    from pytest_pgfeatures.results.model import Counted, Result
    from pytest_pgfeatures.server import Cluster

_NAMES = 10


def fill(workspace: Workspace, cluster: Cluster) -> None:
    """Fill the database that the stages dump and upgrade: create the extensions, and the project's own data."""
    with workspace.fresh_database(cluster) as connection:
        for name in workspace.names:
            create_extension(connection, name, if_not_exists=True)
        if workspace.options.data:
            _load(workspace, connection)


def _load(workspace: Workspace, connection: psycopg.Connection) -> None:
    path = (workspace.source.directory or workspace.home) / workspace.options.data
    try:
        connection.execute(path.read_text(encoding="utf-8").encode())
    except OSError as error:
        raise StageError(f"can't read the data in {path}: {error.strerror}") from None
    except psycopg.Error as error:
        raise StageError(
            f"{workspace.options.data}: {error}".splitlines()[0], tuple(str(error).splitlines())
        ) from None


def dump(workspace: Workspace, following: Workspace | None) -> Done:
    """Dump all databases, and restore them on a server of the same major and one of the next major."""
    before = _filled(workspace)
    failed = _changed_values(workspace, before)
    lost: dict[str, None] = {}
    done = []
    for target in filter(None, (workspace, following)):
        where = f"after pg_dump to {target.cell}"
        new = _moved(
            partial(workspace.cluster.dump_to, target.install_copy, timeout=workspace.options.timeout)
        )
        try:
            compared = before.check(state(workspace, new), where, target.fresh)
        finally:
            workspace.clusters.remove(new)
        for each in compared.failed:
            failed.setdefault(each.id, each)
        lost.update(dict.fromkeys(compared.lost))
        done.append(target.cell)
    parts = [f"to {', '.join(done)}", *_kept(before)]
    if workspace.only_null:
        parts.append(f"the tests have no value of {', '.join(_some(workspace.only_null))}")
    return Done("; ".join(parts), failed=tuple(failed.values()), warnings=tuple(lost))


def _kept(state: State) -> Iterator[str]:
    """Report which tables of the extension keep their rows, and which do not."""
    tables = {name: each for name, each in state.owned.get(DBNAME, {}).items() if not each.is_sequence}
    kept = [name for name, each in tables.items() if each.condition is not None]
    not_kept = [name for name, each in tables.items() if each.condition is None]
    for what, names in (("keeps", kept), ("does not keep", not_kept)):
        if names:
            yield f"{what} the rows of {', '.join(_some(names))}"


def _some(names: Sequence[str]) -> Iterator[str]:
    yield from names[:_NAMES]
    if len(names) > _NAMES:
        yield f"and {len(names) - _NAMES} more"


def _changed_values(workspace: Workspace, before: State) -> dict[str, Object]:
    """The types for which some value in a database changes when it is written and read."""
    failed: dict[str, Object] = {}
    for dbname in before.rows:
        with workspace.connect(dbname, workspace.cluster) as connection:
            for each in check(connection, workspace.names):
                failed.setdefault(each.id, each)
    return failed


def upgrade(workspace: Workspace, later: Workspace, mode: str, natively: Result | None) -> Done:
    """Upgrade a copy of the server's files, check that everything is preserved, and run the tests on the later
    major.

    Parameters:
        workspace: the workspace of the earlier major. Its server has all data, and is stopped.
        later: the workspace of the later major.
        mode: the mode of pg_upgrade.
        natively: the result of the tests on a fresh server of the later major; None to run no tests.
    """
    before = _filled(workspace)
    with_tests = natively is not None and later.tree is not None
    # A worker of a library may use the tests' databases, so that they can't be dropped.
    same = not workspace.spoiled and not workspace.options.shared_preload_libraries
    with _upgraded(workspace, _stopped(workspace), later, mode, "") as new:
        compared = before.check(state(workspace, new), f"after pg_upgrade ({mode}) to {later.cell}")
        if compared.failed:
            raise StageError(
                "; ".join(each.summary for each in compared.failed),
                tuple(line for each in compared.failed for line in each.details),
            )
        if with_tests and same:
            _drop_databases(workspace, new)
            _run_tests(workspace, later, mode, new, natively)
    if with_tests and not same:
        with _upgraded(workspace, workspace.pristine(partial(fill, workspace)), later, mode, "-tests") as new:
            _run_tests(workspace, later, mode, new, natively)
    return Done(f"{later.cell} {mode}")


@contextlib.contextmanager
def _upgraded(
    workspace: Workspace, stopped: Cluster, later: Workspace, mode: str, what: str
) -> Iterator[Cluster]:
    """Upgrade a copy of a server."""
    old = workspace.clusters.copy(stopped, f"{workspace.cell}-{mode}-{later.cell}{what}")
    try:
        yield _moved(lambda: old.upgrade_to(later.install_copy, mode, timeout=workspace.options.timeout))
    finally:
        workspace.clusters.remove(old)


def _drop_databases(workspace: Workspace, cluster: Cluster) -> None:
    """Drop the tests' databases, so that the server looks as if the tests had not run."""
    with workspace.connect("postgres", cluster) as connection:
        kept = ["postgres", "template0", "template1", DBNAME]
        found = connection.execute("SELECT datname FROM pg_database WHERE datname <> ALL(%s)", [kept])
        for (name,) in found.fetchall():
            connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(name)))


def _check_counts(natively: Sequence[Counted], found: Sequence[Counted]) -> None:
    """Raise StageError if fewer tests ran than without an upgrade."""
    run = {each.kind: each.run for each in found}
    for each in natively:
        if run.get(each.kind, 0) < each.run:
            raise StageError(
                f"{run.get(each.kind, 0)} {each.kind} tests ran, and {each.run} without an upgrade"
            )


def _run_tests(
    workspace: Workspace, later: Workspace, mode: str, new: Cluster, natively: Result | None
) -> None:
    """Run the tests on an upgraded server on which they have not run before, or on which they left only
    databases: they don't have to clean up roles or settings."""
    tree = later.clusters.directory_in(later.home, f"{workspace.cell}-{mode}")
    try:
        _copy_built(later, tree)
        try:
            done = run_tests(later, new, tree)
        finally:
            keep(later, f"upgrade-{workspace.cell}-{mode}", tree, new)
        _check_counts(natively.tests if natively else (), done.tests)
    except NothingToDoError:
        pass
    except StageError as error:
        raise StageError(
            f"regression tests after pg_upgrade ({mode}) to {later.cell}: {error.summary}", error.details
        ) from None
    finally:
        later.clusters.discard(tree)


def _copy_built(later: Workspace, tree: Path) -> None:
    """Copy the built sources as the user who built them, because root would follow that user's links."""
    ended = later.run([shutil.which("cp") or "cp", "-pPR", f"{later.tree}/.", tree])
    if ended.status != 0:
        raise StageError(f"the sources can't be copied to {tree}", tuple(ended.output.splitlines()))


def _stopped(workspace: Workspace) -> Cluster:
    """Stop the major's server, with all data in it, and return it."""
    with workspace.lock:
        return workspace.stop()


def _filled(workspace: Workspace) -> State:
    """The state of the major's server after all data is loaded. It no longer changes."""
    with workspace.lock:
        if workspace.state is None:
            fill(workspace, workspace.cluster)
            with workspace.connect(DBNAME, workspace.cluster) as connection:
                workspace.only_null = store(connection, workspace.names, workspace.source.directory)
            workspace.state = state(workspace, workspace.cluster)
        return workspace.state


def state(workspace: Workspace, cluster: Cluster) -> State:
    """The state of a server's databases."""
    return State.of(lambda dbname: workspace.connect(dbname, cluster), workspace.names)


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
