//! A hash map from key bytes to positions: groups by their keys, fields by their names.
//!
//! Invariant: all keys lie in one arena, so a key that is found costs no allocation; the table is
//! open-addressed and at most half full.

use super::compare::common_prefix;

/// The map.
#[derive(Default)]
pub struct KeyMap {
    /// Position plus one, or 0 for a free place.
    table: Vec<u32>,
    entries: Vec<Entry>,
    keys: Vec<u8>,
}

struct Entry {
    hash: u64,
    start: usize,
    end: usize,
    value: usize,
    tag: u8,
}

impl KeyMap {
    /// The value held for a key, or `value` taken in for a new one; and whether it is new.
    pub fn find_or_insert(&mut self, key: &[u8], value: usize) -> (usize, bool) {
        self.find_or_insert_tagged(0, key, value)
    }

    /// The value held for a key of a tag.
    pub fn find_tagged(&self, tag: u8, key: &[u8]) -> Option<usize> {
        let hash = hash(key);
        let mask = self.table.len().checked_sub(1)?;
        let mut place = (hash >> 32) as usize & mask;
        while let Some(position) = self.table[place].checked_sub(1) {
            let entry = &self.entries[position as usize];
            if self.is_at(entry, hash, tag, key) {
                return Some(entry.value);
            }
            place = (place + 1) & mask;
        }
        None
    }

    fn is_at(&self, entry: &Entry, hash: u64, tag: u8, key: &[u8]) -> bool {
        entry.hash == hash
            && entry.tag == tag
            && entry.end - entry.start == key.len()
            && common_prefix(&self.keys[entry.start..entry.end], key) == key.len()
    }

    /// As `find_or_insert`; keys of different tags are different keys.
    pub fn find_or_insert_tagged(&mut self, tag: u8, key: &[u8], value: usize) -> (usize, bool) {
        if (self.entries.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let hash = hash(key);
        let mask = self.table.len() - 1;
        let mut place = (hash >> 32) as usize & mask;
        while let Some(position) = self.table[place].checked_sub(1) {
            let entry = &self.entries[position as usize];
            if self.is_at(entry, hash, tag, key) {
                return (entry.value, false);
            }
            place = (place + 1) & mask;
        }
        let start = self.keys.len();
        self.keys.extend_from_slice(key);
        self.entries.push(Entry {
            hash,
            start,
            end: self.keys.len(),
            value,
            tag,
        });
        self.table[place] = self.entries.len() as u32;
        (value, true)
    }

    /// About how many bytes the map takes.
    pub fn bytes(&self) -> usize {
        self.keys.len() + self.entries.len() * size_of::<Entry>() + self.table.len() * 4
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(64);
        let mut table = vec![0_u32; size];
        for (position, entry) in self.entries.iter().enumerate() {
            let mut place = (entry.hash >> 32) as usize & (size - 1);
            while table[place] != 0 {
                place = (place + 1) & (size - 1);
            }
            table[place] = position as u32 + 1;
        }
        self.table = table;
    }
}

/// Multiplies eight bytes at a time: keys are short and come from one user.
fn hash(key: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = key.len() as u64;
    let mut chunks = key.chunks_exact(8);
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
    }
    let mut word = [0; 8];
    let rest = chunks.remainder();
    word[..rest.len()].copy_from_slice(rest);
    hash = (hash.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
    hash ^ (hash >> 29).wrapping_mul(FACTOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_it_took_in() {
        let mut map = KeyMap::default();
        for round in 0..2 {
            for number in 0..5000_usize {
                let key = format!("key number {number}");
                let (found, new) = map.find_or_insert(key.as_bytes(), number);
                assert_eq!((found, new), (number, round == 0));
                assert_eq!(map.find_tagged(0, key.as_bytes()), Some(number));
                assert_eq!(map.find_tagged(1, key.as_bytes()), None);
            }
        }
    }
}
