//! What the schema may demand of a member.

use crate::json::Kind;
use crate::lines;

/// Declares what is a byte in the tables: a type with a constant for each, from 0 on.
macro_rules! bytes {
    ($(#[$doc:meta])* $name:ident { $($id:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub(super) struct $name(pub(super) u8);

        #[allow(non_upper_case_globals, reason = "they stand for the variants of an enum, which no byte can be made into")]
        impl $name {
            bytes!(@ 0; $($id,)*);
        }
    };
    (@ $byte:expr; $id:ident, $($rest:ident,)*) => {
        pub(super) const $id: Self = Self($byte);
        bytes!(@ $byte + 1; $($rest,)*);
    };
    (@ $byte:expr;) => {};
}

bytes! {
    /// What a value may be.
    Want { Text, Bool, Number, Integer, Unit, Object, Array, Texts, Content, Role, Context, Mode, Theme, TypeObject, }
}

bytes! {
    /// Whether a member must be there. The last two are for revisions before 2026-07-28, and no demand after.
    When { May, Must, MayOnce, MustOnce, }
}

bytes! {
    /// What is checked further in a member that is what it must be.
    Then {
        Nothing, Positive, Assistant, Base64, Audience, Resource, Messages, OutputBlocks, Tools, Preferences, Hints,
        Annotations, Icons, ToolAnnotations, InputSchema, OutputSchema, Choice,
    }
}

impl Want {
    /// The only kind it may be; of two, the one that is not more common.
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Bool => Kind::Bool,
            Self::Number | Self::Integer | Self::Unit => Kind::Number,
            Self::Object => Kind::Object,
            Self::Array | Self::Texts | Self::Content => Kind::Array,
            _ => Kind::String,
        }
    }

    /// What it must be, for people.
    pub(super) fn phrase(self) -> &'static str {
        const PHRASES: &str = "a string\na boolean\na number\na whole number of at most 2^53 - 1\na number from 0 to 1\n\
                               an object\nan array\nan array of strings\na block or an array of blocks\n\
                               user or assistant\nnone or thisServer or allServers\nauto or required or none\n\
                               light or dark\nobject\n";
        lines::at(PHRASES, usize::from(self.0))
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
