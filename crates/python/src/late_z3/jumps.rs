//! The functions of Z3 that we call, each a jump, for x86-64.

use std::arch::naked_asm;
use std::ffi::CStr;
use std::ptr::null_mut;

use super::{Address, load_or_end};

const ADDRESS_BYTES: usize = size_of::<Address>();

/// One that is missing here is reported by the linker when the module is imported.
macro_rules! functions {
    ($($name:ident)*) => {
        #[expect(non_camel_case_types, reason = "as Z3 calls them")]
        enum Place {
            $($name,)*
        }

        /// Their names, in the order of the addresses.
        pub static NAMES: &[&CStr] = &[$(name(concat!(stringify!($name), "\0"))),*];

        /// Where they are.
        pub static ADDRESSES: [Address; NAMES.len()] =
            [const { Address::new(null_mut()) }; NAMES.len()];

        $(
            /// Leaves all arguments where they are.
            #[unsafe(naked)]
            #[unsafe(no_mangle)]
            extern "C" fn $name() {
                naked_asm!(
                    "mov r11, qword ptr [rip + {addresses} + {at}]",
                    "test r11, r11",
                    "jz 2f",
                    "jmp r11",
                    "2:",
                    "push {at}",
                    "jmp {first}",
                    addresses = sym ADDRESSES,
                    at = const Place::$name as usize * ADDRESS_BYTES,
                    first = sym load_first,
                )
            }
        )*
    };
}

functions! {
    Z3_ast_to_string Z3_ast_vector_dec_ref Z3_ast_vector_get Z3_ast_vector_inc_ref
    Z3_ast_vector_size Z3_dec_ref Z3_del_config Z3_del_context Z3_get_ast_id Z3_get_bool_value
    Z3_get_numeral_decimal_string Z3_get_numeral_int64 Z3_get_numeral_small
    Z3_get_numeral_uint64 Z3_get_sort Z3_get_sort_kind Z3_inc_ref Z3_interrupt Z3_is_eq_sort
    Z3_mk_add Z3_mk_and Z3_mk_bool_sort Z3_mk_bv_sort Z3_mk_bvadd Z3_mk_bvadd_no_overflow
    Z3_mk_bvadd_no_underflow Z3_mk_bvand Z3_mk_bvashr Z3_mk_bvmul Z3_mk_bvmul_no_overflow
    Z3_mk_bvmul_no_underflow Z3_mk_bvneg Z3_mk_bvneg_no_overflow Z3_mk_bvor Z3_mk_bvsdiv
    Z3_mk_bvsdiv_no_overflow Z3_mk_bvsge Z3_mk_bvshl Z3_mk_bvsle Z3_mk_bvslt Z3_mk_bvsmod
    Z3_mk_bvsrem Z3_mk_bvsub Z3_mk_bvsub_no_overflow Z3_mk_bvsub_no_underflow Z3_mk_bvxor
    Z3_mk_config Z3_mk_const Z3_mk_context_rc Z3_mk_div Z3_mk_eq Z3_mk_extract Z3_mk_false
    Z3_mk_fpa_is_nan Z3_mk_fpa_sort Z3_mk_fpa_to_ieee_bv Z3_mk_ge Z3_mk_gt Z3_mk_iff
    Z3_mk_implies Z3_mk_int64 Z3_mk_int_sort Z3_mk_int_symbol Z3_mk_ite Z3_mk_le Z3_mk_lt
    Z3_mk_mod Z3_mk_mul Z3_mk_not Z3_mk_numeral Z3_mk_or Z3_mk_params Z3_mk_real_sort
    Z3_mk_solver Z3_mk_solver_for_logic Z3_mk_string_symbol Z3_mk_sub Z3_mk_true
    Z3_mk_unary_minus Z3_mk_xor Z3_mk_zero_ext Z3_model_dec_ref Z3_model_eval Z3_model_inc_ref
    Z3_params_dec_ref Z3_params_inc_ref Z3_params_set_bool Z3_params_set_uint
    Z3_set_error_handler Z3_solver_assert Z3_solver_check Z3_solver_dec_ref
    Z3_solver_from_string Z3_solver_get_assertions Z3_solver_get_model
    Z3_solver_get_reason_unknown Z3_solver_inc_ref Z3_solver_pop Z3_solver_push
    Z3_solver_set_params Z3_sort_to_ast Z3_sort_to_string
}

const fn name(text: &str) -> &CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(name) => name,
        Err(_) => unreachable!(),
    }
}

/// Loads the library, then goes where the caller wanted to: its place in the table is on the stack.
///
/// Whatever may hold an argument is saved. The stack is aligned when a function is called, and is
/// again after the place, six words and eight vectors.
#[unsafe(naked)]
extern "C" fn load_first() {
    naked_asm!(
        "push rdi",
        "push rsi",
        "push rdx",
        "push rcx",
        "push r8",
        "push r9",
        "sub rsp, 128",
        "movups [rsp], xmm0",
        "movups [rsp + 16], xmm1",
        "movups [rsp + 32], xmm2",
        "movups [rsp + 48], xmm3",
        "movups [rsp + 64], xmm4",
        "movups [rsp + 80], xmm5",
        "movups [rsp + 96], xmm6",
        "movups [rsp + 112], xmm7",
        "call {load}",
        "movups xmm0, [rsp]",
        "movups xmm1, [rsp + 16]",
        "movups xmm2, [rsp + 32]",
        "movups xmm3, [rsp + 48]",
        "movups xmm4, [rsp + 64]",
        "movups xmm5, [rsp + 80]",
        "movups xmm6, [rsp + 96]",
        "movups xmm7, [rsp + 112]",
        "add rsp, 128",
        "pop r9",
        "pop r8",
        "pop rcx",
        "pop rdx",
        "pop rsi",
        "pop rdi",
        "pop r11",
        "lea r10, [rip + {addresses}]",
        "jmp qword ptr [r10 + r11]",
        load = sym load_or_end,
        addresses = sym ADDRESSES,
    )
}
