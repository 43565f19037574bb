"""Loops that bring nothing new are left (docs/loops.md): what a program has afterwards, which turns are run,
and which loops are let alone. In these tests a loop is steady without having taken any time."""
import ast
import asyncio
import builtins
import inspect
import linecache
import sys
import textwrap
import threading
import traceback

import pytest

from shapeflow import _core
from shapeflow.checker.loops import analysis, cycles, instrument, state, watch
from shapeflow.checker.loops.places import known
from shapeflow.tensorflow.compat import version_detection


@pytest.fixture
def run(monkeypatch):
    """Runs a program whose loops are left as soon as they may be; gives its names, with what was left out
    as `_left`. It is alone: the other modules of this process, which are tests, are not part of it, and what
    looking at it costs does not keep its loops."""
    tally = []
    monkeypatch.setattr(state, "users_modules", lambda: [])
    monkeypatch.setattr(watch, "_LOOKING", float("inf"))
    for name, call in instrument.CALLS.items():
        setattr(builtins, name, call)

    def run(source, path="program.py", **given):
        watcher = watch.Watch(lambda: None)
        tally[:] = [watcher.tally]
        names = {"__name__": "__main__", **given}
        code = compile(instrument.marked(textwrap.dedent(source), path), path, "exec")
        _core.watch_loops(lambda loop: watcher.decide(loop, sys._getframe(1)), 0.0, instrument.QUIET)
        try:
            exec(code, names)
        finally:
            _core.watch_loops(None)
            names["_left"] = watcher.tally.skipped_turns
        return names

    yield run
    _core.watch_loops(None)
    known.forget()
    for name in instrument.CALLS:
        delattr(builtins, name)


MANY = 100_000


def test_range_counters_and_lists_are_as_after_all_turns(run):
    names = run(f"""
        step, kept, done = 0, [], 0
        for i in range({MANY}):
            kept.append(i)
            step += 2
            done = done + 1
        """)
    assert (names["i"], names["step"], names["done"]) == (MANY - 1, 2 * MANY, MANY)
    assert len(names["kept"]) == MANY and names["kept"][-1] == MANY - 1
    assert names["_left"] > MANY * 0.9


def test_locals_of_a_function_and_attributes_are_set(run):
    names = run(f"""
        class Trainer:
            steps = 0
            def __init__(self):
                self.count, self.seen = 0, []
            def train(self):
                total = 0
                for i in range({MANY}):
                    total += 3
                    self.count += 1
                    self.seen.append(0.5)
                    Trainer.steps += 1
                return total, i
        trainer = Trainer()
        result = trainer.train()
        """)
    assert names["result"] == (3 * MANY, MANY - 1)
    assert names["trainer"].count == len(names["trainer"].seen) == names["Trainer"].steps == MANY
    assert names["_left"] > MANY * 0.9


def test_turns_of_branches_not_taken_yet_are_run(run):
    names = run(f"""
        hits, odd = [], []
        for i in range({MANY}):
            if i == 77_777:
                hits = [*hits, i]
            elif i % 9_999 == 1 and not i < 5_000:
                odd = [*odd, i]
        """)
    assert names["hits"] == [77_777] and names["odd"][0] == 10_000
    assert names["_left"] > MANY * 0.9


def test_a_counter_of_the_body_leads_to_its_branch(run):
    names = run(f"""
        step, seen = 0, None
        for i in range({MANY}):
            step += 1
            if step == 70_000:
                seen = i
        """)
    assert names["seen"] == 69_999 and names["_left"] > MANY * 0.9


def test_every_combination_of_branches_is_run_once(run):
    names = run(f"""
        pairs = set()
        for i in range({MANY}):
            if i % 3 == 0:
                a = "x"
            else:
                a = "y"
            if i % 1000 == 999:
                pairs = pairs | {{a}}
        """)
    assert names["pairs"] == {"x", "y"}


def test_while_with_arithmetic_ends_where_it_would(run):
    names = run("""
        step = 0
        while step * 32 < 6_400_000:
            step += 1
        rest = 10_000
        while rest > 0:
            rest -= 3
        """)
    assert names["step"] == 200_000 and names["rest"] == -2 and names["_left"] > 190_000


def test_while_true_is_left_at_its_break(run):
    names = run("""
        def train():
            step = 0
            while True:
                step += 1
                if step > 50_000:
                    break
            else:
                return "else"
            return step
        result = train()
        """)
    assert names["result"] == 50_001 and names["_left"] > 40_000


