//! A stage's output document, written again and again into one allocation.

use crate::bson::{Document, DocumentBuf, DocumentBuilder};

/// Holds the document a stage wrote last.
#[derive(Default)]
pub struct Output {
    document: DocumentBuf,
}

impl Output {
    /// A builder over the allocation of the last document.
    pub fn begin(&mut self) -> DocumentBuilder {
        DocumentBuilder::with_buffer(std::mem::take(&mut self.document).into_bytes())
    }

    /// Takes the finished document.
    pub fn finish(&mut self, builder: DocumentBuilder) {
        self.document = builder.finish();
    }

    /// Takes a document that was built elsewhere.
    pub fn set(&mut self, document: DocumentBuf) {
        self.document = document;
    }

    /// Copies a document in.
    pub fn copy(&mut self, document: Document<'_>) {
        let mut bytes = std::mem::take(&mut self.document).into_bytes();
        bytes.clear();
        bytes.extend_from_slice(document.as_bytes());
        self.document = DocumentBuf::from_valid_bytes(bytes);
    }

    pub fn current(&self) -> Document<'_> {
        self.document.as_document()
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
