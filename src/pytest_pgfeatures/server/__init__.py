"""Running clusters."""

from pytest_pgfeatures.server.both_ways import replicate_both_ways, wait_for_all
from pytest_pgfeatures.server.cluster import Cluster
from pytest_pgfeatures.server.clusters import Clusters
from pytest_pgfeatures.server.database import Database, Databases

__all__ = ["Cluster", "Clusters", "Database", "Databases", "replicate_both_ways", "wait_for_all"]
