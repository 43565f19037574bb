"""tf.make_template: a function whose variables are made by its first call and shared by the later ones.

Source: tensorflow/python/ops/template.py (1.15).
"""
from __future__ import annotations

import functools

from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.ops import variable_scope as scopes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional


class Template:
    """What make_template gives. Raises ValueError when a later call makes a variable to be trained."""

    def __init__(self, name: str, func: Any, create_scope_now: bool = False,
                 unique_name: Optional[str] = None, custom_getter: Any = None,
                 create_graph_function: bool = False) -> None:
        if name is None:
            raise ValueError("name cannot be None.")
        self._func = func
        self._name = name
        self._unique_name = unique_name
        self._custom_getter = custom_getter
        self._variables_created = False
        self._variable_scope: Any = None
        if create_scope_now:
            own = unique_name or scopes.store().unique(name)
            with scopes.variable_scope(own, custom_getter=custom_getter, auxiliary_name_scope=False) as scope:
                self._variable_scope = scope

    def __call__(self, *args: object, **kwargs: object) -> Any:
        if self._variable_scope is not None:
            with scopes.variable_scope(self._variable_scope, reuse=self._variables_created):
                return self._call_func(args, kwargs)
        with scopes.variable_scope(self._unique_name, self._name, custom_getter=self._custom_getter) as scope:
            self._variable_scope = scope
            return self._call_func(args, kwargs)

    def _call_func(self, args: Any, kwargs: Any) -> Any:
        if not self._variables_created:
            result = self._func(*args, **kwargs)
            self._variables_created = True
            return result
        before = len(_collected(GraphKeys.TRAINABLE_VARIABLES, None))
        result = self._func(*args, **kwargs)
        new = _collected(GraphKeys.TRAINABLE_VARIABLES, None)[before:]
        if new:
            raise ValueError("Trainable variable created when calling a template after the first time, "
                             "perhaps you used tf.Variable when you meant tf.get_variable: %s"
                             % (tuple(new),))
        return result

    name = property(lambda self: self._name)
    func = property(lambda self: self._func)
    variable_scope = property(lambda self: self._variable_scope)
    var_scope = variable_scope

    @property
    def variable_scope_name(self) -> Optional[str]:
        """With a slash at its end; None before the first call."""
        if self._variable_scope is None:
            return None
        name: str = self._variable_scope.name
        return name if not name or name.endswith("/") else name + "/"

    def _own(self, key: str) -> List[Any]:
        name = self.variable_scope_name
        return [] if name is None else _collected(key, name)

    global_variables = property(lambda self: self._own(GraphKeys.GLOBAL_VARIABLES))
    local_variables = property(lambda self: self._own(GraphKeys.LOCAL_VARIABLES))
    trainable_variables = property(lambda self: self._own(GraphKeys.TRAINABLE_VARIABLES))
    trainable_weights = trainable_variables

    @property
    def variables(self) -> List[Any]:
        return self.global_variables + self.local_variables

    weights = variables

    @property
    def non_trainable_variables(self) -> List[Any]:
        trained = {id(v) for v in self.trainable_variables}
        return [v for v in self.variables if id(v) not in trained]

    non_trainable_weights = non_trainable_variables


put(Template, "tensorflow.python.ops.template.Template")


def _collected(key: str, scope: Optional[str]) -> List[Any]:
    return list(get_default_graph().get_collection(key, scope))


@export("tf.make_template", v2=False)
def make_template(name_: str, func_: Any, create_scope_now_: bool = False, unique_name_: Any = None,
                  custom_getter_: Any = None, **kwargs: Any) -> Template:
    """Raises ValueError for a name that is None."""
    func = functools.partial(func_, **kwargs) if kwargs else func_
    return Template(name_, func, create_scope_now_, unique_name_, custom_getter_)