def test_while_true_without_an_end_is_left_with_else_and_finally(run):
    names = run("""
        log = []
        try:
            while True:
                pass
            else:
                log.append("else")
        finally:
            log.append("finally")
        """)
    assert names["log"] == ["else", "finally"]


def test_nested_loops_are_left_from_the_inside_out(run):
    names = run("""
        step, epochs, rows = 0, [], []
        for epoch in range(1000):
            for batch in range(1000):
                step += 1
                if epoch == 800 and batch == 700:
                    rows = [*rows, step]
            epochs.append(step)
        """)
    assert names["step"] == 1_000_000 and len(names["epochs"]) == 1000 and names["rows"] == [800_701]
    assert names["epochs"][-1] == 1_000_000


def test_a_list_that_gets_numbers_does_not_keep_its_loop(run):
    names = run("""
        totals, total = [], 0
        for epoch in range(30):
            total += 1000
            totals.append(total)
        """)
    assert len(names["totals"]) == 30 and names["total"] == 30_000 and names["_left"] > 10


def test_names_that_functions_have_of_their_own_are_no_ones_else():
    """Which names of a module other code may read between two turns."""
    source = textwrap.dedent("""
        total = rows = x = y = z = 0
        def own(x, y):
            z = x + y
            return [z for rows in range(z)]
        def reads():
            def inner(default=total):
                return y
            return inner, [part for part in rows]
        class Has:
            z = 1
            def method(self, x):
                return self
        """)
    tree = compile(source, "p.py", "exec", ast.PyCF_ONLY_AST)
    shared = analysis.shared(tree)
    assert {"total", "y", "rows", "z"} <= shared and not {"x", "inner", "self"} & shared


@pytest.mark.parametrize("count", ["", "400_000"])
def test_epochs_of_a_few_batches_are_left(run, count):
    names = run("""
        import shapeflow as tf
        from shapeflow.tensorflow.compat import version_detection
        version_detection.activate("2.21.0", "eager")
        data = tf.data.Dataset.from_tensor_slices(tf.zeros([20, 6])).batch(8).repeat(%s)
        n, seen = 0, set()
        for batch in data:
            n += 1
            seen.add(str(batch.shape))
            if n >= 1_000_000:
                break
        """ % count)
    assert names["seen"] == {"(8, 6)", "(4, 6)"} and names["_left"] > 100


def test_looking_costs_no_more_than_it_saves(run, monkeypatch):
    """A short loop that begins again and again, in a program of which each view would take a second."""
    clock, looks = [0.0], []
    view = state.view

    def slow_view(*given):
        clock[0] += 1.0
        looks.append(given[1].line)
        return view(*given)

    monkeypatch.setattr(state, "view", slow_view)
    monkeypatch.setattr(watch, "_LOOKING", 0.3)
    monkeypatch.setattr(watch.time, "thread_time", lambda: clock[0])
    names = run("""
        total, calls = 0, [0, 0, 0]
        def inner():
            global total
            for i in range(12):
                total += 1
        for again in range(3000):
            inner()
            total = total % 7919
        """)
    assert names["total"] == 3000 * 12 % 7919
    assert 0 < len(looks) < 10 and len(names["calls"]) == 3


def test_a_loop_whose_lists_would_be_too_long_is_left_where_it_is(run):
    names = run("""
        kept, n = [], 0
        for i in range(10 ** 12):
            kept.append(i)
            n += 1
        """)
    assert 3 < len(names["kept"]) == names["n"] == names["i"] + 1 < 10 ** 8


def test_elements_of_another_form_have_their_turn(run):
    names = run("""
        import numpy as np
        batches = [np.zeros([32, 4])] * 3000 + [np.zeros([7, 4])] + [np.zeros([32, 4])] * 3000
        shapes, turns = set(), 0
        for batch in batches:
            shapes = shapes | {batch.shape}
            turns += 1
        """)
    assert names["shapes"] == {(32, 4), (7, 4)} and names["turns"] == 6001 and names["_left"] > 5000


def test_the_last_turns_of_a_generator_are_run(run):
    names = run("""
        import numpy as np
        def batches():
            for at in range(0, 50_007, 10):
                yield np.zeros([min(10, 50_007 - at), 4])
        shapes, turns = set(), 0
        for number, batch in enumerate(batches()):
            shapes = shapes | {batch.shape}
            turns += 1
        """)
    assert names["shapes"] == {(10, 4), (7, 4)}
    assert names["turns"] == 5001 and names["number"] == 5000 and names["_left"] > 4000


