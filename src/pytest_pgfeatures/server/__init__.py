"""Running clusters."""

from pytest_pgfeatures.server.bidirectional import replicate_bidirectionally, wait_for_all
from pytest_pgfeatures.server.cluster import Cluster
from pytest_pgfeatures.server.clusters import Clusters
from pytest_pgfeatures.server.database import Database, Databases

__all__ = ["Cluster", "Clusters", "Database", "Databases", "replicate_bidirectionally", "wait_for_all"]
