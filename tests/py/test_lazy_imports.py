"""What imports cost beside the running of their files."""
import gc

from shapeflow.checker import lazy_imports


def test_what_an_import_makes_is_old_at_once():
    made = []
    lazy_imports.uncollected(lambda module: made.extend([[at] for at in range(5000)]), gc)
    assert gc.isenabled() and gc.get_count()[0] < 2000 and not gc.get_freeze_count()
    assert any(one is made[0] for one in gc.get_objects(generation=2))
