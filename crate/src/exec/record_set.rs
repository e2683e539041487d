//! The set of records a scan has met already.
//!
//! Invariant: the table is open-addressed and at most half full; a free place holds 0, and a place
//! that is taken the id plus one.

use crate::catalog::RecordId;

/// The set.
#[derive(Default)]
pub struct RecordSet {
    places: Vec<u64>,
    len: usize,
}

impl RecordSet {
    /// Takes a record in; false when it was there.
    pub fn insert(&mut self, record: RecordId) -> bool {
        if self.len * 2 >= self.places.len() {
            self.grow();
        }
        let taken = record.0.wrapping_add(1);
        let place = find(&self.places, taken);
        if self.places[place] == taken {
            return false;
        }
        self.places[place] = taken;
        self.len += 1;
        true
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let mut places = vec![0; (self.places.len() * 2).max(64)];
        for taken in &self.places {
            if *taken != 0 {
                let place = find(&places, *taken);
                places[place] = *taken;
            }
        }
        self.places = places;
    }
}

/// Where a record is or would go. The length is a power of two.
fn find(places: &[u64], taken: u64) -> usize {
    let mask = places.len() - 1;
    // Ids are consecutive: the golden ratio spreads them evenly.
    let mut place = (taken.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
    while places[place] != 0 && places[place] != taken {
        place = (place + 1) & mask;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_each_record_in_once() {
        let mut set = RecordSet::default();
        for new in [true, false] {
            for id in 0..10_000 {
                assert_eq!(set.insert(RecordId(id * id)), new);
            }
        }
    }
}
