//! Objects that pointers point to.

/// An object that is written to.
#[derive(Debug)]
pub(super) struct Object {
    /// For memory of the caller: the parameter that points to it.
    pub(super) param: Option<usize>,
    /// The object's size in bytes, if it is known.
    pub(super) size: Option<i64>,
}

impl Object {
    /// A stack slot of this many bytes.
    pub fn slot(size: i64) -> Self {
        Object {
            param: None,
            size: Some(size),
        }
    }
    /// Memory of the caller.
    pub fn result(param: usize) -> Self {
        Object {
            param: Some(param),
            size: None,
        }
    }
}
