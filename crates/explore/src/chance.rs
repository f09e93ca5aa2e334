//! Numbers that look random and are the same each time.

/// What [`mixed`] is given steps by this.
pub(crate) const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The output of `SplitMix64`: tiny, good with any input, good enough to pick a branch.
pub(crate) fn mixed(state: u64) -> u64 {
    let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