def test_a_sequence_of_known_length_is_left_for_its_end(run):
    names = run(f"""
        rows = [0.5] * {50 * MANY}
        for number, (row, other) in enumerate(zip(rows, rows)):
            pass
        """)
    assert names["number"] == 50 * MANY - 1


GENERATOR = """
        def rows():
            epoch = 0
            while True:
                for at in range(0, 64, 8):
                    yield at
                epoch += 1
        gen = rows()
        """


@pytest.mark.parametrize("loop", [
    "while True:\n    n, last = n + 1, next(gen)\n    if n >= 1_000_003:\n        break",
    "for i in range(1_000_003):\n    n, last = n + 1, next(gen)",
    "while n < 1_000_003:\n    n, last = n + 1, next(gen)"])
def test_a_generator_that_goes_round_and_is_stepped_is_where_it_would_be(run, loop):
    names = run(textwrap.dedent(GENERATOR) + "n = 0\n" + loop)
    assert names["n"] == 1_000_003 and names["last"] == 1_000_002 % 8 * 8 and names["_left"] > 900_000
    assert next(names["gen"]) == 1_000_003 % 8 * 8


def test_while_true_over_a_generator_is_left(run):
    names = run(f"""{GENERATOR}
        seen = set()
        while True:
            last = next(gen)
            seen.add(last)
        after = True
        """)
    assert names["after"] and names["seen"] == set(range(0, 64, 8))


def test_a_generator_that_only_counts_is_stepped(run, monkeypatch):
    monkeypatch.setattr(cycles, "LONGEST", 100)
    names = run("""
        def rows():
            n = 0
            while True:
                n += 1
                yield n
        gen = rows()
        for i in range(1_000_000):
            row = next(gen)
        """)
    assert names["i"] == 999_999 and names["_left"] > 900_000


def test_the_branch_of_a_generator_that_comes_late_is_waited_for(run):
    names = run("""
        def rows():
            n = 0
            while True:
                n += 1
                yield "late" if n == 30_000 else "early"
        gen, seen = rows(), set()
        for i in range(40_000):
            seen.add(next(gen))
        """)
    assert names["seen"] == {"early", "late"}


def test_state_that_neither_grows_nor_stays_is_run(run):
    names = run(f"""
        value, bits = 1, []
        for i in range({MANY}):
            value = value * 1103515245 % 2147483648 + 12345
        """)
    value = 1
    for _ in range(MANY):
        value = value * 1103515245 % 2147483648 + 12345
    assert names["value"] == value and names["_left"] == 0


def test_a_memory_that_fills_up_is_waited_for(run):
    """The branch depends on the length of a list of an object; the condition stands in another function."""
    names = run("""
        class Agent:
            def __init__(self):
                self.memory, self.trained = [], 0
            def step(self):
                self.memory.append(1.0)
                if len(self.memory) > 20_000:
                    self.trained += 1
        agent = Agent()
        for i in range(30_000):
            agent.step()
        """)
    assert names["agent"].trained == 10_000


# --- bad input ------------------------------------------------------------------------------------
def test_loops_in_a_text_that_is_executed_are_let_alone(run):
    names = run(f"""
        exec("n = 0\\nfor i in range({MANY}): n += i")
        """)
    assert names["n"] == sum(range(MANY)) and names["_left"] == 0


def test_a_generator_that_holds_a_lock_lets_it_go(run):
    names = run("""
        def rows():
            with lock:
                while True:
                    yield 1.0
        for row in rows():
            pass
        free = lock.acquire(False)
        """, lock=threading.Lock())
    assert names["free"] is True


def test_what_an_iterator_raises_is_raised_in_its_turn(run):
    names = run("""
        def rows():
            for i in range(5000):
                yield 0.5
            raise KeyError("end")
        turns, error = 0, None
        try:
            for row in rows():
                turns += 1
        except KeyError as caught:
            error = caught.args
        """)
    assert names["turns"] == 5000 and names["error"] == ("end",) and names["_left"] > 4000


def test_a_loop_that_empties_its_list_is_run(run):
    names = run("""
        rows, taken = list(range(4000)), 0
        for row in rows:
            del rows[-1]
            taken += 1
        """)
    assert names["taken"] == 2000 and len(names["rows"]) == 2000


def test_a_loop_that_fills_its_own_list_ends(run):
    names = run("""
        rows = [0.5]
        for row in rows:
            if len(rows) < 3000:
                rows.append(row)
        """)
    assert len(names["rows"]) == 3000


