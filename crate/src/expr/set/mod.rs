//! Set expressions.

pub mod all_elements_true;
pub mod any_element_true;
pub mod members;
pub mod set_difference;
pub mod set_equals;
pub mod set_intersection;
pub mod set_is_subset;
pub mod set_union;
