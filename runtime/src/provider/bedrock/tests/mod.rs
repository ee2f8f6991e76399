//! Requests and replies.
