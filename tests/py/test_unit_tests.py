"""Programs of unit tests: a test that compares numbers says nothing when it fails here."""
from shapeflow.checker import runner

HEAD = "import tensorflow as tf\nclass A(tf.test.TestCase):\n"
TAIL = "if __name__ == '__main__':\n    tf.test.main()\n"
NUMBERS = "    def test_numbers(self):\n" \
          "        self.assertEqual(3.5, float(tf.reduce_sum(tf.random.normal([3]))))\n"
SHAPE = "    def test_shape(self):\n        self.assertEqual([3], tf.zeros([3]).shape.as_list())\n"
BUG = "    def test_bug(self):\n        tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))\n"
ERROR = "    def test_error(self):\n        self.nothing()\n"
REMOVED = "    def test_removed(self):\n        getattr(tf, 'place' + 'holder')(tf.float32, [2])\n"


def check(folder, text, *options):
    script = folder / "a_test.py"
    script.write_text(HEAD + text + TAIL)
    return runner.run(str(script), ["--tf-version", "2.21.0", "--no-cache", *options])


def notes(report):
    return [record.message for record in report.of("note")]


def test_tests_that_hold_say_nothing(tmp_path):
    report = check(tmp_path, SHAPE)
    assert (report.status, report.failure, notes(report)) == (0, None, [])


def test_numbers_that_differ_are_a_note(tmp_path):
    report = check(tmp_path, SHAPE + NUMBERS)
    assert (report.status, report.failure) == (0, None)
    assert [text for text in notes(report) if text.endswith("no numbers are computed: test_numbers")]
    assert report.of("note")[-1].primary.line == 5


def test_a_finding_in_a_test_is_the_failure_of_that_test(tmp_path):
    report = check(tmp_path, BUG + NUMBERS)
    assert (report.status, report.failure) == (1, None)
    assert [record.code for record in report.of("error")] == ["SF114"]


def test_another_exception_is_a_program_that_could_not_be_run(tmp_path):
    report = check(tmp_path, ERROR + BUG + SHAPE)
    assert report.status == 1 and [record.code for record in report.of("error")] == ["SF114"]
    assert "1 of 4 tests end by an exception, the first, test_error, by" in report.failure
    assert "a_test.py:4:9: AttributeError: 'A' object has no attribute 'nothing'" in report.failure


def test_a_name_that_another_version_has_starts_the_check_again_under_it(tmp_path):
    script = tmp_path / "a_test.py"
    script.write_text(HEAD + REMOVED + TAIL)
    report = runner.run(str(script), ["--no-cache"])
    assert (report.status, report.failure) == (0, None)


def test_tests_that_main_does_not_end(tmp_path):
    tail = "    unittest.main(exit=False)\n    tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))\n"
    script = tmp_path / "b_test.py"
    script.write_text("import unittest\n" + HEAD + NUMBERS + "if __name__ == '__main__':\n" + tail)
    report = runner.run(str(script), ["--tf-version", "2.21.0", "--no-cache"])
    assert [record.primary.line for record in report.of("error")] == [8]


def test_tests_that_fail_for_want_of_data_are_passed_over(tmp_path):
    data = "    def setUp(self):\n        import numpy as np\n        self.x = np.load('x.npy')\n"
    other = "    def test_other(self):\n        {}[1]\n        self.missing()\n"
    report = check(tmp_path, data + ERROR + other + SHAPE)
    passed = sorted(record.primary.line for record in report.of("note") if record.code == "SF908")
    assert (report.status, report.failure, passed) == (0, None, [7, 9, 10])
    report = check(tmp_path, data + ERROR + BUG[BUG.index("        tf"):])
    assert report.status == 1 and [record.primary.line for record in report.of("error")] == [8]
