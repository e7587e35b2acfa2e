//! Tools that the model may use, and how it shall choose.

use super::content::Icon;
use super::view::{FromValue, List, views, words};
use crate::json::{JsonStr, Value};

words! {
    /// How the model uses tools (schema, ToolChoice.mode).
    ToolChoiceMode {
        /// The model decides.
        Auto = "auto",
        /// The model uses at least one tool.
        Required = "required",
        /// The model uses no tool.
        None = "none",
    }
}

views! {
    /// A tool that the model may use in this one request (schema, Tool).
    Tool {
        /// Its name for programs and the model.
        name: "name" => JsonStr<'d>;
        /// Its name for people.
        title: "title" => JsonStr<'d>;
        /// What it does.
        description: "description" => JsonStr<'d>;
        /// The JSON Schema of its arguments; an object with `type: "object"`, otherwise untouched.
        input_schema: "inputSchema" => Value<'d>;
        /// The JSON Schema of its structured result.
        output_schema: "outputSchema" => Value<'d>;
        /// Hints on what it does; not to be trusted.
        annotations: "annotations" => ToolAnnotations<'d>;
        /// Pictures for it.
        icons: "icons" => List<'d, Icon<'d>>;
        /// Metadata.
        meta: "_meta" => Value<'d>;
    }

    /// Hints on what a tool does (schema, ToolAnnotations).
    ToolAnnotations {
        /// Its name for people; [`Tool::title`] comes first.
        title: "title" => JsonStr<'d>;
        /// It changes nothing. Absent means no.
        read_only_hint: "readOnlyHint" => bool;
        /// It may destroy something. Absent means yes.
        destructive_hint: "destructiveHint" => bool;
        /// Calling it again with the same arguments changes nothing more. Absent means no.
        idempotent_hint: "idempotentHint" => bool;
        /// It reaches the outside world. Absent means yes.
        open_world_hint: "openWorldHint" => bool;
    }

    /// How the model shall choose (schema, ToolChoice).
    ToolChoice {
        /// The mode; absent means [`ToolChoiceMode::Auto`].
        mode: "mode" => ToolChoiceMode;
    }
}
