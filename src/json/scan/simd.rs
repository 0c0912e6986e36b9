//! Sixteen bytes at a time, where WebAssembly has vectors. Measured alone in Node 20, both cores interleaved in one process, it
//! makes a verdict 5 % faster on a record of 5 KB, 7 % on 100 KB, 9 % outside Latin-1 and 1.5 times as fast on long strings, for 300
//! bytes of gzip.
#![allow(unsafe_code)] // An unaligned load is the one operation without a safe form.

use std::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_splat, v128, v128_load, v128_or};

/// A bit for each byte that stops a plain stretch of a string.
#[inline(always)]
pub(super) fn stop_bits(chunk: &[u8; 16]) -> u16 {
    let bytes = load(chunk);
    // The mask is of the highest bits, and those are set in bytes outside ASCII.
    u8x16_bitmask(v128_or(bytes, ends(bytes)))
}

/// A bit for each byte that ends a stretch of a string without escapes: a quote, a backslash or a control character.
#[inline(always)]
pub(super) fn end_bits(chunk: &[u8; 16]) -> u16 {
    u8x16_bitmask(ends(load(chunk)))
}

#[inline(always)]
fn load(chunk: &[u8; 16]) -> v128 {
    // SAFETY: the reference is to sixteen readable bytes, and the load asks for no alignment.
    unsafe { v128_load(chunk.as_ptr().cast()) }
}

#[inline(always)]
fn ends(bytes: v128) -> v128 {
    let quote = u8x16_eq(bytes, u8x16_splat(b'"'));
    let backslash = u8x16_eq(bytes, u8x16_splat(b'\\'));
    let control = u8x16_lt(bytes, u8x16_splat(0x20));
    v128_or(v128_or(quote, backslash), control)
}
