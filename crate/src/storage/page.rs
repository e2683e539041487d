//! The bytes of a page: size, header fields, kinds, checksum.
//!
//! Every page is 16 KiB and opens with a header of 48 bytes (`docs/format.md`). All numbers are little-endian.
//! Invariant: a buffer that passed `verify` has the right checksum, number, magic and a known kind.

use crate::error::StorageError;
use std::rc::Rc;

/// Bytes in a page.
pub const PAGE_SIZE: usize = 16 * 1024;
/// The number of a page; 0 means "none". Page 0 is never stored: the header is a record of its own.
pub type PageNumber = u64;
/// How one page names another, and a tree's handle its root: the page's number in the low 32 bits, and in the high ones
/// the low 32 bits of its birth, so that an older page in its place is not taken for it. Without a birth: a link that a
/// build wrote which knew none in links.
pub type PageLink = u64;
/// The bytes of a resident page. Shared: a change needs the only reference, or copies them.
pub type Buffer = Rc<[u8; PAGE_SIZE]>;

/// Bytes of a page header.
pub(crate) const PAGE_HEADER: usize = 48;
/// Bytes of a page after its header.
pub(crate) const PAGE_CAPACITY: usize = PAGE_SIZE - PAGE_HEADER;

const MAGIC: u16 = 0x5051;

pub(crate) const CHECKSUM_AT: usize = 0;
pub(crate) const NUMBER_AT: usize = 8;
pub(crate) const SEQUENCE_AT: usize = 16;
pub(crate) const MAGIC_AT: usize = 24;
pub(crate) const KIND_AT: usize = 26;
pub(crate) const LEVEL_AT: usize = 27;
/// Cells of a tree page, payload bytes of an overflow or free-list page.
pub(crate) const COUNT_AT: usize = 28;
/// The lowest offset that a cell occupies.
pub(crate) const CELLS_AT: usize = 30;
/// Bytes between cells that no slot refers to.
pub(crate) const GARBAGE_AT: usize = 32;
/// Leading bytes that all keys of a tree page share, as far as slots know.
pub(crate) const SHARED_AT: usize = 34;
/// The identity of the page's deployment; 0 in pages of builds that gave none.
pub(crate) const IDENTITY_AT: usize = 36;
/// The leftmost child of a branch, the next page of an overflow or free-list chain.
pub(crate) const LINK_AT: usize = 40;

/// The kinds of pages, by the byte in their head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum PageKind {
    /// Keys and values of a tree.
    Leaf = 1,
    /// Separators and children of a tree.
    Branch = 2,
    /// A part of a long key or a large value.
    Overflow = 3,
    /// A part of the free list.
    FreeList = 4,
}

impl PageKind {
    pub(crate) fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            1 => Self::Leaf,
            2 => Self::Branch,
            3 => Self::Overflow,
            4 => Self::FreeList,
            _ => return None,
        })
    }
}

static ZERO: [u8; PAGE_SIZE] = [0; PAGE_SIZE];

/// A buffer with these bytes; `None` when there are not exactly `PAGE_SIZE` of them.
pub fn buffer_from(bytes: &[u8]) -> Option<Buffer> {
    let shared: Rc<[u8]> = Rc::from(bytes);
    shared.try_into().ok()
}

/// A zeroed buffer. The only reference is the caller's, so `Rc::get_mut` gives its bytes.
pub fn zeroed_buffer() -> Buffer {
    buffer_from(&ZERO).expect("ZERO has the size of a page")
}

/// A zeroed buffer with the header of a page of this kind and level.
pub(crate) fn fresh_buffer(kind: PageKind, level: u8) -> Buffer {
    let mut buffer = zeroed_buffer();
    let bytes = Rc::make_mut(&mut buffer);
    put_u16(bytes, MAGIC_AT, MAGIC);
    bytes[KIND_AT] = kind as u8;
    bytes[LEVEL_AT] = level;
    put_u16(bytes, CELLS_AT, PAGE_SIZE as u16);
    buffer
}

