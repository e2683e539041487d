//! What a page calls: `room` for the question, `stems` for the answer, which lies at `answer`.
//!
//! Invariant: the caller writes its UTF-8 into `room`'s bytes before it calls `stems`, and reads the answer before it
//! calls anything else.

use std::cell::RefCell;

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The address of room for so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|question| {
        question.clear();
        question.resize(length, 0);
        question.as_mut_ptr()
    })
}

/// Answers the question in the room; gives how many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn stems(language: usize) -> usize {
    let words = QUESTION.take();
    let found = crate::stems(language, &String::from_utf8_lossy(&words));
    let length = found.len();
    ANSWER.set(found);
    length
}

/// The address of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}
