//! Where an object ends in a text that comes in pieces.

/// Looks for the end of a JSON object.
#[derive(Default)]
pub(super) struct ObjectScan {
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    is_closed: bool,
}

impl ObjectScan {
    /// Whether the end has been seen.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Reads on.
    pub(super) fn read(&mut self, text: &str) {
        for byte in text.bytes() {
            match byte {
                _ if std::mem::take(&mut self.is_escaped) => {}
                b'\\' if self.in_string => self.is_escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.is_closed |= self.depth == 0;
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_where_all_brackets_are_closed() {
        for (text, is_closed) in [
            ("", false),
            ("{", false),
            ("{}", true),
            (r#"{"a": {"b": [1]}"#, false),
            (r#"{"a": {"b": [1]}}"#, true),
            (r#"{"a": "}"#, false),
            (r#"{"a": "\"}"#, false),
            (r#"{"a": "\\"}"#, true),
            (r#"{"é": "🌍}"} "#, true),
        ] {
            let mut scan = ObjectScan::default();
            text.split_inclusive(|_| true).for_each(|piece| scan.read(piece));
            assert_eq!(scan.is_closed(), is_closed, "{text}");
        }
    }
}
