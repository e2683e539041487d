//! Looking for many keys that come about in their order.
//!
//! Most keys lead to a leaf near the one before. And some keys at a time are looked for together, step by step: while
//! one waits until memory gives a page's head, its slots or a cell, the others are looked at. Invariant: a remembered
//! or guessed place is only tried. A leaf is taken without a descent from the root where the heads of two separators in
//! the page above it say that the key lies between them.

use super::node::{Node, head_of};
use super::search::{check_level, child_index, lower_bound, tree_page, value_cow};
use super::tree::Tree;
use crate::error::StorageError;
use crate::storage::accounting::bump;
use crate::storage::compare::{agrees, common_prefix};
use crate::storage::page::{Buffer, PageLink};
use crate::storage::pager::Pager;
use std::cmp::Ordering;
use std::rc::Rc;

/// Keys that are looked for together.
const TOGETHER: usize = 32;
/// Separators that are tried before the descent begins at the root.
const STEPS: usize = 4;

/// Sees the value of one of many keys, with the key's position.
pub type EachFound<'f, E> = dyn FnMut(usize, &[u8]) -> Result<(), E> + 'f;

/// Sees the answer of `Tree::near` for one of many keys, with the key's position.
pub type EachNear<'f, E> = dyn FnMut(usize, Option<&[u8]>) -> Result<(), E> + 'f;

/// Gives the key of a position.
pub type KeyOf<'k> = dyn Fn(usize) -> &'k [u8] + 'k;

/// Sees the leaf that may hold a key, the cell where it may be, the key and its position.
trait Look<E>: FnMut(&Buffer, usize, &[u8], usize) -> Result<(), E> {}
impl<E, F: FnMut(&Buffer, usize, &[u8], usize) -> Result<(), E>> Look<E> for F {}

/// Descents for one key after the other.
struct Descent<'p> {
    pager: &'p Pager,
    tree: Tree,
    /// The page above the last leaf, and its fields that are asked for each key.
    branch: Option<Branch<'p>>,
    child: usize,
}

/// A page of separators.
#[derive(Clone, Copy)]
struct Branch<'p> {
    node: Node<'p>,
    count: usize,
    /// How many leading bytes all separators share, and one separator.
    shared: usize,
    start: &'p [u8],
}

impl<'p> Branch<'p> {
    fn of(node: Node<'p>) -> Self {
        let (count, shared) = (node.count(), node.shared());
        let start = match count {
            0 => &[],
            _ => node.key_inline(0).0,
        };
        Self {
            node,
            count,
            shared,
            start,
        }
    }
}

impl<'p> Descent<'p> {
    /// The page of the leaf that may hold `key`, which is not looked at yet. The tree must not be empty.
    #[inline]
    fn leaf(&mut self, key: &[u8]) -> Result<(PageLink, &'p Buffer), StorageError> {
        if let Some(branch) = self.branch
            && let Some(child) = self.near(branch, key)
        {
            self.child = child;
            let number = branch.node.child(child);
            return Ok((number, self.pager.page(number)?));
        }
        self.descend(key)
    }

    /// The child of the last branch that the key is in, where heads can tell.
    #[inline]
    fn near(&self, branch: Branch<'p>, key: &[u8]) -> Option<usize> {
        let Branch {
            node,
            count,
            shared,
            start,
        } = branch;
        // Heads are the bytes behind the prefix that all separators share. Without that prefix a key's head says
        // nothing.
        if !agrees(start, key, shared) {
            return None;
        }
        let head = head_of(key, shared);
        let mut child = self.child;
        for _ in 0..STEPS {
            // Outermost children hold keys of other branches' neighbours.
            if child == 0 || child >= count {
                return None;
            }
            let (low, high) = (node.head(child - 1), node.head(child));
            if head < low {
                child -= 1;
            } else if head > high {
                child += 1;
            } else {
                // Equal heads say nothing.
                return (head != low && head != high).then_some(child);
            }
        }
        None
    }

    #[inline(never)]
    fn descend(&mut self, key: &[u8]) -> Result<(PageLink, &'p Buffer), StorageError> {
        let mut number = self.tree.root;
        let mut level = self.tree.height.saturating_sub(1);
        while level > 0 {
            let branch = tree_page(self.pager, number, level)?;
            let child = child_index(self.pager, Node(branch), key)?;
            number = Node(branch).child(child);
            level -= 1;
            (self.branch, self.child) = (Some(Branch::of(Node(branch))), child);
        }
        Ok((number, self.pager.page(number)?))
    }
}