def test_an_iterator_that_the_program_goes_on_with_is_as_far_as_the_loop(run):
    names = run("""
        rows, numbers, pairs = iter([0.5] * 9000), iter(range(9000)), enumerate([0.5] * 9000)
        for row in rows: pass
        for number in numbers:
            if number == 5000:
                break
        for at, row in pairs:
            if at == 6000:
                break
        rest = list(rows), next(numbers), next(pairs)
        def make():
            for i in range(9000):
                yield i
        made = make()
        for i in made:
            if i > 7000:
                break
        after = next(made)
        """)
    assert names["rest"] == ([], 5001, (6001, 0.5)) and names["after"] == 7002


def test_async_for_is_let_alone(run):
    names = run("""
        class Rows:
            def __init__(self):
                self.n = 0
            def __aiter__(self):
                return self
            async def __anext__(self):
                self.n += 1
                if self.n > 3000:
                    raise StopAsyncIteration
                return self.n
        async def main():
            total = 0
            async for row in Rows():
                total += row
            for i in range(10):
                await pause()
                total += 1
            return total
        """, pause=lambda: asyncio.sleep(0))
    assert asyncio.run(names["main"]()) == sum(range(3001)) + 10


def test_comprehensions_are_let_alone(run):
    names = run("rows = [i * i for i in range(3000)]\ntotal = sum(i for i in range(3000))")
    assert names["rows"][-1] == 2999 ** 2 and names["total"] == sum(range(3000)) and names["_left"] == 0


def test_generators_give_all_that_they_give(run):
    names = run("""
        def rows():
            i = 0
            while True:
                yield i
                i += 1
                if i == 3000:
                    return
        kept = list(rows())
        """)
    assert names["kept"] == list(range(3000)) and names["_left"] == 0


def test_recursion_with_a_loop_in_it(run):
    names = run("""
        calls = 0
        def visit(depth):
            global calls
            calls += 1
            if depth:
                for i in range(10):
                    visit(depth - 1)
        visit(4)
        """)
    assert names["calls"] == 11111


def test_loops_of_other_threads_are_run(run):
    names = run("""
        import threading
        done = []
        def work():
            n = 0
            for i in range(20_000):
                n += 1
            done.append(n)
        workers = [threading.Thread(target=work) for _ in range(3)]
        for worker in workers: worker.start()
        for worker in workers: worker.join()
        """)
    assert names["done"] == [20_000] * 3 and names["_left"] == 0


def test_a_loop_that_times_itself_is_left(run):
    names = run("""
        import time
        until, turns = time.time() + 3600, 0
        while time.time() < until:
            turns += 1
        """)
    assert names["turns"] >= instrument.QUIET


def test_count_without_an_end_and_a_break_on_a_value(run):
    names = run("""
        import itertools
        for step in itertools.count():
            loss = fetch()
            if loss < 0.1:
                break
        """, fetch=lambda: 0.5)
    assert names["step"] > instrument.QUIET


def test_a_break_on_a_value_that_falls_is_waited_for(run):
    names = run("""
        import itertools
        loss = 1000.0
        for step in itertools.count():
            loss *= 0.999
            if loss < 0.1:
                break
        """)
    assert names["loss"] < 0.1


def test_a_global_that_a_later_condition_reads(run):
    names = run("""
        count, late = 0, None
        def work():
            global count
            count += 1
        def look(i):
            global late
            if count == 9_000:
                late = i
        for i in range(20_000):
            work()
            look(i)
        """)
    assert names["late"] == 8_999 and names["count"] == 20_000


def test_conditions_mean_what_they_meant(run):
    names = run("""
        class Odd:
            def __bool__(self):
                raise KeyError("truth")
        out = []
        for value in (0, 1, "", "a", [], [0], None, 2.5):
            out.append("yes" if value else "no")
            out.append(1 < 2 < 3 and not value or 7 in (7,) and value is None)
        try:
            if Odd():
                pass
        except KeyError as error:
            out.append(str(error))
        assert out, "not empty"
        """)
    expected = []
    for value in (0, 1, "", "a", [], [0], None, 2.5):
        expected.append("yes" if value else "no")
        expected.append(1 < 2 < 3 and not value or 7 in (7,) and value is None)
    assert names["out"] == [*expected, "'truth'"]


