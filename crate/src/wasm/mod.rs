//! The browser's side: bindings, IndexedDB, host.
