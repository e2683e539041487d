//! What a page calls: `room` for the question, `stems` for the answer, which lies at `answer`.
//!
//! Invariant: the caller writes its UTF-8 into `room`'s bytes before it calls `stems`, and reads the answer before it
//! calls anything else. WebAssembly without threads runs one call at a time.

use std::cell::Cell;

thread_local! {
    static QUESTION: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
    static ANSWER: Cell<usize> = const { Cell::new(0) };
    static KEPT: Cell<String> = const { Cell::new(String::new()) };
}

/// The address of room for so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    let mut question = vec![0; length];
    let address = question.as_mut_ptr();
    QUESTION.set(question);
    address
}

/// Answers the question in the room; gives how many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn stems(language: usize) -> usize {
    let words = String::from_utf8(QUESTION.take()).unwrap_or_default();
    let found = crate::stems(language, &words);
    let length = found.len();
    ANSWER.set(found.as_ptr() as usize);
    KEPT.set(found);
    length
}

/// The address of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    ANSWER.get()
}
