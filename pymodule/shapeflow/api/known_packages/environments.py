"""gym and gymnasium: the spaces of environments that everybody knows, and of those around them. What happens
in them is unknown."""
from __future__ import annotations

from shapeflow.api.unknown_package import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Tuple

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


def _space(name: str, size: object) -> Unknown:
    made = Unknown(name)
    if isinstance(size, int):
        made.__dict__.update(n=size, shape=())
    else:
        made.__dict__["shape"] = size
    return made


def make(id: Any, *args: Any, **kwargs: Any) -> Unknown:  # noqa: A002 - its name
    made = Unknown("gym.make(%s)" % id)
    name = str(id).rpartition("/")[2].partition("-")[0]
    for suffix in ("NoFrameskip", "Deterministic"):
        name = name[:-len(suffix)] if name.endswith(suffix) and name[:-len(suffix)] in _PIXELS else name
    if name in _SPACES and not kwargs.get("continuous") and "-ram" not in str(id):
        observation, action = _SPACES[name]
        made.__dict__["observation_space"] = _space("observation_space", observation)
        made.__dict__["action_space"] = _space("action_space", action)
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


_WRAPPERS: Mapping[str, object] = {"make": make, "Wrapper": Wrapper}
MODULES: Mapping[str, Mapping[str, object]] = {
    name: _WRAPPERS for name in ("gym", "gym.core", "gymnasium", "gymnasium.core")}