#[inline]
pub(crate) fn get_u16(bytes: &[u8], at: usize) -> u16 {
    match bytes.get(at..).and_then(<[u8]>::first_chunk) {
        Some(two) => u16::from_le_bytes(*two),
        None => 0,
    }
}

#[inline]
pub(crate) fn get_u64(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(<[u8]>::first_chunk) {
        Some(eight) => u64::from_le_bytes(*eight),
        None => 0,
    }
}

#[inline]
pub(crate) fn get_u32(bytes: &[u8], at: usize) -> u32 {
    match bytes.get(at..).and_then(<[u8]>::first_chunk) {
        Some(four) => u32::from_le_bytes(*four),
        None => 0,
    }
}

#[inline]
pub(crate) fn put_u16(bytes: &mut [u8], at: usize, value: u16) {
    debug_assert!(at + 2 <= bytes.len(), "a place in the page");
    if let Some(place) = bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *place = value.to_le_bytes();
    }
}

#[inline]
pub(crate) fn put_u32(bytes: &mut [u8], at: usize, value: u32) {
    debug_assert!(at + 4 <= bytes.len(), "a place in the page");
    if let Some(place) = bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *place = value.to_le_bytes();
    }
}

#[inline]
pub(crate) fn put_u64(bytes: &mut [u8], at: usize, value: u64) {
    debug_assert!(at + 8 <= bytes.len(), "a place in the page");
    if let Some(place) = bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *place = value.to_le_bytes();
    }
}

/// The kind of a page whose header was verified.
#[inline]
pub(crate) fn kind_of(bytes: &[u8; PAGE_SIZE]) -> Option<PageKind> {
    PageKind::from_byte(bytes[KIND_AT])
}

/// The birth of a page: the commit sequence that it carries from its making on.
pub fn sequence_of(bytes: &[u8; PAGE_SIZE]) -> u64 {
    get_u64(bytes, SEQUENCE_AT)
}

/// The number of the page that a link names.
#[inline(always)]
pub const fn number_of(link: PageLink) -> PageNumber {
    link & 0xFFFF_FFFF
}

/// The link to a page of this number and birth.
pub(crate) const fn link_to(number: PageNumber, birth: u64) -> PageLink {
    number | birth << 32
}

/// Whether a page is the one that a link means, and no older or newer one of its number.
#[inline(always)]
pub(crate) fn is_meant(bytes: &[u8; PAGE_SIZE], link: PageLink) -> bool {
    let birth = (link >> 32) as u32;
    birth == 0 || birth == get_u32(bytes, SEQUENCE_AT)
}

/// The fault of a page that is not the one that a link means.
#[cold]
pub(crate) fn not_meant(bytes: &[u8; PAGE_SIZE], link: PageLink) -> StorageError {
    let (found, meant) = (get_u32(bytes, SEQUENCE_AT), link >> 32);
    StorageError::corrupt(
        number_of(link),
        format!("it is of commit {found}, and the page of commit {meant} belongs here"),
    )
}

/// The identity of the deployment that a page belongs to; 0 for none.
pub(crate) fn identity_of(bytes: &[u8; PAGE_SIZE]) -> u32 {
    get_u32(bytes, IDENTITY_AT)
}

/// Four independent lanes over 64-bit words: each step is a bijection of its word, so that no change of a single
/// word goes unseen, and the lanes keep the multiplier busy without SIMD.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut lanes: [u64; 4] = [
        0x243F_6A88_85A3_08D3,
        0x1319_8A2E_0370_7344,
        0xA409_3822_299F_31D0,
        0x082E_FA98_EC4E_6C89,
    ];
    let step = |lane: u64, word: u64| (lane.rotate_left(29) ^ word).wrapping_mul(MULTIPLIER);
    let mut blocks = bytes.chunks_exact(32);
    for block in &mut blocks {
        lanes[0] = step(lanes[0], get_u64(block, 0));
        lanes[1] = step(lanes[1], get_u64(block, 8));
        lanes[2] = step(lanes[2], get_u64(block, 16));
        lanes[3] = step(lanes[3], get_u64(block, 24));
    }
    for (index, rest) in blocks.remainder().chunks(8).enumerate() {
        let mut word = [0; 8];
        word[..rest.len()].copy_from_slice(rest);
        lanes[index] = step(lanes[index], u64::from_le_bytes(word));
    }
    let mut hash = bytes.len() as u64;
    for lane in lanes {
        hash = step(hash, lane ^ (lane >> 32));
    }
    hash ^ (hash >> 29)
}

