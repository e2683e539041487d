//! A map in one sorted vector, for the few entries of a catalog, a free list or a cursor table.
//!
//! A `BTreeMap` compiles to some five kilobytes for each pair of types; this is a search and a shift.
//! Invariant: keys ascend and none is there twice.

use std::borrow::Borrow;

/// The map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortedMap<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        // Appending in order is the common case of all users.
        match self.entries.last() {
            Some((last, _)) if last.borrow() < key => Err(self.entries.len()),
            _ => self
                .entries
                .binary_search_by(|(held, _)| held.borrow().cmp(key)),
        }
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|place| &self.entries[place].1)
    }

    /// The value of a key, to change it.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|place| &mut self.entries[place].1)
    }

    /// The key as it is held.
    pub fn get_key<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&K>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|place| &self.entries[place].0)
    }

    /// Whether the key is there.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Takes a value in. It replaces the one that the key had.
    pub fn insert(&mut self, key: K, value: V) {
        match self.place(&key) {
            Ok(place) => self.entries[place].1 = value,
            Err(place) => {
                note_moved(self.entries.len() - place);
                self.entries.insert(place, (key, value));
            }
        }
    }

    /// Takes a value out.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        note_moved(self.entries.len() - place);
        Some(self.entries.remove(place).1)
    }

    /// The entries from the first key that is not below this one.
    pub fn starting_at<Q: Ord + ?Sized>(&self, key: &Q) -> &[(K, V)]
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).unwrap_or_else(|place| place);
        self.entries.get(place..).unwrap_or_default()
    }

    /// The entry of the greatest key that is not above this one.
    pub fn up_to<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&(K, V)>
    where
        K: Borrow<Q>,
    {
        let end = match self.place(key) {
            Ok(place) => place + 1,
            Err(place) => place,
        };
        self.entries.get(..end).and_then(<[_]>::last)
    }

    /// All entries, ascending.
    pub fn entries(&self) -> &[(K, V)] {
        &self.entries
    }

    /// Keeps the values that pass.
    pub fn retain(&mut self, keep: &mut dyn FnMut(&V) -> bool) {
        note_moved(self.entries.len());
        self.entries.retain(|(_, value)| keep(value));
    }

    /// All values, in the order of their keys.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.entries.clear();
    }
}

#[cfg(test)]
thread_local! {
    /// How many entries the maps of this thread have moved.
    pub(crate) static MOVED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts entries that are moved, for tests of what a user of maps costs.
#[inline(always)]
fn note_moved(_entries: usize) {
    #[cfg(test)]
    MOVED.set(MOVED.get() + _entries);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_keys_in_order_and_once() {
        let mut map = SortedMap::<String, u32>::default();
        for (number, key) in ["m", "c", "x", "c", "a"].into_iter().enumerate() {
            map.insert(key.to_owned(), number as u32);
        }
        let keys: Vec<&str> = map.entries().iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["a", "c", "m", "x"]);
        assert_eq!(map.get("c"), Some(&3));
        assert_eq!(map.get("d"), None);
        assert_eq!(map.remove("c"), Some(3));
        assert_eq!(map.remove("c"), None);
        assert!(!map.contains_key("c") && map.contains_key("x"));
    }

    #[test]
    fn finds_neighbours() {
        let mut map = SortedMap::<u64, ()>::default();
        for key in [10, 20, 30] {
            map.insert(key, ());
        }
        let below = |key: u64| map.up_to(&key).map(|(key, ())| *key);
        assert_eq!([below(9), below(10), below(29)], [None, Some(10), Some(20)]);
        assert_eq!(below(99), Some(30));
        assert_eq!(map.starting_at(&20).len(), 2);
        assert_eq!(map.starting_at(&21).len(), 1);
        assert_eq!(map.starting_at(&31).len(), 0);
    }
}
