//! Tells the code which CPython it is built for (`cfg(Py_3_11)` and so on).

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
