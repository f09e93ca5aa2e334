//! Which characters are digits, letters, space...: what the running interpreter says of each, a million
//! times faster than by calls of `str.isdigit` and its like.
//!
//! The functions behind `Py_UNICODE_ISALPHA` and the other public macros are asked. Whatever has no macro
//! (identifiers, case in context) is for `pef.models.text.tables`.

use std::ffi::c_int;

use pef_logic::CharClass;

unsafe extern "C" {
    fn _PyUnicode_IsAlpha(character: u32) -> c_int;
    fn _PyUnicode_IsDecimalDigit(character: u32) -> c_int;
    fn _PyUnicode_IsDigit(character: u32) -> c_int;
    fn _PyUnicode_IsLowercase(character: u32) -> c_int;
    fn _PyUnicode_IsNumeric(character: u32) -> c_int;
    fn _PyUnicode_IsPrintable(character: u32) -> c_int;
    fn _PyUnicode_IsTitlecase(character: u32) -> c_int;
    fn _PyUnicode_IsUppercase(character: u32) -> c_int;
    fn _PyUnicode_IsWhitespace(character: u32) -> c_int;
}

type Test = unsafe extern "C" fn(u32) -> c_int;

/// The characters within the inclusive ranges for which `str.is<name>` is true; `None` if no macro tells.
pub fn named(name: &str, within: &[(u32, u32)]) -> Option<CharClass> {
    let tests: &[Test] = match name {
        "alnum" => &[
            _PyUnicode_IsAlpha,
            _PyUnicode_IsDecimalDigit,
            _PyUnicode_IsDigit,
            _PyUnicode_IsNumeric,
        ],
        "alpha" => &[_PyUnicode_IsAlpha],
        "decimal" => &[_PyUnicode_IsDecimalDigit],
        "digit" => &[_PyUnicode_IsDigit],
        "lower" => &[_PyUnicode_IsLowercase],
        "numeric" => &[_PyUnicode_IsNumeric],
        "printable" => &[_PyUnicode_IsPrintable],
        "space" => &[_PyUnicode_IsWhitespace],
        "title" => &[_PyUnicode_IsTitlecase],
        "upper" => &[_PyUnicode_IsUppercase],
        _ => return None,
    };
    // SAFETY: they read constant tables and accept any number.
    let is_member = |character| tests.iter().any(|test| unsafe { test(character) } != 0);
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for character in within.iter().flat_map(|&(first, last)| first..=last) {
        if is_member(character) {
            match runs.last_mut() {
                Some(run) if run.1 + 1 == character => run.1 = character,
                _ => runs.push((character, character)),
            }
        }
    }
    Some(CharClass::new(runs))
}
