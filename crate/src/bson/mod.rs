//! BSON: borrowed and owned values, documents, comparison, validation, Extended JSON.
