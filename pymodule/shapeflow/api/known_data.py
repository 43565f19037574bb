"""Data sets that everybody knows, as facts: what they consist of and how large they are. Their content is
zeros, labels that go through all classes, and words that nobody reads.

Sources: the pages of each data set in the catalogues of tensorflow_datasets, Keras and scikit-learn.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional, Tuple


class Image:
    """A feature of tensorflow_datasets: an image of this shape; None: of any size."""

    def __init__(self, *shape: Optional[int]) -> None:
        self.shape = shape or (None, None, 3)
        self.dtype = "uint8"
        self.classes = self.vocabulary = 0


class Label:
    """One of so many classes."""

    def __init__(self, classes: int) -> None:
        self.shape: Tuple[Optional[int], ...] = ()
        self.dtype = "int64"
        self.classes = classes
        self.vocabulary = 0


class Text:
    """A string."""

    def __init__(self) -> None:
        self.shape: Tuple[Optional[int], ...] = ()
        self.dtype = "string"
        self.classes = self.vocabulary = 0


class Number:
    """Numbers of a shape."""

    def __init__(self, dtype: str, *shape: Optional[int]) -> None:
        self.shape = shape
        self.dtype = dtype
        self.classes = self.vocabulary = 0


class Words(Number):
    """A text as numbers of its words or parts of words."""

    def __init__(self, vocabulary: int) -> None:
        super().__init__("int64", None)
        self.vocabulary = vocabulary


class DataSet:
    """`features` by name, `splits` by name with their sizes; `supervised`: which two features are a pair."""

    def __init__(self, features: Dict[str, Any], splits: Dict[str, int],
                 supervised: Optional[Tuple[str, str]] = None) -> None:
        self.features = features
        self.splits = splits
        self.supervised = supervised


_IMAGE = ("image", "label")


def _images(shape: Tuple[Optional[int], ...], classes: int, **splits: int) -> DataSet:
    return DataSet({"image": Image(*shape), "label": Label(classes)}, splits, _IMAGE)


def _texts(classes: int, **splits: int) -> DataSet:
    return DataSet({"text": Text(), "label": Label(classes)}, splits, ("text", "label"))


def _pairs(classes: int, first: str, second: str, **splits: int) -> DataSet:
    """Of GLUE: two sentences that are to be judged together."""
    return DataSet({first: Text(), second: Text(), "label": Label(classes), "idx": Number("int32")}, splits)


_ANY = (None, None, 3)
TFDS: Dict[str, DataSet] = {
    "mnist": _images((28, 28, 1), 10, train=60000, test=10000),
    "fashion_mnist": _images((28, 28, 1), 10, train=60000, test=10000),
    "kmnist": _images((28, 28, 1), 10, train=60000, test=10000),
    "emnist": _images((28, 28, 1), 62, train=697932, test=116323),
    "emnist/balanced": _images((28, 28, 1), 47, train=112800, test=18800),
    "emnist/letters": _images((28, 28, 1), 37, train=88800, test=14800),
    "emnist/digits": _images((28, 28, 1), 10, train=240000, test=40000),
    "emnist/byclass": _images((28, 28, 1), 62, train=697932, test=116323),
    "cifar10": DataSet({"id": Text(), "image": Image(32, 32, 3), "label": Label(10)},
                       {"train": 50000, "test": 10000}, _IMAGE),
    "cifar100": DataSet({"coarse_label": Label(20), "id": Text(), "image": Image(32, 32, 3),
                         "label": Label(100)}, {"train": 50000, "test": 10000}, _IMAGE),
    "svhn_cropped": _images((32, 32, 3), 10, train=73257, test=26032, extra=531131),
    "stl10": _images((96, 96, 3), 10, train=5000, test=8000, unlabelled=100000),
    "cats_vs_dogs": DataSet({"image": Image(), "image/filename": Text(), "label": Label(2)},
                            {"train": 23262}, _IMAGE),
    "horses_or_humans": _images((300, 300, 3), 2, train=1027, test=256),
    "rock_paper_scissors": _images((300, 300, 3), 3, train=2520, test=372),
    "tf_flowers": _images(_ANY, 5, train=3670),
    "oxford_flowers102": DataSet({"file_name": Text(), "image": Image(), "label": Label(102)},
                                 {"train": 1020, "test": 6149, "validation": 1020}, _IMAGE),
    "oxford_iiit_pet": DataSet({"file_name": Text(), "image": Image(), "label": Label(37),
                                "segmentation_mask": Image(None, None, 1), "species": Label(2)},
                               {"train": 3680, "test": 3669}, _IMAGE),
    "beans": _images((500, 500, 3), 3, train=1034, validation=133, test=128),
    "cassava": DataSet({"image": Image(), "image/filename": Text(), "label": Label(5)},
                       {"train": 5656, "test": 1885, "validation": 1889}, _IMAGE),
    "food101": _images(_ANY, 101, train=75750, validation=25250),
    "stanford_dogs": DataSet({"image": Image(), "image/filename": Text(), "label": Label(120)},
                             {"train": 12000, "test": 8580}, _IMAGE),
    "caltech101": DataSet({"image": Image(), "image/file_name": Text(), "label": Label(102)},
                          {"train": 3059, "test": 6085}, _IMAGE),
    "imagenet2012": DataSet({"file_name": Text(), "image": Image(), "label": Label(1000)},
                            {"train": 1281167, "validation": 50000}, _IMAGE),
    "imagenette": _images(_ANY, 10, train=12894, validation=500),
    "imagewang": _images(_ANY, 20, train=14669, validation=3929),
    "eurosat": DataSet({"filename": Text(), "image": Image(64, 64, 3), "label": Label(10)},
                       {"train": 27000}, _IMAGE),
    "uc_merced": DataSet({"filename": Text(), "image": Image(), "label": Label(21)}, {"train": 2100}, _IMAGE),
    "malaria": _images(_ANY, 2, train=27558),
    "colorectal_histology": DataSet({"filename": Text(), "image": Image(150, 150, 3), "label": Label(8)},
                                    {"train": 5000}, _IMAGE),
    "patch_camelyon": DataSet({"id": Text(), "image": Image(96, 96, 3), "label": Label(2)},
                              {"train": 262144, "test": 32768, "validation": 32768}, _IMAGE),
    "dtd": DataSet({"file_name": Text(), "image": Image(), "label": Label(47)},
                   {"train": 1880, "test": 1880, "validation": 1880}),
    "deep_weeds": _images((256, 256, 3), 9, train=17509),
    "cmaterdb": _images((32, 32, 3), 10, train=5000, test=1000),
    "omniglot": DataSet({"alphabet": Label(50), "alphabet_char_id": Number("int64"),
                         "image": Image(105, 105, 3), "label": Label(1623)},
                        {"train": 19280, "test": 13180}, _IMAGE),
    "celeb_a": DataSet({"image": Image(218, 178, 3)},
                       {"train": 162770, "test": 19962, "validation": 19867}),
    "lfw": DataSet({"image": Image(250, 250, 3), "label": Text()}, {"train": 13233}, ("label", "image")),
    "imdb_reviews": _texts(2, train=25000, test=25000, unsupervised=50000),
    "imdb_reviews/plain_text": _texts(2, train=25000, test=25000, unsupervised=50000),
    "imdb_reviews/subwords8k": DataSet({"text": Words(8185), "label": Label(2)},
                                       {"train": 25000, "test": 25000, "unsupervised": 50000},
                                       ("text", "label")),
    "imdb_reviews/bytes": DataSet({"text": Words(257), "label": Label(2)},
                                  {"train": 25000, "test": 25000, "unsupervised": 50000}, ("text", "label")),
    "ag_news_subset": DataSet({"description": Text(), "label": Label(4), "title": Text()},
                              {"train": 120000, "test": 7600}, ("description", "label")),
    "yelp_polarity_reviews": _texts(2, train=560000, test=38000),
    "glue/sst2": DataSet({"idx": Number("int32"), "label": Label(2), "sentence": Text()},
                         {"train": 67349, "test": 1821, "validation": 872}),
    "glue/cola": DataSet({"idx": Number("int32"), "label": Label(2), "sentence": Text()},
                         {"train": 8551, "test": 1063, "validation": 1043}),
    "glue/mrpc": _pairs(2, "sentence1", "sentence2", train=3668, test=1725, validation=408),
    "glue/rte": _pairs(2, "sentence1", "sentence2", train=2490, test=3000, validation=277),
    "glue/qqp": _pairs(2, "question1", "question2", train=363849, test=390965, validation=40430),
    "glue/qnli": _pairs(2, "question", "sentence", train=104743, test=5463, validation=5463),
    "iris": DataSet({"features": Number("float32", 4), "label": Label(3)}, {"train": 150},
                    ("features", "label")),
    "tiny_shakespeare": DataSet({"text": Text()}, {"train": 1, "validation": 1, "test": 1}),
    "squad": DataSet({"context": Text(), "id": Text(), "question": Text(), "title": Text()},
                     {"train": 87599, "validation": 10570}),
    "ted_hrlr_translate/pt_to_en": DataSet({"en": Text(), "pt": Text()},
                                           {"train": 51785, "validation": 1193, "test": 1803}, ("pt", "en")),
    "cnn_dailymail": DataSet({"article": Text(), "highlights": Text(), "id": Text(), "publisher": Text()},
                             {"train": 287113, "validation": 13368, "test": 11490},
                             ("article", "highlights")),
    "speech_commands": DataSet({"audio": Number("int16", None), "label": Label(12)},
                               {"train": 85511, "validation": 10102, "test": 4890}, ("audio", "label")),
}


def _array(shape: Tuple[int, ...], dtype: str = "float64") -> Any:
    import numpy

    return numpy.zeros(shape, dtype)


def _classes(count: int, classes: int) -> Any:
    import numpy

    return numpy.arange(count) % classes


# scikit-learn's: (samples, features, classes; 0: numbers, further arrays by name).
SKLEARN: Dict[str, Tuple[int, int, int, Dict[str, Tuple[int, ...]]]] = {
    "fetch_california_housing": (20640, 8, 0, {}),
    "fetch_covtype": (581012, 54, 7, {}),
    "fetch_kddcup99": (494021, 41, 23, {}),
    "fetch_olivetti_faces": (400, 4096, 40, {"images": (400, 64, 64)}),
    "fetch_lfw_people": (13233, 2914, 5749, {"images": (13233, 62, 47)}),
    "fetch_lfw_pairs": (2200, 5828, 2, {"pairs": (2200, 2, 62, 47)}),
    "load_iris": (150, 4, 3, {}),
    "load_digits": (1797, 64, 10, {"images": (1797, 8, 8)}),
    "load_wine": (178, 13, 3, {}),
    "load_breast_cancer": (569, 30, 2, {}),
    "load_diabetes": (442, 10, 0, {}),
    "load_boston": (506, 13, 0, {}),
}
_NEWS = {"train": 11314, "test": 7532, "all": 18846}


def sklearn(name: str, args: Tuple[object, ...], options: Dict[str, Any], Bunch: Any) -> object:  # noqa: N803
    """What a function of sklearn.datasets gives; None: nobody knows. Bunch: scikit-learn's class."""
    if name == "fetch_20newsgroups":
        count = _NEWS.get(options.get("subset", "train"), 11314)
        names = options.get("categories") or ["group%d" % i for i in range(20)]
        return Bunch(data=["some text %d" % i for i in range(count)], target=_classes(count, len(names)),
                     target_names=list(names), filenames=["%d" % i for i in range(count)])
    more: Dict[str, Tuple[int, ...]] = {}
    if name == "fetch_openml" and (args[:1] == ("mnist_784",) or options.get("name") == "mnist_784"):
        samples, features, classes = 70000, 784, 10
    elif name in SKLEARN:
        samples, features, classes, more = SKLEARN[name]
    else:
        return None
    data = _array((samples, features))
    target = _classes(samples, classes) if classes else _array((samples,))
    if name == "fetch_openml":
        target = target.astype(str).astype(object)
    if options.get("return_X_y"):
        return data, target
    return Bunch(data=data, target=target, feature_names=["f%d" % i for i in range(features)],
                 target_names=["t%d" % i for i in range(classes or 1)], DESCR="",
                 **{key: _array(shape) for key, shape in more.items()})
