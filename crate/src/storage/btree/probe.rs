//! Searching a tree by its values, for one whose values ascend in an order that only the caller knows.

use super::node::Node;
use super::search::{tree_page, value_cow, whole_key};
use super::tree::Tree;
use crate::error::StorageError;
use crate::storage::page::PageLink;
use crate::storage::pager::Pager;
use std::cmp::Ordering;

/// How a value compares with the wanted one.
pub type Probe<'p> = &'p mut dyn FnMut(&[u8]) -> Ordering;

impl Tree {
    /// The last entry whose value is not above the wanted one: its key, and whether it is just that. The values
    /// must ascend with the keys.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    pub fn last_not_above(
        &self,
        pager: &Pager,
        probe: Probe<'_>,
    ) -> Result<Option<(Vec<u8>, bool)>, StorageError> {
        if self.root == 0 {
            return Ok(None);
        }
        let mut number = self.root;
        let mut level = self.height.saturating_sub(1);
        while level > 0 {
            let node = Node(tree_page(pager, number, level)?);
            // The last child whose first value is not above, or the first child.
            let (mut low, mut high) = (0, node.count());
            while low < high {
                let middle = (low + high).div_ceil(2);
                if probe_first(pager, node.child(middle), level - 1, probe)?.is_gt() {
                    high = middle - 1;
                } else {
                    low = middle;
                }
            }
            number = node.child(low);
            level -= 1;
        }
        let leaf = tree_page(pager, number, 0)?;
        let (mut low, mut high) = (0, Node(leaf).count());
        let mut is_equal = false;
        while low < high {
            let middle = (low + high) / 2;
            match probe(&value_cow(pager, leaf, middle)?) {
                Ordering::Greater => high = middle,
                ordering => {
                    is_equal = ordering.is_eq();
                    low = middle + 1;
                }
            }
        }
        let Some(found) = low.checked_sub(1) else {
            return Ok(None);
        };
        Ok(Some((
            whole_key(pager, Node(leaf), found)?.into_owned(),
            is_equal,
        )))
    }
}

/// How the first value below a page compares with the wanted one.
fn probe_first(
    pager: &Pager,
    number: PageLink,
    level: u8,
    probe: Probe<'_>,
) -> Result<Ordering, StorageError> {
    let (mut number, mut level) = (number, level);
    while level > 0 {
        number = Node(tree_page(pager, number, level)?).child(0);
        level -= 1;
    }
    let leaf = tree_page(pager, number, 0)?;
    Ok(probe(&value_cow(pager, leaf, 0)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_place_of_every_value() {
        let mut pager = Pager::new();
        let mut tree = Tree::new();
        let looked_up = |tree: &Tree, pager: &Pager, wanted: u32| {
            let found = tree.last_not_above(pager, &mut |value| {
                let value: [u8; 4] = value.try_into().expect("four bytes");
                u32::from_le_bytes(value).cmp(&wanted)
            });
            found.expect("the pages are sound")
        };
        assert_eq!(looked_up(&tree, &pager, 5), None);
        for number in 0..9000_u32 {
            let (key, value) = ((number * 2).to_be_bytes(), (number * 10).to_le_bytes());
            let added = tree.insert(&mut pager, &key, &value);
            assert_eq!(added, Ok(true));
        }
        assert!(tree.height() > 1);
        for wanted in [0_u32, 1, 9, 10, 11, 4444, 44_440, 89_990, 89_999, 1 << 30] {
            let place = (wanted / 10).min(8999);
            let expected = ((place * 2).to_be_bytes().to_vec(), place * 10 == wanted);
            assert_eq!(looked_up(&tree, &pager, wanted), Some(expected));
        }
    }
}
