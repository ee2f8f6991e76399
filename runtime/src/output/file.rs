//! Files that the model makes, as the output.

use std::sync::Arc;

use super::made::Made;
use crate::message::{BinaryContent, FileClass};

/// What makes an output of a file that the model has made.
pub(crate) struct FileOutput<O> {
    /// The only sort of file that counts; `None` for any.
    class: Option<FileClass>,
    make: Arc<dyn Fn(BinaryContent) -> O + Send + Sync>,
}

impl<O: Send + 'static> FileOutput<O> {
    /// Of files of this class, or of any.
    pub(super) fn new(class: Option<FileClass>, make: impl Fn(BinaryContent) -> O + Send + Sync + 'static) -> Self {
        Self { class, make: Arc::new(make) }
    }

    /// Whether a file can be the output.
    pub(crate) fn takes(&self, file: &BinaryContent) -> bool {
        self.class.is_none_or(|class| class == FileClass::of(&file.media_type))
    }

    /// What a request for another response calls it.
    pub(crate) fn wanted(&self) -> &'static str {
        match self.class {
            Some(FileClass::Image) => "an image",
            _ => "a file",
        }
    }

    /// The output that is made of a file.
    pub(crate) fn read<C>(&self, file: BinaryContent) -> Made<O, C> {
        Made::Output((self.make)(file))
    }

    /// The same as another type.
    pub(super) fn wrapped<P: Send + 'static>(self, wrap: fn(O) -> P) -> FileOutput<P> {
        let make = self.make;
        FileOutput::new(self.class, move |file| wrap(make(file)))
    }
}

impl<O> Clone for FileOutput<O> {
    fn clone(&self) -> Self {
        Self { class: self.class, make: self.make.clone() }
    }
}
