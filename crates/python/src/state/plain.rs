//! What is known of classes that are not ours: whether their objects hold anything.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyString, PyType};

/// Containers of the standard library that are nothing but their attributes.
pub fn is_container(class: &Bound<'_, PyType>) -> bool {
    names_of(class).is_some_and(|(module, name)| match module.as_str() {
        "collections" | "collections.abc" | "weakref" | "_weakrefset" => true,
        "types" => name == "SimpleNamespace",
        _ => false,
    })
}

/// What wraps a function and can have attributes of its own.
pub fn keeps_a_function(class: &Bound<'_, PyType>) -> bool {
    let wraps = ["partial", "partialmethod", "singledispatchmethod"];
    names_of(class)
        .is_some_and(|(module, name)| module == "functools" && wraps.contains(&name.as_str()))
}

fn names_of(class: &Bound<'_, PyType>) -> Option<(String, String)> {
    let (module, name) = (class.module().ok()?, class.qualname().ok()?);
    Some((module.to_string(), name.to_string()))
}

/// The objects there are most of, which hold nothing.
pub fn is_atom(object: &Bound<'_, PyAny>) -> bool {
    object.is_none()
        || object.is_exact_instance_of::<PyString>()
        || object.is_exact_instance_of::<PyInt>()
        || object.is_exact_instance_of::<PyFloat>()
        || object.is_exact_instance_of::<PyBool>()
        || object.is_exact_instance_of::<PyBytes>()
}

/// Classes whose objects do not change, or only for themselves.
pub fn is_plain(class: &Bound<'_, PyType>) -> bool {
    let Some((module, name)) = names_of(class) else {
        return false;
    };
    let module = module.split('.').next().unwrap_or_default();
    match module {
        "builtins" => PLAIN_BUILTINS.contains(&name.as_str()),
        "decimal" | "_decimal" => name == "Decimal",
        "types" => name != "SimpleNamespace",
        "_struct" => name == "Struct",
        "_collections" => name == "_tuplegetter",
        module => PLAIN_MODULES.contains(&module),
    }
}

const PLAIN_BUILTINS: [&str; 36] = [
    "BaseException",
    "Exception",
    "NoneType",
    "NotImplementedType",
    "bool",
    "builtin_function_or_method",
    "bytes",
    "cell",
    "classmethod",
    "classmethod_descriptor",
    "code",
    "complex",
    "ellipsis",
    "float",
    "frozenset",
    "getset_descriptor",
    "int",
    "mappingproxy",
    "member_descriptor",
    "method",
    "method-wrapper",
    "method_descriptor",
    "module",
    "object",
    "property",
    "range",
    "slice",
    "staticmethod",
    "str",
    "super",
    "tuple",
    "type",
    "types.GenericAlias",
    "types.UnionType",
    "weakref",
    "wrapper_descriptor",
];

/// Of these all classes are: what they describe stays as it is, and loggers are compared (`left_behind`).
const PLAIN_MODULES: [&str; 34] = [
    "__future__",
    "_abc",
    "_frozen_importlib",
    "_frozen_importlib_external",
    "_operator",
    "_sitebuiltins",
    "abc",
    "annotated_types",
    "attr",
    "attrs",
    "dataclasses",
    "datetime",
    "deal",
    "enum",
    "fractions",
    "functools",
    "icontract",
    "importlib",
    "inspect",
    "ipaddress",
    "logging",
    "numbers",
    "operator",
    "pathlib",
    "pef",
    "pydantic",
    "pydantic_core",
    "re",
    "string",
    "struct",
    "typing",
    "typing_extensions",
    "uuid",
    "zoneinfo",
];
