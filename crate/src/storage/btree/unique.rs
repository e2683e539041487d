//! Inserting into a tree whose keys may not share a prefix: uniqueness in one descent.
//!
//! Keys are a prefix and a suffix that rises from insert to insert, so an entry with the same prefix is right
//! before the place of the new one.

use super::node::Node;
use super::search::{tree_page, whole_key};
use super::tree::Tree;
use crate::error::StorageError;
use crate::storage::pager::Pager;
use std::ops::Bound;

impl Tree {
    /// Adds an entry unless the entry before it has the same length and the same first `prefix` bytes, or the key
    /// is there already; false (and no entry changed) then. The suffix must be above that of every entry with
    /// this prefix.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, `OutOfSpace`; roll back then.
    pub fn insert_unless_prefix(
        &mut self,
        pager: &mut Pager,
        key: &[u8],
        prefix: usize,
        value: &[u8],
    ) -> Result<bool, StorageError> {
        if self.root == 0 {
            return self.insert(pager, key, value);
        }
        let (path, found) = self.descend(pager, key)?;
        if found {
            return Ok(false);
        }
        let (leaf, index) = path.steps[path.depth - 1];
        let clashes =
            |other: &[u8]| other.len() == key.len() && other.get(..prefix) == key.get(..prefix);
        let taken = match usize::from(index).checked_sub(1) {
            Some(before) => {
                let node = Node(tree_page(pager, leaf, 0)?);
                match node.key_inline(before) {
                    (inline, true) => clashes(inline),
                    (_, false) => clashes(&whole_key(pager, node, before)?),
                }
            }
            // The entry before, if there is one, lies in another leaf.
            None => {
                let mut cursor = self.cursor();
                cursor.seek_back(pager, Bound::Excluded(key))? && clashes(cursor.key())
            }
        };
        if taken {
            return Ok(false);
        }
        self.write_at(pager, &path, false, key, value)?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_clash_in_the_leaf_and_before_it() {
        let mut pager = Pager::new();
        let mut tree = Tree::new();
        let key = |prefix: u32, suffix: u32| {
            let mut key = b"some shared bytes of every key".to_vec();
            key.extend_from_slice(&prefix.to_be_bytes());
            key.extend_from_slice(&suffix.to_be_bytes());
            key
        };
        let prefix = key(0, 0).len() - 4;
        for n in 0..20_000_u32 {
            let spread = n.wrapping_mul(2_654_435_761) >> 8;
            assert_eq!(
                tree.insert_unless_prefix(&mut pager, &key(spread, n), prefix, &[]),
                Ok(true)
            );
        }
        let before = tree;
        for n in 0..20_000_u32 {
            let spread = n.wrapping_mul(2_654_435_761) >> 8;
            assert_eq!(
                tree.insert_unless_prefix(&mut pager, &key(spread, 50_000), prefix, &[]),
                Ok(false)
            );
        }
        assert_eq!(tree.len(), before.len());
        let long = |suffix: u8| {
            let mut key = vec![7; 5000];
            key.push(suffix);
            key
        };
        assert_eq!(
            tree.insert_unless_prefix(&mut pager, &long(1), 5000, &[]),
            Ok(true)
        );
        assert_eq!(
            tree.insert_unless_prefix(&mut pager, &long(2), 5000, &[]),
            Ok(false)
        );
    }
}
