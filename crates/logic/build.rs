//! Decides what `-lz3` means.
//!
//! The extension module must not be tied to one Z3: `pef` preloads the `libz3` of the `z3-solver`
//! wheel before the module is imported. So release builds link an empty linker script. Test
//! executables cannot be linked with unresolved symbols, so the debug profile links a real
//! library, through links inside `OUT_DIR`: cargo puts those search paths (and only those below
//! the target directory) on the library path of every test it runs, dependents' tests included.
//!
//! `PEF_Z3_LIB_DIR` names the directory of the real library; without it the wheel in the
//! checkout's `.venv` is used. `PEF_LINK_Z3=1` asks for the real library in any profile, which
//! is what `cargo bench` needs.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    for variable in ["PEF_Z3_LIB_DIR", "PEF_LINK_Z3"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?).join("z3");
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    fs::create_dir_all(&out)?;
    let wanted = env::var("PROFILE").as_deref() == Ok("debug")
        || env::var("PEF_LINK_Z3").as_deref() == Ok("1");
    match real_library().filter(|_| wanted) {
        Some(directory) => expose(&directory, &out)?,
        None => fs::write(
            out.join("libz3.so"),
            "/* symbols come from the preloaded libz3 */\n",
        )?,
    }
    println!("cargo:rustc-link-search=native={}", out.display());
    Ok(())
}

fn real_library() -> Option<PathBuf> {
    if let Some(directory) = env::var_os("PEF_Z3_LIB_DIR") {
        return Some(PathBuf::from(directory));
    }
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    let libraries = manifest.parent()?.parent()?.join(".venv").join("lib");
    println!("cargo:rerun-if-changed={}", libraries.display());
    fs::read_dir(libraries)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path().join("site-packages/z3/lib")))
        .find(|directory| directory.join("libz3.so").exists())
}

/// Links every `libz3.so*` (the plain name for the linker, the soname for the loader).
fn expose(directory: &Path, out: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let Some(name) = path.file_name() else {
            continue;
        };
        if name.to_string_lossy().starts_with("libz3.so") {
            std::os::unix::fs::symlink(&path, out.join(name))?;
        }
    }
    Ok(())
}
