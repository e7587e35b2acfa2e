//! Borrowed views of everything in the sampling model, with the names of the specification.
//!
//! A view is a [`Value`](crate::json::Value) that is known by its type. It checks and copies nothing: each getter looks
//! the member up and is `None` if it is absent or of another JSON type. After [`check_request`](super::check_request) or
//! [`check_result`](super::check_result) found no error, the members that the schema requires are there. Members the
//! views do not name are kept: [`value`](TextContent::value) is always the whole text the peer sent.
//!
//! ```
//! use mcp_sampling::json::Document;
//! use mcp_sampling::sampling::{Block, CreateMessageRequestParams};
//! let text = r#"{"maxTokens":9,"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}]}"#;
//! let document = Document::from_text(text.into()).unwrap();
//! let params = CreateMessageRequestParams::new(document.root());
//! let message = params.messages().unwrap().next().unwrap();
//! let block = message.content().unwrap().blocks().next().unwrap();
//! assert!(matches!(block, Block::Text(text) if text.text().unwrap() == "Hi"));
//! ```

mod content;
mod request;
mod result;
mod tool;
mod view;

pub use content::{
    Annotations, AudioContent, Block, BlockType, Blocks, Content, EmbeddedResource, Icon, ImageContent,
    ResourceContents, ResourceLink, Role, SamplingMessage, TextContent, ToolResultContent, ToolUseContent,
};
pub use request::{CreateMessageRequestParams, IncludeContext, ModelHint, ModelPreferences};
pub use result::{CreateMessageResult, StopReason};
pub use tool::{Tool, ToolAnnotations, ToolChoice, ToolChoiceMode};
pub use view::List;
