"""gym and gymnasium: the spaces of environments that everybody knows, and of those around them. What happens
in them is unknown, but that an episode is of some steps."""
from __future__ import annotations

import sys

from shapeflow.api import asking_frames
from shapeflow.api import unknown_uses as uses
from shapeflow.api.unknown_package import Unknown, assumed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, List, Mapping, Optional, Tuple

# Shape of an observation, or how many there are; how many actions, or their shape.
# Source: the pages of each environment in gymnasium's documentation.
_SPACES: Mapping[str, Tuple[object, object]] = {
    "CartPole": ((4,), 2), "MountainCar": ((2,), 3), "MountainCarContinuous": ((2,), (1,)),
    "Pendulum": ((3,), (1,)), "Acrobot": ((6,), 3), "LunarLander": ((8,), 4),
    "LunarLanderContinuous": ((8,), (2,)), "BipedalWalker": ((24,), (4,)), "CarRacing": ((96, 96, 3), (3,)),
    "FrozenLake": (16, 4), "FrozenLake8x8": (64, 4), "Taxi": (500, 6), "CliffWalking": (48, 4),
    "Pong": ((210, 160, 3), 6), "Breakout": ((210, 160, 3), 4), "SpaceInvaders": ((210, 160, 3), 6),
    "Hopper": ((11,), (3,)), "HalfCheetah": ((17,), (6,)), "Walker2d": ((17,), (6,)),
    "InvertedPendulum": ((4,), (1,)), "Swimmer": ((8,), (2,)), "Reacher": ((11,), (2,)),
}
_PIXELS = ("Pong", "Breakout", "SpaceInvaders")
_STEPS = 16  # of an episode


class _Space(Unknown):
    """gym.Space."""

    _sf_class = "Space"

    def sample(self, *args: object, **kwargs: object) -> Unknown:
        return Unknown(self._sf_name + ".sample()")._shaped(*self.__dict__.get("_sf_samples", (None, None)))


class _Discrete(_Space):
    _sf_class = "Discrete"


class _Box(_Space):
    _sf_class = "Box"


def _space(name: str, size: object, dtype: str) -> Unknown:
    made = (_Discrete if isinstance(size, int) else _Box)(name)
    samples = ((), "int64") if isinstance(size, int) else (size, dtype)
    made.__dict__.update(shape=samples[0], _sf_samples=samples)
    if isinstance(size, int):
        made.__dict__["n"] = size
    else:
        made.__dict__.update({bound: Unknown("%s.%s" % (name, bound))._shaped(size, dtype)
                              for bound in ("low", "high")})
    return made


class _Observation(Unknown):
    """What `reset` gives: since 0.26 it is one of two."""

    def __iter__(self) -> Iterator[Unknown]:
        if asking_frames.unpacked(sys._getframe(1)) == 2:  # or it has two numbers: nobody knows
            first = Unknown(self._sf_name) if self._sf_shape == (2,) else self._plain()
            return iter((first, Unknown("info")))
        return iter(self._plain())

    def __getitem__(self, key: object) -> Unknown:
        """Of `env.reset()[0]` nobody knows which one it is."""
        return Unknown(self._sf_name + "[0]") if key == 0 and type(key) is int else self._plain()[key]

    def _plain(self) -> Unknown:
        return Unknown(self._sf_name)._shaped(self._sf_shape, self._sf_dtype)


class _Done(Unknown):
    """Whether an episode is over."""

    def __bool__(self) -> bool:
        wanted = uses.wanted_condition(sys._getframe(1))
        assumed.numbers += 1  # how many steps an episode has
        return bool(self.__dict__["_sf_over"]) if wanted is None else wanted


