//! What the process around a run needs to know of it, and to ask of it, should it die.
//!
//! Policy (limits, what is denied) is in `pef.isolation`; here is only what must happen inside
//! a run.

pub mod pulse;
