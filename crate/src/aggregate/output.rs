//! A stage's output document, written again and again into one allocation.

use crate::bson::{Document, DocumentBuf, DocumentBuilder};

/// Holds the document a stage wrote last.
#[derive(Default)]
pub struct Output {
    /// The document's bytes. None before the first: an empty document would be an allocation.
    bytes: Vec<u8>,
}

impl Output {
    /// A builder over the allocation of the last document.
    pub fn begin(&mut self) -> DocumentBuilder {
        DocumentBuilder::with_buffer(std::mem::take(&mut self.bytes))
    }

    /// Takes the finished document.
    pub fn finish(&mut self, builder: DocumentBuilder) {
        self.bytes = builder.finish().into_bytes();
    }

    /// Takes a document that was built elsewhere.
    pub fn set(&mut self, document: DocumentBuf) {
        self.bytes = document.into_bytes();
    }

    /// Copies a document in.
    pub fn copy(&mut self, document: Document<'_>) {
        self.bytes.clear();
        self.bytes.extend_from_slice(document.as_bytes());
    }

    pub fn current(&self) -> Document<'_> {
        match self.bytes.is_empty() {
            true => Document::EMPTY,
            false => Document::from_valid_bytes(&self.bytes),
        }
    }
}

/// Writes a position as an array's key into a small buffer.
pub fn position_name(position: usize, buffer: &mut [u8; 20]) -> &str {
    let mut start = buffer.len();
    let mut rest = position;
    loop {
        start -= 1;
        buffer[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    std::str::from_utf8(&buffer[start..]).unwrap_or("0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_decimal() {
        let mut buffer = [0; 20];
        assert_eq!(position_name(0, &mut buffer), "0");
        assert_eq!(position_name(1203, &mut buffer), "1203");
    }
}
