//! Bytes of a value, without copying when they lie in one page.

use crate::storage::page::{Buffer, PAGE_HEADER};
use std::ops::Deref;
use std::rc::Rc;

/// The bytes of a value. They stay as they were read when the tree changes: the page is shared, and a writer that finds
/// it shared copies it. So drop it before writing to the same place, or pay a page copy.
#[derive(Debug, Clone)]
pub struct PageBytes(Inner);

#[derive(Debug, Clone)]
enum Inner {
    Page { page: Buffer, start: u16, end: u16 },
    Owned(Rc<[u8]>),
}

impl PageBytes {
    #[inline]
    pub(crate) fn in_page(page: &Buffer, start: usize, end: usize) -> Self {
        Self(Inner::Page {
            page: Rc::clone(page),
            start: start as u16,
            end: end as u16,
        })
    }

    /// The payload of an overflow page.
    pub(crate) fn payload(page: &Buffer, length: usize) -> Self {
        Self::in_page(page, PAGE_HEADER, PAGE_HEADER + length)
    }

    pub(crate) fn owned(bytes: Vec<u8>) -> Self {
        Self(Inner::Owned(Rc::from(bytes)))
    }
}

impl Deref for PageBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.0 {
            Inner::Page { page, start, end } => &page[usize::from(*start)..usize::from(*end)],
            Inner::Owned(bytes) => bytes,
        }
    }
}

impl AsRef<[u8]> for PageBytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}
