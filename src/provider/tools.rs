//! Tools, calls and results of a request: their names and ids, and what of them has no place.

use crate::error::Error;
use crate::json::{JsonStr, Value};
use crate::lines;

use super::draft::Draft;
use super::failure::string;
use super::warnings::Fate;

/// A call of the history, by the provider's names.
#[derive(Debug)]
pub(super) struct Call<'d> {
    pub(super) id: String,
    pub(super) name: String,
    /// The arguments, as JSON.
    pub(super) input: &'d str,
}

impl<'d> Draft<'d> {
    /// Gives every tool its name for the provider.
    pub(super) fn declare_tools(&mut self) -> Result<(), Error> {
        for (index, tool) in self.tool_list().enumerate() {
            let Some(name) = string(tool, "name") else { continue };
            self.stand("/tools/", index);
            if self.names.find(name).is_some() {
                return Err(self.invalid("/name", "tool-names-unique", "two tools have the same name"));
            }
            if name != *self.tool_name(name).as_str() {
                let message = "the provider does not take such a name; the answer is mapped back";
                self.warn_at("/name", Fate::Changed, message);
            }
        }
        self.place.clear();
        Ok(())
    }

    /// The provider's name for a tool, known or new.
    #[inline(never)]
    pub(super) fn tool_name(&mut self, name: JsonStr<'_>) -> String {
        if let Some(wire) = self.names.find(name) {
            return wire.to_owned();
        }
        let wire = self.names.assign(name, 0);
        if name != *wire.as_str() {
            self.wire_names.two("\"%r\":\"%v\"", &wire, name.raw());
        }
        wire
    }

    /// The provider's name for this tool of the request.
    #[inline(never)]
    pub(super) fn wire_name(&mut self, tool: Value<'_>) -> String {
        string(tool, "name").map(|name| self.tool_name(name)).unwrap_or_default()
    }

    /// Writes the tools, in a form of five lines: what comes first, the start of a tool with a place for its name, what
    /// comes between its description and its schema, what comes after that, and what comes last. With `write`, which
    /// then writes the schema, a tool has a description even if it is empty.
    #[inline(never)]
    pub(super) fn tools(&mut self, form: &str, write: Option<fn(&mut Self, Value<'d>)>) {
        self.json.lit(lines::at(form, 0));
        for (index, tool) in self.tool_list().enumerate() {
            self.stand("/tools/", index);
            self.report_tool(tool);
            let name = self.wire_name(tool);
            self.json.one(lines::at(form, 1), &name);
            match string(tool, "description") {
                Some(description) => self.json.value("\"description\":%v", description.value()),
                None if write.is_some() => self.json.lit("\"description\":\"\""),
                None => {}
            }
            self.json.lit(lines::at(form, 2));
            let schema = tool.at("inputSchema");
            match write {
                Some(write) => write(self, schema),
                None => self.json.value("%v", schema),
            }
            self.json.lit(lines::at(form, 3));
        }
        self.json.lit(lines::at(form, 4));
        self.place.clear();
    }

    fn report_tool(&mut self, tool: Value<'d>) {
        self.report_members(
            tool,
            "name description inputSchema",
            "the provider has no place for this member of a tool",
        );
    }

    /// Reports what of the tools has no place in any provider's request.
    pub(super) fn report_tools(&mut self) {
        for (index, tool) in self.tool_list().enumerate() {
            self.stand("/tools/", index);
            self.report_tool(tool);
        }
        self.place.clear();
    }

    /// Reports a call, and gives it the provider's id and name.
    #[inline(never)]
    pub(super) fn call(&mut self, call: Value<'d>) -> Call<'d> {
        self.report_block(call, "type id name input _meta");
        let mut id = const { String::new() };
        if let Some(text) = string(call, "id") {
            self.call_ids.value("%v", text.value());
            id = self.ids.assign(text, (self.number as u64) << 32 | self.block.unwrap_or(0) as u64);
        }
        Call { id, name: self.wire_name(call), input: call.at("input").raw() }
    }

    /// Reports a result; returned is the provider's id for the call that it answers.
    pub(super) fn result_id(&mut self, result: Value<'_>) -> String {
        self.report_block(result, "type toolUseId content structuredContent isError _meta");
        string(result, "toolUseId").map(|id| self.ids.assign(id, u64::MAX)).unwrap_or_default()
    }

    /// A message of the assistant begins: its calls may have ids that were used before.
    pub(super) fn begin_calls(&mut self) {
        self.ids.forget();
    }
}
