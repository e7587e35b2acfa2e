//! The protocol revisions this library knows.

use std::fmt;

use crate::lines;

const DATES: &str = "2025-03-26\n2025-06-18\n2025-11-25\n2026-07-28\n";

/// A dated revision of the Model Context Protocol. Later ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Revision {
    /// 2025-03-26: pushed sampling, one block per message.
    V2025_03_26,
    /// 2025-06-18: as before, with resource links and structured tool output.
    V2025_06_18,
    /// 2025-11-25: sampling with tools, arrays of blocks.
    V2025_11_25,
    /// 2026-07-28: no sessions; sampling rides in `input_required` results.
    V2026_07_28,
}

impl Revision {
    /// All of them, oldest first.
    pub const ALL: [Self; 4] = [Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];
    /// The newest one.
    pub const LATEST: Self = Self::V2026_07_28;

    /// The date, as it goes over the wire.
    pub fn as_str(self) -> &'static str {
        lines::at(DATES, self as usize)
    }

    /// The revision with this date, if it is known.
    pub fn from_date(date: &str) -> Option<Self> {
        Self::ALL.get(lines::place_of(DATES, date)).copied()
    }

    /// True for revisions without a handshake, where every request stands alone (2026-07-28 and later).
    pub fn is_modern(self) -> bool {
        self >= Self::V2026_07_28
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