/// Writes number, deployment and checksum: the page is ready for a device.
pub(crate) fn seal(bytes: &mut [u8; PAGE_SIZE], number: PageNumber, identity: u32) {
    put_u64(bytes, NUMBER_AT, number);
    put_u32(bytes, IDENTITY_AT, identity);
    let sum = checksum(&bytes[NUMBER_AT..]);
    put_u64(bytes, CHECKSUM_AT, sum);
}

/// The checksum that a sealed page carries.
pub(crate) fn checksum_of(bytes: &[u8; PAGE_SIZE]) -> u64 {
    get_u64(bytes, CHECKSUM_AT)
}

/// Checks checksum, number, magic and kind of a sealed page.
///
/// # Errors
/// `Corrupt` with the page's number and the reason.
pub fn verify(bytes: &[u8; PAGE_SIZE], number: PageNumber) -> Result<PageKind, StorageError> {
    let reason = if get_u16(bytes, MAGIC_AT) != MAGIC {
        "not a page".to_owned()
    } else if checksum(&bytes[NUMBER_AT..]) != get_u64(bytes, CHECKSUM_AT) {
        "checksum mismatch".to_owned()
    } else if get_u64(bytes, NUMBER_AT) != number {
        format!("it carries the number {}", get_u64(bytes, NUMBER_AT))
    } else {
        match kind_of(bytes) {
            Some(kind) => return Ok(kind),
            None => "unknown page kind".to_owned(),
        }
    };
    Err(StorageError::corrupt(number, reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::StorageFault;

    #[test]
    fn every_changed_bit_is_seen() {
        let mut buffer = fresh_buffer(PageKind::Leaf, 0);
        let bytes = Rc::make_mut(&mut buffer);
        for (index, byte) in bytes[PAGE_HEADER..].iter_mut().enumerate() {
            *byte = (index * 31 % 251) as u8;
        }
        put_u64(bytes, SEQUENCE_AT, 3);
        seal(bytes, 7, 55);
        assert_eq!(verify(bytes, 7), Ok(PageKind::Leaf));
        for at in (0..PAGE_SIZE).step_by(61) {
            bytes[at] ^= 0x10;
            assert!(verify(bytes, 7).is_err(), "byte {at}");
            bytes[at] ^= 0x10;
        }
        assert!(matches!(
            verify(bytes, 8).map_err(StorageError::into_fault),
            Err(StorageFault::Corrupt { page: 8, .. })
        ));
        assert_eq!((sequence_of(bytes), identity_of(bytes)), (3, 55));
    }

    #[test]
    fn links_name_a_page_of_one_birth() {
        let mut buffer = fresh_buffer(PageKind::Leaf, 0);
        let bytes = Rc::make_mut(&mut buffer);
        for birth in [3, 1 << 32 | 3, u64::from(u32::MAX)] {
            put_u64(bytes, SEQUENCE_AT, birth);
            let link = link_to(7, birth);
            assert_eq!(number_of(link), 7);
            assert!(is_meant(bytes, link) && is_meant(bytes, 7), "{birth}");
            assert!(!is_meant(bytes, link_to(7, 2)) && !is_meant(bytes, link_to(7, 4)));
        }
    }

    #[test]
    fn length_and_order_count() {
        assert_ne!(checksum(b""), checksum(&[0]));
        assert_ne!(checksum(&[0; 8]), checksum(&[0; 16]));
        let mut words = [0u8; 64];
        words[0] = 1;
        let one = checksum(&words);
        words[0] = 0;
        words[32] = 1;
        assert_ne!(one, checksum(&words));
    }

    #[test]
    fn buffers_have_exactly_one_page() {
        assert!(buffer_from(&[0; 5]).is_none());
        assert_eq!(zeroed_buffer().len(), PAGE_SIZE);
    }
}
