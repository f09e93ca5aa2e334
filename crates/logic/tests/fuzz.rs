//! A short run of the fuzz targets, with the same bytes every time. `fuzz/` has the long one.

mod fuzzing;
mod support;
mod text_terms;

use fuzzing::{floats, numbers, texts};

/// Bytes as good as random. Small ones are as frequent as in the inputs that fuzzers keep.
fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    let length = 8 + usize::from(next()) / 2;
    (0..length).map(|_| next()).collect()
}

#[test]
fn terms_over_integers_keep_their_meaning_and_searches_are_right() {
    (0..250).for_each(|seed| numbers::check(&bytes(seed)));
}

#[test]
fn terms_over_text_keep_their_meaning_and_searches_are_right() {
    (0..150).for_each(|seed| texts::check(&bytes(seed)));
}

#[test]
fn terms_over_floats_keep_their_meaning_and_searches_are_right() {
    (0..60).for_each(|seed| floats::check(&bytes(seed)));
}
