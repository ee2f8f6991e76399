//! How much of a server's is taken.

/// How much of what a server says is taken. It is somebody else's program: without limits it could fill memory, or the model's
/// context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct McpLimits {
    /// The longest message, in bytes; 16 MiB. Over a pipe, a longer one ends the connection; over HTTP, the call.
    pub message_bytes: usize,
    /// The most tools, on all pages together; 1,000. A server that lists more cannot be used.
    pub tools: usize,
    /// The longest description of a tool, in characters; 8,192. More is cut off.
    pub description_chars: usize,
    /// The longest schema of a tool's arguments, in bytes; 65,536. In place of a longer one the model sees one that takes any
    /// object.
    pub schema_bytes: usize,
    /// The longest instructions, in characters; 8,192. More is cut off.
    pub instructions_chars: usize,
}

impl Default for McpLimits {
    fn default() -> Self {
        Self {
            message_bytes: 16 << 20,
            tools: 1000,
            description_chars: 8192,
            schema_bytes: 64 << 10,
            instructions_chars: 8192,
        }
    }
}

impl McpLimits {
    /// The limits unless others are set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the longest message, in bytes.
    pub fn message_bytes(mut self, bytes: usize) -> Self {
        self.message_bytes = bytes;
        self
    }

    /// Sets the most tools.
    pub fn tools(mut self, tools: usize) -> Self {
        self.tools = tools;
        self
    }

    /// Sets the longest description of a tool, in characters.
    pub fn description_chars(mut self, chars: usize) -> Self {
        self.description_chars = chars;
        self
    }

    /// Sets the longest schema of a tool's arguments, in bytes.
    pub fn schema_bytes(mut self, bytes: usize) -> Self {
        self.schema_bytes = bytes;
        self
    }

    /// Sets the longest instructions, in characters.
    pub fn instructions_chars(mut self, chars: usize) -> Self {
        self.instructions_chars = chars;
        self
    }
}
