//! The toolhost plugin ABI, version 1, as in toolhost/plugin.h.
//!
//! Texts are UTF-8 and borrowed: those of the host are valid until tool_invoke returns, and the host
//! copies those that it receives. `log`, `emit` and `cancelled` may be called from any thread during
//! the call, everything else only from the thread that tool_invoke runs on.
#![allow(dead_code)]

use std::os::raw::{c_char, c_void};

/// Exports a function under its own name: `entry_point! { pub extern "C" fn tool_spec() ... }`.
///
/// The attribute is `#[unsafe(no_mangle)]` in edition 2024, which compilers before 1.82 cannot parse.
/// The editions are distinguished by `_`, which is an expression only since 2024.
macro_rules! entry_point {
    ($($item:tt)*) => { entry_point_of! { _; $($item)* } };
}
macro_rules! entry_point_of {
    ($edition_2024:expr; $item:item) => { #[unsafe(no_mangle)] $item };
    (_; $item:item) => { #[no_mangle] $item };
}

pub const ABI_MAJOR: u16 = 1;
pub const ABI_MINOR: u16 = 1;

pub const OK: i32 = 0;
pub const FAILED: i32 = 1;
pub const BAD_INPUT: i32 = 2;
pub const CANCELLED: i32 = 3;
pub const INTERRUPTED: i32 = 4;
pub const DENIED: i32 = 5;
pub const UNSUPPORTED: i32 = 6;

pub const SERIAL: u32 = 0;
pub const CONCURRENT: u32 = 1;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Str {
    pub data: *const c_char,
    pub size: usize,
}

impl Str {
    pub const fn new(text: &str) -> Str {
        Str { data: text.as_ptr() as *const c_char, size: text.len() }
    }

    /// # Safety
    /// The text must outlive the result: the host's texts are valid until tool_invoke returns.
    pub unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.data.is_null() {
            return &[];
        }
        unsafe { std::slice::from_raw_parts(self.data as *const u8, self.size) }
    }
}

/// One invocation; opaque.
#[repr(C)]
pub struct Call {
    _opaque: [u8; 0],
}

#[repr(C)]
pub struct SpecInfo {
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub flags: u32,
    pub reserved: u32,
    pub json: Str,
}

/// A spec points to constant text only, so any thread may read it.
unsafe impl Sync for SpecInfo {}

#[repr(C)]
pub struct Request {
    pub struct_size: u32,
    pub attempt: u32,
    pub tool: Str,
    pub use_id: Str,
    pub input: Str,
    pub policy: Str,
    pub state: Str,
    pub budget_ms: i64,
    /// Since 1.1: read these only if struct_size includes them.
    pub version: Str,
    pub caller: Str,
}

#[repr(C)]
pub struct Host {
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub reply: unsafe extern "C" fn(*mut Call, *const Str) -> i32,
    pub fail: unsafe extern "C" fn(*mut Call, *const Str, *const Str) -> i32,
    pub deny: unsafe extern "C" fn(*mut Call, *const Str, *const Str) -> i32,
    pub emit: unsafe extern "C" fn(*mut Call, *const Str, *const Str) -> i32,
    pub cancelled: unsafe extern "C" fn(*mut Call) -> i32,
    pub log: unsafe extern "C" fn(*mut Call, i32, *const Str),
    pub call_tool: unsafe extern "C" fn(*mut Call, *const Str, *const Str, *mut Str) -> i32,
    pub interrupt: unsafe extern "C" fn(*mut Call, *const Str, *const Str, *mut Str) -> i32,
    pub extension: unsafe extern "C" fn(*const Host, *const c_char) -> *const c_void,
}
