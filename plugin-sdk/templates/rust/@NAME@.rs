//! @NAME@: counts the words of a text.
#![deny(unsafe_op_in_unsafe_fn)]

#[path = "sdk/toolhost.rs"]
#[macro_use]
mod toolhost;
use toolhost::{Call, Host, Request, SpecInfo, Str};

const SPEC: &str = r#"{
    "name": "@NAME@",
    "description": "Counts the words of a text.",
    "version": "0.1.0",
    "inputSchema": {
        "type": "object",
        "properties": {"text": {"type": "string", "description": "The text to count."}},
        "required": ["text"],
        "additionalProperties": false
    },
    "outputSchema": {
        "type": "object",
        "properties": {"words": {"type": "integer", "description": "The number of words."}},
        "required": ["words"]
    }
}"#;

static INFO: SpecInfo = SpecInfo {
    struct_size: std::mem::size_of::<SpecInfo>() as u32,
    abi_major: toolhost::ABI_MAJOR,
    abi_minor: toolhost::ABI_MINOR,
    flags: toolhost::CONCURRENT,
    reserved: 0,
    json: Str::new(SPEC),
};

/// The only string member of a JSON object, decoded. The host has checked the input against the
/// schema, so there is exactly one member, a string, and no JSON crate is needed.
fn string_member(input: &str) -> Option<String> {
    let value = input.split_once(':')?.1.trim_start().strip_prefix('"')?;
    let mut text = Vec::new();
    let mut chars = value.chars();
    loop {
        let unit = match chars.next()? {
            '"' => break,
            '\\' => match chars.next()? {
                'n' => '\n' as u32,
                'r' => '\r' as u32,
                't' => '\t' as u32,
                'f' => 0x0c,
                'b' => 0x08,
                'u' => {
                    let digits: String = chars.by_ref().take(4).collect();
                    u32::from_str_radix(&digits, 16).ok()?
                }
                other => other as u32,
            },
            other => other as u32,
        };
        // UTF-16, because JSON escapes are UTF-16: one character may take two of them.
        match char::from_u32(unit) {
            Some(c) => text.extend_from_slice(c.encode_utf16(&mut [0; 2])),
            None => text.push(unit as u16),
        }
    }
    Some(String::from_utf16_lossy(&text))
}

fn run(input: &str) -> Option<String> {
    let words = string_member(input)?.split_whitespace().count();
    Some(format!(r#"[{{"json": {{"words": {words}}}}}]"#))
}

entry_point! {
    pub extern "C" fn tool_spec() -> *const SpecInfo {
        &INFO
    }
}

entry_point! {
    /// # Safety
    /// Called by the host, which follows the conventions of toolhost/plugin.h.
    pub unsafe extern "C" fn tool_invoke(
        request: *const Request,
        host: *const Host,
        call: *mut Call,
    ) -> i32 {
        let (request, host) = unsafe { (&*request, &*host) };
        let input = String::from_utf8_lossy(unsafe { request.input.bytes() });
        // A panic must not cross into the host.
        let (code, message, status) = match std::panic::catch_unwind(|| run(&input)) {
            Ok(Some(content)) => return unsafe { (host.reply)(call, &Str::new(&content)) },
            Ok(None) => ("invalid_input", r#"expected {"text": "..."}"#, toolhost::BAD_INPUT),
            Err(_) => ("tool_failed", "the tool panicked", toolhost::FAILED),
        };
        unsafe { (host.fail)(call, &Str::new(code), &Str::new(message)) };
        status
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_words() {
        let reply = |words| Some(format!(r#"[{{"json": {{"words": {words}}}}}]"#));
        assert_eq!(run(r#"{"text": "to be or\nnot to be"}"#), reply(6));
        assert_eq!(run(r#"{"text":""}"#), reply(0));
        assert_eq!(run(r#"{"text": "\u0020 tab\there \ud83d\ude00"}"#), reply(3));
    }

    #[test]
    fn refuses_what_is_no_text() {
        assert_eq!(run(r#"{"text": 5}"#), None);
        assert_eq!(run("{}"), None);
    }
}
