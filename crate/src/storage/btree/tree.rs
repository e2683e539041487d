//! The handle of a tree: its root and counters, and their 48 bytes in the catalog.
//!
//! A handle is a `Copy` value: a copy taken together with a snapshot keeps reading that moment. After a write that
//! returned an error the handle and the pages must be rolled back to the savepoint before it.

use crate::error::StorageError;
use crate::storage::page::{self, PageLink};

/// A tree: ordered byte-string keys with a byte-string value each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tree {
    /// The link to the root page; 0 for a tree that never had a page.
    pub(crate) root: PageLink,
    pub(crate) entries: u64,
    pub(crate) key_bytes: u64,
    pub(crate) value_bytes: u64,
    pub(crate) leaf_pages: u32,
    pub(crate) branch_pages: u32,
    pub(crate) overflow_pages: u32,
    /// Levels of pages: 0 without a page, 1 a single leaf, which may be empty.
    pub(crate) height: u8,
}

/// More levels than any tree can have: a full branch has at least fifteen children.
pub(crate) const MAX_HEIGHT: usize = 12;

impl Tree {
    /// Bytes of an encoded handle.
    pub const ENCODED_LENGTH: usize = 48;

    /// An empty tree without a page; its first entry brings one, or `plant`.
    pub const fn new() -> Self {
        Self {
            root: 0,
            entries: 0,
            key_bytes: 0,
            value_bytes: 0,
            leaf_pages: 0,
            branch_pages: 0,
            overflow_pages: 0,
            height: 0,
        }
    }

    /// Number of entries.
    pub const fn len(&self) -> u64 {
        self.entries
    }

    /// Whether there is no entry.
    pub const fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// Sum of the keys' lengths.
    pub const fn key_bytes(&self) -> u64 {
        self.key_bytes
    }

    /// Sum of the values' lengths.
    pub const fn value_bytes(&self) -> u64 {
        self.value_bytes
    }

    /// Levels of pages: 0 without a page, 1 for a single leaf.
    pub const fn height(&self) -> u8 {
        self.height
    }

    /// Leaf pages.
    pub const fn leaf_pages(&self) -> u64 {
        self.leaf_pages as u64
    }

    /// Branch pages.
    pub const fn branch_pages(&self) -> u64 {
        self.branch_pages as u64
    }

    /// Overflow pages of values and long keys.
    pub const fn overflow_pages(&self) -> u64 {
        self.overflow_pages as u64
    }

    /// All pages: times `PAGE_SIZE` this is the tree's size on disk.
    pub const fn page_count(&self) -> u64 {
        self.leaf_pages() + self.branch_pages() + self.overflow_pages()
    }

    /// The handle's bytes, for the catalog.
    pub fn encode(&self) -> [u8; Self::ENCODED_LENGTH] {
        let mut bytes = [0; Self::ENCODED_LENGTH];
        page::put_u64(&mut bytes, 0, self.root);
        page::put_u64(&mut bytes, 8, self.entries);
        page::put_u64(&mut bytes, 16, self.key_bytes);
        page::put_u64(&mut bytes, 24, self.value_bytes);
        page::put_u32(&mut bytes, 32, self.leaf_pages);
        page::put_u32(&mut bytes, 36, self.branch_pages);
        page::put_u32(&mut bytes, 40, self.overflow_pages);
        bytes[44] = self.height;
        bytes
    }

    /// The handle from bytes that `encode` wrote.
    ///
    /// # Errors
    /// `Corrupt` when these are not a handle's bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, StorageError> {
        let tree = Self {
            root: page::get_u64(bytes, 0),
            entries: page::get_u64(bytes, 8),
            key_bytes: page::get_u64(bytes, 16),
            value_bytes: page::get_u64(bytes, 24),
            leaf_pages: page::get_u32(bytes, 32),
            branch_pages: page::get_u32(bytes, 36),
            overflow_pages: page::get_u32(bytes, 40),
            height: bytes.get(44).copied().unwrap_or(0),
        };
        let sound = bytes.len() == Self::ENCODED_LENGTH
            && usize::from(tree.height) <= MAX_HEIGHT
            && (tree.root == 0) == (tree.height == 0)
            && (tree.entries > 0 || tree.height <= 1)
            && (tree.entries == 0 || tree.root != 0);
        if sound {
            Ok(tree)
        } else {
            Err(StorageError::corrupt(0, "not a tree handle"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_round_trip() {
        let tree = Tree {
            root: 5,
            entries: 7,
            height: 2,
            leaf_pages: 3,
            ..Tree::new()
        };
        assert_eq!(Tree::decode(&tree.encode()), Ok(tree));
        assert_eq!(Tree::decode(&Tree::new().encode()), Ok(Tree::new()));
        let planted = Tree {
            root: 5,
            height: 1,
            leaf_pages: 1,
            ..Tree::new()
        };
        assert_eq!(Tree::decode(&planted.encode()), Ok(planted));
        for wrong in [
            Tree {
                height: 2,
                ..planted
            },
            Tree { root: 0, ..planted },
            Tree { root: 0, ..tree },
            Tree {
                entries: 1,
                ..Tree::new()
            },
        ] {
            assert!(Tree::decode(&wrong.encode()).is_err(), "{wrong:?}");
        }
        assert!(Tree::decode(&[]).is_err());
        assert!(Tree::decode(&[0xFF; Tree::ENCODED_LENGTH]).is_err());
    }
}
