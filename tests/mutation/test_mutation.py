"""The short mutation study: what real TensorFlow refuses is found, at its line, and nothing else is.

TensorFlow's verdicts are those of verdicts.json, or fresh ones where $SHAPEFLOW_ORACLE names a Python
that has it. The long study is run.py.
"""

import ast
import os

import judge
import mutate
import pytest

MUTANTS = mutate.sample(mutate.SHORT, mutate.SEED)
PROGRAMS = mutate.programs()


@pytest.fixture(scope="module")
def verdicts():
    oracle = os.environ.get("SHAPEFLOW_ORACLE")
    kept = judge.Verdicts(oracle, fresh=bool(oracle))
    yield kept
    kept.close()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_program_itself_is_clean(program):
    whole = mutate.Mutant(program.name, "none", 0, "unchanged", program.text)
    assert judge.ours(whole) == {"errors": [], "failure": None, "status": 0, "ended": "normally"}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.program}-{mutant.key}")
def test_mutant(mutant, verdicts):
    theirs = verdicts(mutant)
    assert theirs is not None, f"no verdict on {mutant.title}: tests/mutation/run.py --oracle PYTHON --keep"
    case = judge.Case(mutant, theirs, judge.ours(mutant))
    assert not judge.is_bad(case), judge.describe(case)


def test_mutants_are_the_same_for_a_seed_and_one_bug_each():
    again = mutate.sample(mutate.SHORT, mutate.SEED)
    assert [m.key for m in again] == [m.key for m in MUTANTS]
    assert [m.key for m in mutate.sample(mutate.SHORT, mutate.SEED + 1)] != [m.key for m in MUTANTS]
    assert len({m.key for m in MUTANTS}) == len(MUTANTS)
    for mutant in mutate.sample(mutate.LONG, mutate.SEED):
        before = (mutate.PROGRAMS / f"{mutant.program}.py").read_text()
        assert mutant.source != before
        assert mutant.source.count("\n") == before.count("\n"), mutant.title
        ast.parse(mutant.source)
