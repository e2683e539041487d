//! Type expressions.

pub mod binary;
pub mod conversion;
pub mod convert;
pub mod is_number;
pub mod shorthand;
pub mod to_bool;
pub mod to_date;
pub mod to_decimal;
pub mod to_double;
pub mod to_int;
pub mod to_long;
pub mod to_object_id;
pub mod to_string;
pub mod to_uuid;
pub mod type_name;
