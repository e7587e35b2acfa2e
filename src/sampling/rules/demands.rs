//! What the schema may demand of a member.

use crate::json::Kind;
use crate::lines;

/// What a value may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    Text,
    Bool,
    Number,
    Integer,
    Unit,
    Object,
    Array,
    Texts,
    Content,
    Role,
    Context,
    Mode,
    Theme,
    TypeObject,
}

impl Want {
    /// The only kind it may be; of two, the one that is not more common.
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Text | Self::Role | Self::Context | Self::Mode | Self::Theme | Self::TypeObject => Kind::String,
            Self::Bool => Kind::Bool,
            Self::Number | Self::Integer | Self::Unit => Kind::Number,
            Self::Object => Kind::Object,
            Self::Array | Self::Texts | Self::Content => Kind::Array,
        }
    }

    /// What it must be, for people.
    pub(super) fn phrase(self) -> &'static str {
        const PHRASES: &str = "a string\na boolean\na number\na whole number of at most 2^53 - 1\na number from 0 to 1\n\
                               an object\nan array\nan array of strings\na block or an array of blocks\n\
                               user or assistant\nnone or thisServer or allServers\nauto or required or none\n\
                               light or dark\nobject\n";
        lines::at(PHRASES, self as usize)
    }

    /// The only words it may be, if it is a word.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Role => "user\nassistant\n",
            Self::Context => "none\nthisServer\nallServers\n",
            Self::Mode => "auto\nrequired\nnone\n",
            Self::Theme => "light\ndark\n",
            Self::TypeObject => "object\n",
            _ => "",
        }
    }
}

/// Whether a member must be there. The last two are for revisions before 2026-07-28, and no demand after.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    May,
    Must,
    MayOnce,
    MustOnce,
}

/// What is checked further in a member that is what it must be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    Nothing,
    Positive,
    Assistant,
    Base64,
    Audience,
    Resource,
    Messages,
    OutputBlocks,
    Tools,
    Preferences,
    Hints,
    Annotations,
    Icons,
    ToolAnnotations,
    InputSchema,
    OutputSchema,
    Choice,
}
