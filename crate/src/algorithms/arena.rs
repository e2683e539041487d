//! Bytes in pieces: an arena that grows piece by piece.
//!
//! Invariants: no piece is larger than `PIECE`, but for a record that alone is; a record lies in one piece, and bytes
//! once written stay where they are. So the arena takes what memory there is, in whatever parts it is there, and never
//! needs twice its own bytes to grow.

/// The bytes of a piece: few enough for any gap of memory, and many enough for few pieces.
pub const PIECE: usize = 1 << 20;

/// The arena.
#[derive(Debug, Default)]
pub struct Arena {
    pieces: Vec<Vec<u8>>,
    /// Bytes of all pieces but the last.
    filled: usize,
}

/// Where a record begins: its piece, and its first byte there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub piece: u32,
    pub start: u32,
}

impl Arena {
    /// The piece that the next record goes to: append the record, then call `close` with the length it had before.
    pub fn open(&mut self) -> &mut Vec<u8> {
        let is_full = self.pieces.last().is_none_or(|last| last.len() >= PIECE);
        if is_full {
            self.filled += self.pieces.last().map_or(0, Vec::len);
            // The first piece grows as it is needed: most arenas stay small.
            let capacity = if self.pieces.is_empty() { 0 } else { PIECE };
            self.pieces.push(Vec::with_capacity(capacity));
        }
        let last = self.pieces.len() - 1;
        &mut self.pieces[last]
    }

    /// Keeps the record that was appended to the open piece from `start` on. A record that does not fit the piece gets
    /// another one.
    #[inline]
    pub fn close(&mut self, start: usize) -> Place {
        let last = self.pieces.len().saturating_sub(1);
        match self.pieces.get(last) {
            Some(piece) if piece.len() > PIECE => self.move_on(start),
            _ => Place {
                piece: last as u32,
                start: start as u32,
            },
        }
    }

    #[cold]
    #[inline(never)]
    fn move_on(&mut self, start: usize) -> Place {
        let last = self.pieces.len() - 1;
        let piece = &mut self.pieces[last];
        if start == 0 {
            piece.shrink_to_fit();
            return Place {
                piece: last as u32,
                start: 0,
            };
        }
        let record = &piece[start..];
        let mut next = Vec::with_capacity(record.len().max(PIECE));
        next.extend_from_slice(record);
        piece.truncate(start);
        piece.shrink_to(PIECE);
        self.filled += start;
        self.pieces.push(next);
        Place {
            piece: last as u32 + 1,
            start: 0,
        }
    }

    /// Bytes of a piece; none where there are no such.
    #[inline]
    pub fn bytes(&self, piece: u32, start: u32, end: u32) -> &[u8] {
        let piece = self
            .pieces
            .get(piece as usize)
            .map_or(&[][..], |piece| piece);
        piece.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The bytes that all records take.
    pub fn held(&self) -> usize {
        self.filled + self.pieces.last().map_or(0, Vec::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_stay_whole_and_pieces_small() {
        let mut arena = Arena::default();
        let mut places = Vec::new();
        let mut held = 0;
        for (number, length) in [
            10,
            PIECE - 10,
            1,
            PIECE / 2,
            PIECE / 2 + 1,
            3 * PIECE,
            0,
            7,
            2 * PIECE,
            PIECE,
            5,
        ]
        .into_iter()
        .enumerate()
        {
            let open = arena.open();
            let start = open.len();
            open.resize(start + length, number as u8);
            places.push((arena.close(start), number as u8, length));
            held += length;
            assert_eq!(arena.held(), held);
        }
        for (place, number, length) in &places {
            let end = place.start + *length as u32;
            let bytes = arena.bytes(place.piece, place.start, end);
            assert!(bytes.len() == *length && bytes.iter().all(|byte| byte == number));
        }
        for piece in &arena.pieces {
            let is_alone = places.iter().any(|(_, _, length)| *length == piece.len());
            assert!(piece.len() <= PIECE || is_alone, "{}", piece.len());
            assert!(piece.capacity() <= piece.len().max(PIECE));
        }
        assert_eq!(arena.bytes(99, 0, 1), b"");
        assert_eq!(arena.bytes(0, 5, u32::MAX), b"");
    }
}
