"""Finding behaviors in modules."""

import sys
from types import ModuleType

import pytest

from pytest_pgfeatures.behaviors import registry
from pytest_pgfeatures.behaviors.model import behavior
from pytest_pgfeatures.errors import BehaviorError
from pytest_pgfeatures.version import MAJORS


def module_with(source, name="some_behaviors"):
    module = ModuleType(name)
    code = compile(source, f"{name}.py", "exec")
    exec(code, {**vars(module), "behavior": behavior}, vars(module))
    return module


ONE = """
@behavior("x/one", title="t", area="a", source="s", expect={"all": 1})
def one(lab): return 1
"""


def test_the_behaviors_of_a_module_come_in_their_order():
    module = module_with(ONE + ONE.replace("one", "another"))
    assert [found.id for found in registry.declared_in(module)] == ["x/one", "x/another"]


def test_imported_behaviors_are_not_those_of_the_importing_module():
    module = module_with(ONE)
    importing = ModuleType("importing")
    importing.one = module.one
    assert list(registry.declared_in(importing)) == []


def test_one_id_in_two_places_is_refused_with_both_places():
    declared = [found for name in ("a", "b") for found in registry.declared_in(module_with(ONE, name))]
    with pytest.raises(BehaviorError) as raised:
        registry.by_id(declared)
    assert "x/one" in str(raised.value)
    assert "a.py:2" in str(raised.value)
    assert "b.py:2" in str(raised.value)


def test_the_atlas_is_found_without_a_list_of_its_modules():
    files = registry.atlas_files()
    assert files
    assert all(path.is_file() for path in files)
    assert all(sys.modules[found.observe.__module__].__file__ for found in registry.atlas().values())


def test_every_behavior_of_the_atlas_covers_every_supported_major():
    for found in registry.atlas().values():
        for major in MAJORS:
            found.expect(major)


def test_an_unknown_id_brings_those_near_to_it():
    known = registry.by_id(registry.declared_in(module_with(ONE)))
    with pytest.raises(BehaviorError, match="did you mean x/one"):
        registry.find("x/oen", known)
    assert registry.find("x/one", known).id == "x/one"


def test_an_unknown_id_suggests_only_similar_names():
    with pytest.raises(BehaviorError, match="pgfeatures show lists them"):
        registry.find("15/nonsense", registry.atlas())
    with pytest.raises(BehaviorError, match="16/parallel-hash-full-join"):
        registry.find("15/parallel-hash-ful-join", registry.atlas())
