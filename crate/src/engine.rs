//! The life of a command.
