//! Requests and replies, against a server on loopback and without one.
