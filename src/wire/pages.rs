//! Lists that come in pages, put together as one. Specification: server/utilities/pagination.

use crate::error::{Code, Error};
use crate::json::{Value, push_key, push_member};

/// How many pages are fetched before a list is taken for endless.
pub const MAX_PAGES: u32 = 64;

/// The pages of one list so far.
#[derive(Clone, Debug)]
pub struct Pages {
    method: String,
    member: String,
    items: String,
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
        Self { method: method.to_owned(), member: member.to_owned(), items: String::new(), pages: 0 }
    }

    /// Adds a page. `params` are those of the call.
    ///
    /// # Errors
    ///
    /// `LIST_PAGINATION_EXCEEDED` if there are more than [`MAX_PAGES`].
    pub fn add(&mut self, result: Value<'_>, params: Option<Value<'_>>) -> Result<Next, Error> {
        self.pages += 1;
        for item in result.get(&self.member).into_iter().flat_map(Value::items) {
            self.items.push_str(if self.items.is_empty() { "" } else { "," });
            self.items.push_str(item.raw());
        }
        match result.get("nextCursor").filter(|cursor| !cursor.is_null()) {
            Some(_) if self.pages >= MAX_PAGES => Err(self.endless()),
            Some(cursor) => Ok(Next::Page(with_cursor(cursor, params))),
            None => Ok(Next::Done(self.whole(result))),
        }
    }

    fn whole(&self, last: Value<'_>) -> String {
        let mut out = String::from("{");
        push_key(&mut out, &self.member);
        out.push('[');
        out.push_str(&self.items);
        out.push(']');
        for (key, value) in last.members().filter(|(key, _)| !(*key == self.member.as_str() || *key == "nextCursor")) {
            push_member(&mut out, key.raw(), value.raw());
        }
        out.push('}');
        out
    }

    fn endless(&self) -> Error {
        let mut message = self.method.clone();
        message.push_str(" has more pages than expected: fetch them one by one with a cursor");
        Error::new(Code::ListPaginationExceeded, message)
            .with("method", &self.method)
            .with_number("listMaxPages", i64::from(MAX_PAGES))
    }
}

fn with_cursor(cursor: Value<'_>, params: Option<Value<'_>>) -> String {
    let mut out = String::from("{");
    for (key, value) in params.into_iter().flat_map(Value::members).filter(|(key, _)| !(*key == "cursor")) {
        push_member(&mut out, key.raw(), value.raw());
    }
    push_member(&mut out, "cursor", cursor.raw());
    out.push('}');
    out
}
