"""What is read from a configuration that is not there has the keys for which the program asks."""
import pytest

from command import report_of, write

HEAD = """import argparse
import json
from collections import OrderedDict, namedtuple
from types import SimpleNamespace
import tensorflow as tf
def read():
    with open("absent.json") as stream:
        return json.load(stream)
"""
BUG = "tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))\n"
WAYS = {
    "a dict": "cfg = dict(read())\nunits, rate = cfg['units'], cfg.get('rate')\n",
    "a dict of ours": "class Config(dict):\n    __getattr__ = dict.__getitem__\ncfg = Config(read())\n"
                      "units, rate = cfg.units, cfg['rate']\n",
    "a dict that is its own namespace": "class Config(dict):\n    def __init__(self, *args, **kwargs):\n"
                                        "        super().__init__(*args, **kwargs)\n"
                                        "        self.__dict__ = self\n"
                                        "cfg = Config(read())\nunits, rate = cfg.units, cfg.rate\n",
    "an ordered dict": "cfg = OrderedDict(read())\nunits, rate = cfg['units'], cfg['rate']\n",
    "a literal": "cfg = {**read(), 'rate': 2}\nunits, rate = cfg['units'], cfg['rate']\nassert rate == 2\n",
    "a comprehension": "cfg = {key: value for key, value in read().items()}\n"
                       "units, rate = cfg['units'], cfg['rate']\n",
    "attributes by setattr": "class Config:\n    def __init__(self, d):\n"
                             "        for key, value in d.items():\n"
                             "            setattr(self, key, value)\n    @property\n"
                             "    def total(self):\n        return self.units\n"
                             "cfg = Config(read())\nunits, rate = cfg.units, cfg.rate\nprint(cfg.total)\n",
    "attributes of another object": "import six\nclass Config:\n    def __init__(self, units):\n"
                                    "        self.units = units\n    @classmethod\n"
                                    "    def of(cls, d):\n        config = cls(units=None)\n"
                                    "        for key, value in six.iteritems(d):\n"
                                    "            config.__dict__[key] = value\n        return config\n"
                                    "cfg = Config.of(read())\nunits, rate = cfg.units, cfg.rate\n",
    "its __dict__": "class Config:\n    def __init__(self, d):\n        self.depth = 3\n"
                    "        self.__dict__.update(d)\n"
                    "cfg = Config(read())\nunits, rate = cfg.units, cfg.rate\nassert cfg.depth == 3\n",
    "a namespace": "cfg = SimpleNamespace(**read())\nunits, rate = cfg.units, cfg.rate\n",
    "argparse's": "cfg = argparse.Namespace(**read())\nunits, rate = cfg.units, cfg.rate\n",
    "a named tuple": "Config = namedtuple('Config', 'units rate')\ncfg = Config(**read())\n"
                     "units, rate = cfg.units, cfg.rate\n",
    "parameters": "class Net:\n    def __init__(self, units, rate=.1, name='net'):\n"
                  "        self.units, self.rate, self.name = units, rate, name\n"
                  "cfg = Net(name='mine', **read())\nunits, rate = cfg.units, cfg.rate\n"
                  "assert rate == .1 and cfg.name == 'mine'\n",
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_configuration_that_is_not_there(way, tmp_path):
    write(tmp_path, train=HEAD + way + "tf.ones([units, 3])\nprint(rate)\n" + BUG)
    report, done = report_of(tmp_path)
    codes = [finding["code"] for finding in report["findings"]]
    assert "SF908" not in codes and codes.count("SF114") == 1, done.stdout
    assert done.returncode == 1


def test_keys_that_a_loop_goes_over_are_not_those_of_the_program(tmp_path):
    text = HEAD + "turns = [name for name in read().keys()]\nprint(turns[0])\nassert len(turns) < 10\n"
    write(tmp_path, train=text + BUG)
    report, done = report_of(tmp_path)
    assert "SF908" not in [finding["code"] for finding in report["findings"]], done.stdout


def test_modules_of_the_program_ask_too(tmp_path):
    write(tmp_path, net="def build(cfg):\n    return cfg.hidden_units, cfg['heads']\n",
          train=HEAD + "import net\nclass Config(dict):\n    __getattr__ = dict.__getitem__\n"
                       "net.build(Config(read()))\n" + BUG)
    report, done = report_of(tmp_path)
    codes = [finding["code"] for finding in report["findings"]]
    assert "SF908" not in codes and codes.count("SF114") == 1, done.stdout
