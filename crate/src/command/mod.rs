//! The command table and one command a file.
