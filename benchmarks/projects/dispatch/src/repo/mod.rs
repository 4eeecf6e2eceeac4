pub mod incidents;
pub mod units;
