"""tf.test.TestCase: tests of a script run as under TensorFlow; what nobody computed is not compared."""
import unittest

import numpy as np
import pytest


def run(case):
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    return result


def test_each_test_has_a_graph_of_its_own(tf):
    class Both(tf.test.TestCase):
        def test_a(self):
            tf.get_variable("v", [2])

        def test_b(self):
            tf.get_variable("v", [3])

    result = run(Both)
    assert result.testsRun == 3 and len(result.skipped) == 1 and result.wasSuccessful(), result.errors


def test_sessions_and_values(tf):
    class Values(tf.test.TestCase):
        def test_it(self):
            with self.test_session() as session:
                x = tf.constant([[1.0, 2.0]])
                self.assertAllClose(session.run(tf.random_normal([1, 2])), x)
                self.assertAllGreater(x, 7)
                assert session is tf.get_default_session()
            with self.cached_session() as first, self.cached_session() as second:
                assert first is second
            self.assertShapeEqual(np.zeros((1, 2)), x)
            self.assertDTypeEqual(x, tf.float32)
            self.assertDeviceEqual("/cpu:0", "/device:CPU:0")
            self.assertItemsEqual([1, 2], [2, 1])
            self.assertLen(self.evaluate([x, x]), 2)

    result = run(Values)
    assert result.wasSuccessful(), result.errors + result.failures


@pytest.mark.parametrize("wrong", [
    lambda self, tf: self.assertAllEqual(np.zeros(2), np.zeros(3)),
    lambda self, tf: self.assertShapeEqual(np.zeros(2), tf.zeros([3])),
    lambda self, tf: self.assertDeviceEqual("/cpu:0", "/gpu:0"),
    lambda self, tf: self.assertDTypeEqual(tf.zeros([2]), tf.int32),
    lambda self, tf: self.assertLen([1], 2), lambda self, tf: self.assertEmpty([1]),
    lambda self, tf: self.assertNotEmpty([]), lambda self, tf: self.assertStartsWith("ab", "b"),
    lambda self, tf: self.assertEndsWith("ab", "a"), lambda self, tf: self.assertBetween(3, 4, 5),
    lambda self, tf: self.assertContainsSubset([1], [2]), lambda self, tf: self.assertSameElements([1], [2]),
])
def test_assertions_fail_where_it_is_known_that_they_do(tf, wrong):
    class Fails(tf.test.TestCase):
        def test_it(self):
            wrong(self, tf)

    result = run(Fails)
    assert len(result.failures) == 1, result.errors


def test_expected_errors(tf):
    class Errors(tf.test.TestCase):
        def test_it(self):
            x = tf.placeholder(tf.float32, [None, 2])
            with self.assertRaises(ValueError):
                tf.matmul(x, tf.zeros([3, 4]))
            with self.cached_session() as session, self.assertRaisesOpError("Incompatible shapes|equal"):
                other = tf.placeholder_with_default(tf.zeros([3, 2]), [None, 2])
                session.run(x + other, {x: np.zeros((2, 2))})
            with self.assertRaisesWithPredicateMatch(ValueError, lambda error: "must be equal" in str(error)):
                tf.matmul(x, tf.zeros([3, 4]))

        def test_none(self):
            with self.assertRaisesWithPredicateMatch(ValueError, "x"):
                pass

    result = run(Errors)
    assert not result.errors and len(result.failures) == 1
    assert "ValueError not raised" in result.failures[0][1]