class _Environment(Unknown):
    """gym.Env."""

    _sf_class = "Env"

    def reset(self, *args: object, **kwargs: object) -> object:
        self.__dict__["_sf_step"] = 0
        if self._is_new():
            return self._observation(), Unknown("info")
        return _Observation("observation")._shaped(*self._seen())

    def step(self, *args: object, **kwargs: object) -> object:
        """Of four or five, as many as the program wants."""
        taken = self.__dict__["_sf_step"] = self.__dict__.get("_sf_step", 0) + 1
        done = _Done("done")
        done.__dict__["_sf_over"] = taken % (_STEPS - assumed.variant) == 0
        seen = self._observation()
        is_known = seen._sf_shape is not None
        reward = Unknown("reward")._shaped(() if is_known else None, "float64" if is_known else None)
        head: List[Unknown] = [seen, reward, done]
        count = asking_frames.unpacked(sys._getframe(1)) or (5 if self._is_new() else 4)
        if count == 5:
            truncated = _Done("truncated")
            truncated.__dict__["_sf_over"] = False
            head.append(truncated)
        return (*head, Unknown("info"))

    @property
    def unwrapped(self) -> _Environment:
        return self

    def _observation(self) -> Unknown:
        return Unknown("observation")._shaped(*self._seen())

    def _seen(self) -> Tuple[object, Optional[str]]:
        """Shape and dtype of an observation."""
        space = self.__dict__.get("observation_space")
        samples: Tuple[object, Optional[str]] = (None, None)
        if isinstance(space, _Space):
            samples = space.__dict__["_sf_samples"]
        return samples

    def _is_new(self) -> bool:
        return str(self._sf_name).startswith("gymnasium")


def make(id: object, *args: object, **kwargs: object) -> Unknown:  # noqa: A002 - its name
    return _make("gym", id, kwargs)


def make_new(id: object, *args: object, **kwargs: object) -> Unknown:  # noqa: A002 - its name
    """gymnasium.make"""
    return _make("gymnasium", id, kwargs)


def _make(package: str, id: object, kwargs: Mapping[str, object]) -> Unknown:  # noqa: A002 - its name
    made = _Environment("%s.make(%s)" % (package, id))
    name = str(id).rpartition("/")[2].partition("-")[0]
    for suffix in ("NoFrameskip", "Deterministic"):
        name = name[:-len(suffix)] if name.endswith(suffix) and name[:-len(suffix)] in _PIXELS else name
    if name in _SPACES and not kwargs.get("continuous") and "-ram" not in str(id):
        observation, action = _SPACES[name]
        pixels = "uint8" if observation in ((210, 160, 3), (96, 96, 3)) else "float32"
        made.__dict__["observation_space"] = _space("observation_space", observation, pixels)
        made.__dict__["action_space"] = _space("action_space", action, "float32")
    return made


class Wrapper:
    """An environment around another: what it does not say itself is that one's."""

    def __init__(self, env: Any = None, *args: Any, **kwargs: Any) -> None:
        self.env = env

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "env":
            raise AttributeError(f"attempted to get missing private attribute '{name}'")
        return getattr(self.env, name)

    @property
    def unwrapped(self) -> object:
        return self.env.unwrapped

    def step(self, action: Any) -> Any:
        return self.env.step(action)

    def reset(self, **kwargs: Any) -> object:
        return self.env.reset(**kwargs)


def _same(env: object, *args: object, **kwargs: object) -> object:
    """A wrapper that changes nothing of what is seen and done."""
    return env


_NEUTRAL = ("Monitor", "OrderEnforcing", "PassiveEnvChecker", "RecordEpisodeStatistics", "RecordVideo",
            "TimeLimit")
_NAMES: Mapping[str, object] = {"Wrapper": Wrapper}
MODULES: Mapping[str, Mapping[str, object]] = {
    **{name: {**_NAMES, "make": make if name.startswith("gym.") or name == "gym" else make_new}
       for name in ("gym", "gym.core", "gymnasium", "gymnasium.core")},
    **{name: dict.fromkeys(_NEUTRAL, _same) for name in ("gym.wrappers", "gymnasium.wrappers")}}
