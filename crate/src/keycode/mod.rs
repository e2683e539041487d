//! Order-preserving encoding of BSON values as byte strings.
