//! Lists that come in pages, put together as one. Specification: server/utilities/pagination.

use std::mem;

use crate::error::{Code, Error, fill};
use crate::json::{Value, push_item, push_member};
use crate::mrtr::push_members;

/// How many pages are fetched before a list is taken for endless.
pub const MAX_PAGES: u32 = 64;

/// The pages of one list so far.
#[derive(Clone, Debug)]
pub struct Pages {
    method: String,
    member: String,
    /// The result so far: an object with an array, both of which lack their ends.
    text: String,
    pages: u32,
}

/// What follows a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Call again, with these parameters (JSON text).
    Page(String),
    /// That was the last one: the result with the items of all pages (JSON text).
    Done(String),
}

impl Pages {
    /// The list that `method` returns in `member` of its results.
    pub fn new(method: &str, member: &str) -> Self {
        Self { method: method.to_owned(), member: member.to_owned(), text: fill("{\"%\":[", &[member]), pages: 0 }
    }

    /// Adds a page. `params` are those of the call.
    ///
    /// # Errors
    ///
    /// `LIST_PAGINATION_EXCEEDED` if there are more than [`MAX_PAGES`].
    pub fn add(&mut self, result: Value<'_>, params: Option<Value<'_>>) -> Result<Next, Error> {
        self.pages += 1;
        for item in result.at(&self.member).items() {
            push_item(&mut self.text, item.raw());
        }
        let cursor = result.at("nextCursor");
        if cursor.is_null() {
            return Ok(Next::Done(self.whole(result)));
        }
        if self.pages >= MAX_PAGES { Err(self.endless()) } else { Ok(Next::Page(with_cursor(cursor, params))) }
    }

    fn whole(&mut self, last: Value<'_>) -> String {
        let mut out = mem::replace(&mut self.text, const { String::new() });
        out.push_str("]");
        push_members(&mut out, last, &[&self.member, "nextCursor"]);
        out.push_str("}");
        out
    }

    fn endless(&self) -> Error {
        let sentence = "% has more pages than expected: fetch them one by one with a cursor";
        Error::told(Code::ListPaginationExceeded, sentence, &[&self.method])
            .with("method", &self.method)
            .with_number("listMaxPages", i64::from(MAX_PAGES))
    }
}

fn with_cursor(cursor: Value<'_>, params: Option<Value<'_>>) -> String {
    let mut out = String::from("{");
    if let Some(params) = params {
        push_members(&mut out, params, &["cursor"]);
    }
    push_member(&mut out, "cursor", cursor.raw());
    out.push_str("}");
    out
}
