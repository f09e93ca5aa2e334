# Set-up shared by ./pef, ./test and ./bench; sourced, never run.
#
# Everything a fresh clone needs is made here: a virtual environment inside the checkout and a
# release build of the extension, installed into it in editable form. When nothing changed the
# cost is one `find` over the Rust sources; no Python, cargo or pip is started. Only changes that
# need a rebuild are looked for: the Python files are used in place.
#
# The caller sets `root` to the checkout.

# All that can be heard of a set-up goes to stderr: stdout belongs to the command that was asked for.
say() { printf 'pef: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

# The stamp records when the build *started*, so an edit made while it ran triggers another, and
# where the checkout was, because an environment that was moved or copied points to its old place.
is_built() { # VENV
    [ -x "$1/bin/python" ] && [ -f "$1/.built" ] || return 1
    read -r built_at <"$1/.built" && [ "$built_at" = "$root" ] || return 1
    changed=$(find "$root/Cargo.toml" "$root/Cargo.lock" "$root/pyproject.toml" "$root/.cargo" \
        "$root/crates" -name snapshots -prune -o -newer "$1/.built" -print -quit 2>/dev/null)
    [ -z "$changed" ]
}

# Succeeds if COMMAND is a CPython PEF runs on. A pyenv shim may exist and still not run.
is_usable_python() { # COMMAND [VERSION]
    "$1" -c 'import sys
right = sys.implementation.name == "cpython" and (3, 10) <= sys.version_info[:2] <= (3, 13)
wanted = sys.argv[1:] in ([], ["%d.%d" % sys.version_info[:2]])
sys.exit(not (right and wanted))' ${2+"$2"} >/dev/null 2>&1
}

# Prints an interpreter of VERSION (any supported one if not given).
find_python() { # [VERSION]
    if [ $# -eq 0 ] && [ -n "${PEF_PYTHON-}" ]; then
        is_usable_python "$PEF_PYTHON" || die "PEF_PYTHON=$PEF_PYTHON is not a CPython 3.10 to 3.13"
        printf '%s\n' "$PEF_PYTHON"
        return
    fi
    versions=${1-"3.13 3.12 3.11 3.10"}
    pyenv_root=${PYENV_ROOT-}
    [ -n "$pyenv_root" ] || pyenv_root=$(pyenv root 2>/dev/null) || pyenv_root=
    [ $# -gt 0 ] || set -- python3 python
    for version in $versions; do
        set -- "$@" "python$version"
        for candidate in "$pyenv_root/versions/$version".*/bin/python; do
            [ ! -x "$candidate" ] || set -- "$@" "$candidate"
        done
    done
    for candidate in "$@"; do
        case $versions in
        *' '*) is_usable_python "$candidate" || continue ;;
        *) is_usable_python "$candidate" "$versions" || continue ;;
        esac
        command -v "$candidate"
        return
    done
    return 1
}

# Debian splits ensurepip from its Python; there the environment borrows the interpreter's own pip.
make_venv() { # VENV PYTHON
    rm -rf "$1"
    if ! "$2" -m venv "$1" >/dev/null 2>&1; then
        rm -rf "$1"
        "$2" -m venv --without-pip "$1" >&2 &&
            "$2" -m pip --python "$1/bin/python" install --quiet pip >&2 ||
            die "cannot make a virtual environment with $2; does it have venv and pip?"
    fi
}

# Each Python version has a target directory of its own: PyO3 recompiles whenever the interpreter
# changes, so versions that share one would undo each other's work.
build() { # VENV [VERSION]
    venv=$1
    shift
    command -v cargo >/dev/null 2>&1 || die 'cargo is not on PATH; install Rust from https://rustup.rs'
    if ! [ -x "$venv/bin/python" ] || ! [ -f "$venv/.root" ] || ! [ "$(cat "$venv/.root")" = "$root" ]; then
        python=$(find_python "$@") || die "no CPython ${1-3.10 to 3.13} found; set PEF_PYTHON to one"
        say "creating ${venv##*/} with $python"
        make_venv "$venv" "$python"
        printf '%s\n' "$root" >"$venv/.root"
    fi
    rm -f "$venv/.built"
    printf '%s\n' "$root" >"$venv/.building"
    say 'building the extension (release); the first time takes a minute or two'
    python_id=$("$venv/bin/python" -c 'import sys; print("py%d.%d" % sys.version_info[:2])')
    [ -x "$venv/bin/maturin" ] ||
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check 'maturin>=1.9,<2' >&2 ||
        die 'pip could not install maturin'
    (
        cd "$root"
        unset CONDA_PREFIX
        VIRTUAL_ENV=$venv CARGO_TARGET_DIR="$root/target/$python_id" PIP_DISABLE_PIP_VERSION_CHECK=1 \
            "$venv/bin/maturin" develop --release >"$venv/build.log" 2>&1
    ) || { cat "$venv/build.log" >&2; die 'the build failed'; }
    bundle "$venv"
    mv "$venv/.building" "$venv/.built"
}

# Where PYTHONDONTWRITEBYTECODE is set, every start would compile again what has changed of PEF, and
# find it file by file: a start without it bundles the bytecode.
bundle() { # VENV
    "$1/bin/python" -m compileall -q "$root/python/pef" >/dev/null 2>&1 || :
    (unset PYTHONDONTWRITEBYTECODE && "$1/bin/pef" check --no-cache "$root/examples/first.py") \
        >/dev/null 2>&1 || :
}

# Two commands started at once must not build into one environment; where there is no flock(1)
# they may, and the second build finds everything done.
ensure_built() { # VENV [VERSION]
    is_built "$1" && return
    if command -v flock >/dev/null 2>&1; then
        (
            flock 9
            is_built "$1" || build "$@"
        ) 9>"$1.lock" || exit $?
    else
        build "$@"
    fi
}