/// How a key's cell is found in its leaf, and how many lines of the leaf's start and then of the cell are asked for.
#[derive(Clone, Copy)]
struct Aim {
    guess: fn(Node<'_>, &[u8]) -> usize,
    start: usize,
    lines: usize,
}

/// For a key's value: most documents are about so long.
const VALUE: Aim = Aim {
    guess: dense_by_head,
    start: 4,
    lines: 8,
};

/// For a key: a page of keys has many, and several of those that are looked for.
const KEY: Aim = Aim {
    guess: first_by_head,
    start: 32,
    lines: 1,
};

/// The state of some keys on their way down.
struct Block<'p, 'k> {
    keys: [&'k [u8]; TOGETHER],
    leaves: [(PageLink, &'p Buffer); TOGETHER],
    /// Where in its leaf each key may be.
    slots: [usize; TOGETHER],
}

impl<'p, 'k> Block<'p, 'k> {
    /// Leads the first so many keys to their leaves and asks for the cells where they may be.
    fn descend(
        &mut self,
        descent: &mut Descent<'p>,
        count: usize,
        aim: Aim,
    ) -> Result<(), StorageError> {
        let keys = self.keys.iter().take(count);
        for (key, place) in keys.zip(&mut self.leaves) {
            *place = descent.leaf(key)?;
        }
        // Loops that do little but ask have the more on its way at once.
        let mut before = std::ptr::null();
        for (_, leaf) in self.leaves.iter().take(count) {
            if !std::ptr::eq(before, Rc::as_ptr(leaf)) {
                Node(leaf).touch_start(aim.start);
            }
            before = Rc::as_ptr(leaf);
        }
        let places = self.leaves.iter().zip(&mut self.slots);
        for (key, ((number, leaf), slot)) in self.keys.iter().take(count).zip(places) {
            check_level(leaf, *number, 0)?;
            *slot = (aim.guess)(Node(leaf), key);
        }
        for ((_, leaf), slot) in self.leaves.iter().take(count).zip(&self.slots) {
            Node(leaf).touch(*slot, Node(leaf).count(), aim.lines);
        }
        Ok(())
    }
}

/// The first cell whose head is not below a key's.
fn first_by_head(node: Node<'_>, key: &[u8]) -> usize {
    let head = head_of(key, node.shared());
    let (mut low, mut left) = (0, node.count());
    // Without branches, which nobody could foresee.
    while left > 0 {
        let half = left.div_ceil(2);
        low += half * usize::from(node.head(low + half - 1) < head);
        left -= half;
    }
    low
}

/// A cell of the key's head, looked for first where it is when keys are numbers that follow one another.
fn dense_by_head(node: Node<'_>, key: &[u8]) -> usize {
    let head = head_of(key, node.shared());
    let guess = head.wrapping_sub(node.head(0)) as usize;
    match guess < node.count() && node.head(guess) == head {
        true => guess,
        false => first_by_head(node, key),
    }
}

/// The cell's key, and how it compares with `key`. `None` where the cell's key goes on in overflow pages, or where
/// `key` lacks the prefix that all keys of the page share.
#[inline]
fn compare_at<'p>(node: Node<'p>, slot: usize, key: &[u8]) -> Option<(&'p [u8], Ordering)> {
    if slot >= node.count() {
        return None;
    }
    let (found, whole) = node.key_inline(slot);
    let agreed = common_prefix(found, key);
    let ordering = match (found.get(agreed), key.get(agreed)) {
        (Some(one), Some(other)) => one.cmp(other),
        (one, other) => one.is_some().cmp(&other.is_some()),
    };
    (whole && agreed >= node.shared()).then_some((found, ordering))
}

impl Tree {
    /// Calls `found` with the position of each of so many keys that is there, and its value.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, and those of `found`.
    pub fn get_each<E: From<StorageError>>(
        &self,
        pager: &Pager,
        count: usize,
        key: &KeyOf<'_>,
        found: &mut EachFound<'_, E>,
    ) -> Result<(), E> {
        self.each(pager, count, key, VALUE, |leaf, slot, key, position| {
            let node = Node(leaf);
            let slot = match compare_at(node, slot, key) {
                Some((_, Ordering::Equal)) => slot,
                _ => match lower_bound(pager, node, key)? {
                    (slot, true) => slot,
                    _ => return Ok(()),
                },
            };
            let value = value_cow(pager, leaf, slot)?;
            bump(&pager.accounting().bytes_read, value.len() as u64);
            found(position, &value)
        })
    }

    /// Calls `found` with the answer of `near` for each of `count` keys.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, and those of `found`.
    pub fn near_each<E: From<StorageError>>(
        &self,
        pager: &Pager,
        count: usize,
        key: &KeyOf<'_>,
        found: &mut EachNear<'_, E>,
    ) -> Result<(), E> {
        self.each(pager, count, key, KEY, |leaf, slot, key, position| {
            let node = Node(leaf);
            match compare_at(node, slot, key) {
                Some((near, Ordering::Equal | Ordering::Greater)) => found(position, Some(near)),
                _ => {
                    let (slot, _) = lower_bound(pager, node, key)?;
                    found(position, near_in(leaf, slot))
                }
            }
        })
    }

    /// Hands out the leaf that may hold each key, and the cell where it may be. Nothing in an empty tree.
    #[inline(always)]
    fn each<E: From<StorageError>>(
        &self,
        pager: &Pager,
        count: usize,
        key: &KeyOf<'_>,
        aim: Aim,
        mut look: impl Look<E>,
    ) -> Result<(), E> {
        if self.root == 0 || count == 0 {
            return Ok(());
        }
        let mut descent = Descent {
            pager,
            tree: *self,
            branch: None,
            child: 0,
        };
        let first = key(0);
        let mut block = Block {
            keys: [first; TOGETHER],
            leaves: [descent.leaf(first)?; TOGETHER],
            slots: [0; TOGETHER],
        };
        for start in (0..count).step_by(TOGETHER) {
            let together = TOGETHER.min(count - start);
            for (at, place) in block.keys.iter_mut().enumerate().take(together) {
                *place = key(start + at);
            }
            block.descend(&mut descent, together, aim)?;
            for at in 0..together {
                look(
                    block.leaves[at].1,
                    block.slots[at],
                    block.keys[at],
                    start + at,
                )?;
            }
        }
        Ok(())
    }
}

/// The key of a leaf's cell when there is such a cell and it lies wholly in the page.
pub(super) fn near_in(leaf: &Buffer, index: usize) -> Option<&[u8]> {
    if index >= Node(leaf).count() {
        return None;
    }
    let (start, end) = Node(leaf).key_range(index)?;
    leaf.get(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;

    #[test]
    fn leads_where_a_search_from_the_root_does() {
        let mut random = Random::new(11);
        for kind in 0..4 {
            let mut pager = Pager::new();
            let mut tree = Tree::new();
            // Numbers that follow one another, numbers far apart, texts that share much, keys beside their own
            // prefixes.
            let key = |number: u64| match kind {
                0 => number.to_be_bytes().to_vec(),
                1 => number
                    .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                    .to_be_bytes()
                    .to_vec(),
                2 => format!("a long beginning {}", number % 700 * 13).into_bytes(),
                _ => vec![7; (number % 1500) as usize],
            };
            for number in 0..4000 {
                let added = tree.insert(&mut pager, &key(number * 2), &[3; 40]);
                assert!(added.is_ok());
            }
            assert!(tree.height() > 1);
            let mut wanted: Vec<Vec<u8>> =
                (0..3000).map(|_| key(random.next_u64() % 9000)).collect();
            wanted.sort();
            // In order but for some.
            for _ in 0..300 {
                let [one, other] = [0; 2].map(|_| (random.next_u64() % 3000) as usize);
                wanted.swap(one, other);
            }
            let mut seen = 0;
            let near = &mut |position: usize, found: Option<&[u8]>| {
                assert_eq!(position, seen);
                seen += 1;
                let key = &wanted[position];
                assert_eq!(found, tree.near(&pager, key).expect("sound"), "{key:?}");
                Ok::<_, StorageError>(())
            };
            let key = &|position: usize| wanted[position].as_slice();
            let done = tree.near_each(&pager, wanted.len(), key, near);
            assert_eq!((done, seen), (Ok(()), wanted.len()));
            let mut there: Vec<usize> = Vec::new();
            let found = &mut |position: usize, value: &[u8]| {
                assert_eq!(value, [3; 40]);
                there.push(position);
                Ok::<_, StorageError>(())
            };
            assert_eq!(tree.get_each(&pager, wanted.len(), key, found), Ok(()));
            let expected: Vec<usize> = (0..wanted.len())
                .filter(|at| tree.contains(&pager, &wanted[*at]).expect("sound"))
                .collect();
            assert_eq!(there, expected);
        }
    }
}
