//! The client half of Model Context Protocol *sampling*, without I/O.

pub mod error;
pub mod json;
pub mod revision;
pub mod sampling;
