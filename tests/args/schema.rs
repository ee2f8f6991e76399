//! What the schemas of parameters say, held against what is read.
