//! What differs from OpenAI.
