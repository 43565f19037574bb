/* VariableBase: the C base of shapeflow.Variable.
 * Invariant: wherever a tensor is taken, `_tensor` is read through this layout, without a call.
 * Owner: reference counting. Source: ops.register_tensor_conversion_function of variables. */
#include "pymodule/ext/ext.h"

static SfpyVariable *as_variable(PyObject *self)
{
    return (SfpyVariable *)self;
}

static int variable_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(as_variable(self)->tensor);
    Py_VISIT(as_variable(self)->dict);
    return 0;
}

static int variable_clear(PyObject *self)
{
    Py_CLEAR(as_variable(self)->tensor);
    Py_CLEAR(as_variable(self)->dict);
    return 0;
}

static void variable_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (as_variable(self)->weak) {
        PyObject_ClearWeakRefs(self);
    }
    variable_clear(self);
    type->tp_free(self);
    Py_DECREF(type);
}

static Py_hash_t variable_hash(PyObject *self)
{
    return (Py_hash_t)(uintptr_t)self; /* id(), as TensorFlow does */
}

static PyMemberDef variable_members[] = {
    {"_tensor", T_OBJECT, offsetof(SfpyVariable, tensor), 0, "What it is read as."},
    {"__dictoffset__", T_PYSSIZET, offsetof(SfpyVariable, dict), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(SfpyVariable, weak), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef variable_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef variable_methods[] = {
    {"ref", sfpy_tensor_ref, METH_NOARGS, SFPY_TAKES("ref", "") "A hashable reference."},
    {"experimental_ref", sfpy_tensor_ref, METH_NOARGS,
     SFPY_TAKES("experimental_ref", "") "As ref()."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot variable_slots[] = {
    {Py_tp_doc, "What derives from it converts to its `_tensor` wherever a tensor is taken."},
    {Py_tp_dealloc, variable_dealloc},
    {Py_tp_traverse, variable_traverse},
    {Py_tp_clear, variable_clear},
    {Py_tp_hash, variable_hash},
    SFPY_OPERATOR_SLOTS,
    {Py_tp_getset, variable_getset},
    {Py_tp_methods, variable_methods},
    {Py_tp_members, variable_members},
    {0, NULL},
};

PyType_Spec sfpy_variable_spec = {
    .name = "shapeflow._core.VariableBase",
    .basicsize = sizeof(SfpyVariable),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .slots = variable_slots,
};
