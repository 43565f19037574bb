"""tf.distributions: shapes of samples and densities. Expectations are TensorFlow 1.15's."""
import pytest


def _text(*tensors):
    return " ".join(str(getattr(t, "shape", t)) for t in tensors)


def test_normal(tf):
    x = tf.placeholder(tf.float32, [None, 4])
    d = tf.distributions.Normal(x, 1.0)
    assert _text(d.sample(), d.sample(3), d.sample([2, 3]), d.log_prob(tf.zeros([5, 1, 4])), d.entropy(),
                 d.batch_shape, d.event_shape, d.loc, d.scale) == \
        "(?, 4) (3, ?, 4) (2, 3, ?, 4) (5, ?, 4) (?, 4) (?, 4) () (?, 4) ()"
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 5 and 4"):
        d.log_prob(tf.zeros([3, 5]))
    with pytest.raises(ValueError, match=r"Incompatible shapes for broadcasting: \(2,\) and \(3,\)"):
        tf.distributions.Normal(tf.zeros([2]), tf.zeros([3])).sample()


def test_categorical_and_bernoulli(tf):
    x = tf.placeholder(tf.float32, [None, 4])
    c = tf.distributions.Categorical(logits=x)
    assert _text(c.sample(), c.sample(3), c.log_prob(tf.placeholder(tf.int32, [None])), c.entropy(),
                 c.batch_shape, c.mode(), c.probs) == "(?,) (3, ?) (?,) (?,) (?,) (?,) (?, 4)"
    b = tf.contrib.distributions.Bernoulli(probs=x)
    assert _text(b.sample(), b.log_prob(tf.ones([4]))) == "(?, 4) (?, 4)" and b.sample().dtype == tf.int32
    with pytest.raises(ValueError, match="Must pass probs or logits, but not both."):
        tf.distributions.Categorical()


def test_events_of_several_numbers(tf):
    ds = tf.contrib.distributions
    x = tf.placeholder(tf.float32, [None, 4])
    m = ds.MultivariateNormalDiag(x, tf.ones([4]))
    prior = ds.MultivariateNormalDiag(tf.zeros([4]), tf.ones([4]))
    assert _text(m.sample(2), m.log_prob(x), m.entropy(), m.batch_shape, m.event_shape,
                 ds.kl_divergence(m, prior)) == "(2, ?, 4) (?,) (?,) (?,) (4,) (?,)"
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 3 and 4"):
        m.log_prob(tf.zeros([2, 3]))


FAMILIES = [  # shapes of a sample, three of them, batch, event and a density; dtype: TensorFlow 1.15's
    ("Cauchy", "x, 1.0", "(?, 4) (3, ?, 4) (?, 4) () (5, ?, 4) float32"),
    ("HalfNormal", "x", "(?, 4) (3, ?, 4) (?, 4) () (5, ?, 4) float32"),
    ("Poisson", "x", "(?, 4) (3, ?, 4) (?, 4) () (5, ?, 4) float32"),
    ("Exponential", "x", "(?, 4) (3, ?, 4) (?, 4) () (5, ?, 4) float32"),
    ("StudentT", "3.0, x, 1.0", "(?, 4) (3, ?, 4) (?, 4) () (5, ?, 4) float32"),
    ("Geometric", "x", "(?, 4) (3, ?, 4) (?, 4) () (5, ?, 4) float32"),
    ("OneHotCategorical", "x", "(?, 4) (3, ?, 4) (?,) (4,) (5, ?) int32"),
    ("RelaxedOneHotCategorical", "0.5, x", "(?, 4) (3, ?, 4) (?,) (4,) (5, ?) float32"),
    ("RelaxedBernoulli", "0.5, x", "(?, 4) (3, ?, 4) (?, 4) () (5, ?, 4) float32"),
    ("Dirichlet", "x", "(?, 4) (3, ?, 4) (?,) (4,) (5, ?) float32"),
    ("Multinomial", "5.0, x", "(?, 4) (3, ?, 4) (?,) (4,) (5, ?) float32"),
    ("NegativeBinomial", "5.0, x", "(?, 4) (3, ?, 4) (?, 4) () (5, ?, 4) float32"),
    ("MultivariateNormalTriL", "x, tf.eye(4)", "(?, 4) (3, ?, 4) (?,) (4,) (5, ?) float32"),
    ("MultivariateNormalFullCovariance", "x, tf.eye(4)", "(?, 4) (3, ?, 4) (?,) (4,) (5, ?) float32"),
]


@pytest.mark.parametrize("name, arguments, expected", FAMILIES)
def test_families_of_contrib(tf, name, arguments, expected):
    given = eval(f"({arguments},)", {"tf": tf, "x": tf.placeholder(tf.float32, [None, 4])})
    d = getattr(tf.contrib.distributions, name)(*given)
    density = d.log_prob(tf.cast(tf.ones([5, 1, 4]), d.dtype))
    assert _text(d.sample(), d.sample(3), d.batch_shape, d.event_shape, density, d.dtype.name) == expected


def test_distributions_of_distributions(tf):
    ds = tf.contrib.distributions
    x = tf.placeholder(tf.float32, [None, 4])
    d = ds.Independent(ds.Bernoulli(tf.reshape(x, [-1, 2, 2])), 2)
    assert _text(d.sample(), d.batch_shape, d.event_shape, d.log_prob(tf.ones([7, 2, 2])), d.mean()) == \
        "(?, 2, 2) (?,) (2, 2) (7,) (?, 2, 2)"
    d = ds.Independent(ds.Normal(x, 1.0))
    assert _text(d.sample(2), d.batch_shape, d.event_shape, d.log_prob(x), ds.kl_divergence(d, d)) == \
        "(2, ?, 4) (?,) (4,) (?,) (?,)"
    d = ds.MixtureSameFamily(ds.Categorical(tf.zeros([3])),
                             ds.MultivariateNormalDiag(tf.zeros([3, 2]), tf.ones([3, 2])))
    assert _text(d.sample(5), d.log_prob(tf.zeros([2])), d.batch_shape, d.event_shape) == "(5, 2) () () (2,)"
    d = ds.Mixture(ds.Categorical(tf.zeros([6, 2])),
                   [ds.Normal(tf.zeros([6]), 1.0), ds.Normal(tf.ones([6]), 1.0)])
    assert _text(d.sample(5), d.log_prob(0.0), d.batch_shape, d.event_shape) == "(5, 6) (6,) (6,) ()"
    unknown = ds.Independent(ds.Autoregressive(lambda sample: sample), 1)  # of one that is not modelled
    assert unknown.log_prob(x).shape.ndims is None
