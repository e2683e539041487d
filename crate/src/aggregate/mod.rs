//! The pipeline: stages and accumulators over documents pulled lazily.
