//! What all views have in common.

use std::marker::PhantomData;

use crate::json::{Items, JsonStr, Number, Value};

/// A type that a JSON value may have.
pub trait FromValue<'d>: Sized {
    /// The value as this type, unless it is of another JSON type.
    fn from_value(value: Value<'d>) -> Option<Self>;
}

impl<'d> FromValue<'d> for Value<'d> {
    fn from_value(value: Self) -> Option<Self> {
        Some(value)
    }
}

impl<'d> FromValue<'d> for JsonStr<'d> {
    fn from_value(value: Value<'d>) -> Option<Self> {
        value.as_str()
    }
}

impl<'d> FromValue<'d> for Number<'d> {
    fn from_value(value: Value<'d>) -> Option<Self> {
        value.as_number()
    }
}

impl FromValue<'_> for bool {
    fn from_value(value: Value<'_>) -> Option<Self> {
        value.as_bool()
    }
}

/// The items of an array that have the type `T`, in order.
#[derive(Clone, Debug)]
pub struct List<'d, T> {
    items: Items<'d>,
    item: PhantomData<T>,
}

impl<'d, T: FromValue<'d>> FromValue<'d> for List<'d, T> {
    fn from_value(value: Value<'d>) -> Option<Self> {
        let is_array = value.is(crate::json::Kind::Array);
        is_array.then(|| Self { items: value.items(), item: PhantomData })
    }
}

impl<'d, T: FromValue<'d>> Iterator for List<'d, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.items.find_map(T::from_value)
    }
}

/// Declares views: one getter a member, its JSON name in quotes, its type behind the arrow.
macro_rules! views {
    ($($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $getter:ident: $member:literal => $type:ty;)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<'d>(Value<'d>);

        impl<'d> $name<'d> {
            /// Looks at `value` as this type. Nothing is checked.
            pub fn new(value: Value<'d>) -> Self {
                Self(value)
            }

            /// The whole value as it was sent, with the members that have no getter.
            pub fn value(self) -> Value<'d> {
                self.0
            }

            $($(#[$about])*
            pub fn $getter(self) -> Option<$type> {
                self.0.get($member).and_then(FromValue::from_value)
            })*
        }

        impl<'d> FromValue<'d> for $name<'d> {
            fn from_value(value: Value<'d>) -> Option<Self> {
                (value.is($crate::json::Kind::Object)).then_some(Self(value))
            }
        }
    )*};
}

/// Declares closed sets of strings.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $variant:ident = $text:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$about])* $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            const WORDS: &str = concat!($($text, "\n"),*);

            /// The word, as it goes over the wire.
            pub fn as_str(self) -> &'static str {
                $crate::lines::at(Self::WORDS, self as usize)
            }
        }

        impl FromValue<'_> for $name {
            fn from_value(value: Value<'_>) -> Option<Self> {
                Self::ALL.get($crate::lines::place_in(Self::WORDS, value)).copied()
            }
        }
    )*};
}

pub(super) use {views, words};