def test_lines_and_sources_stay_as_they_were(run, tmp_path):
    source = textwrap.dedent("""\
        def work(rows):
            for row in rows:
                while row > 0:
                    if row == 2:
                        1 / 0
                    row -= 1
        """)
    path = tmp_path / "lines.py"
    path.write_text(source)
    names = run(source, str(path))
    linecache.checkcache(str(path))
    assert inspect.getsource(names["work"]) == source
    with pytest.raises(ZeroDivisionError) as caught:
        names["work"]([3])
    assert [frame.lineno for frame in traceback.extract_tb(caught.tb)][-1] == 5
    with pytest.raises(TypeError) as caught:
        names["work"](7)
    assert [frame.lineno for frame in traceback.extract_tb(caught.tb)][-1] == 2


def test_the_tree_that_the_version_was_found_by_is_the_one_that_is_marked(tmp_path):
    script = tmp_path / "train.py"
    script.write_text("import tensorflow as tf\nfor i in range(3):\n    x = tf.zeros([i]) if i else None\n")
    source = script.read_bytes()
    trees = version_detection.detect([(str(script), source)]).trees
    text, tree = trees[str(script)]
    made = instrument.marked(source, str(script), 0, tree)
    assert text == source and made is tree
    fresh = instrument.marked(source, str(script))
    calls = [[node.id for node in ast.walk(one) if isinstance(node, ast.Name)] for one in (made, fresh)]
    assert calls[0] == calls[1] and "__shapeflow_loop__" in calls[0] and "__shapeflow_truth__" in calls[0]
    known.forget()


def test_a_text_that_warns_is_parsed_by_its_own_compilation(tmp_path):
    script = tmp_path / "train.py"
    script.write_text('import tensorflow as tf\npattern = "\\d"\n')
    assert version_detection.detect([(str(script), script.read_bytes())]).trees == {}


def test_loops_beside_a_generator_in_one_file_are_left(run):
    names = run("""
        def rows():
            for i in range(9000):
                yield i
        def async_name_that_is_none(n):
            for i in range(n):
                awaited = i
            return awaited
        total = async_name_that_is_none(9000) + len(list(rows()))
        """)
    assert names["total"] == 17999 and names["_left"] > 8000


ROUND = {
    "a cycle": ("it = itertools.cycle([0, 8, 16])", "next(it)"),
    "a cycle of a generator": ("it = itertools.cycle(8 * i for i in range(3))", "next(it)"),
    "cycles side by side": ("it = zip(itertools.cycle([0, 8, 16]), itertools.cycle('ab'))", "next(it)[0]"),
    "a mapped cycle": ("it = map(lambda row: 8 * row, itertools.cycle(range(3)))", "next(it)"),
    "an attribute": ("class D: pass\nd = D()\nd.it = itertools.cycle([0, 8, 16])", "next(d.it)"),
}


@pytest.mark.parametrize("head", ["while True:", "for i in range(1_000_002):", "while n < 1_000_002:"])
@pytest.mark.parametrize("name", ROUND)
def test_an_iterator_that_goes_round_and_is_stepped_is_where_it_would_be(run, name, head):
    made, step = ROUND[name]
    names = run(f"import itertools\nn = 0\n{made}\n{head}\n    n, last = n + 1, {step}\n"
                "    if n >= 1_000_002:\n        break")
    assert names["n"] == 1_000_002 and names["last"] == 1_000_001 % 3 * 8 and names["_left"] > 900_000
    exec(f"after = {step}", names)
    assert names["after"] == 1_000_002 % 3 * 8


@pytest.mark.parametrize("place", ["it", "self.it"])
@pytest.mark.parametrize("made", ["iter([0, 8, 16])", "iter(range(0, 24, 8))", "rows()"])
def test_an_iterator_that_is_made_anew_at_its_end(run, made, place):
    names = run(f"""
        class Data: pass
        def rows():
            for at in range(3):
                yield 8 * at
        def train(self):
            {place} = {made}
            n = 0
            while n < 1_000_002:
                try:
                    last = next({place})
                except StopIteration:
                    {place} = {made}
                    last = next({place})
                n += 1
            return n, last, next({place}, 0)
        n, last, after = train(Data())
        """)
    assert names["n"] == 1_000_002 and names["last"] == 1_000_001 % 3 * 8 and names["_left"] > 900_000
    assert names["after"] == 1_000_002 % 3 * 8


def test_a_long_iterator_that_is_stepped_comes_to_its_end(run):
    names = run("""
        it, seen = iter(["early"] * 30_000 + ["late"]), []
        while True:
            row = next(it, None)
            if row is None:
                break
            if row == "late":
                seen.append(row)
        """)
    assert names["seen"] == ["late"]
