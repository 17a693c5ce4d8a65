//! Functions of devices, found on a backend.

use std::sync::{Arc, Mutex};

use kernels_gen::emit::Dialect;

use super::{DeviceError, DeviceFunction, Facts, names};
use crate::model::backend::{Backend, LoadedFunction};
use crate::model::error::BackendError;
use crate::model::near::near;
use crate::model::show;
use crate::model::space::InputSpace;

impl DeviceFunction {
    /// Finds the function with this name on a device.
    ///
    /// # Errors
    /// If the language has no such function for these inputs, or the device cannot be used.
    pub fn open(
        backend: Arc<dyn Backend>,
        name: &str,
        inputs: InputSpace,
    ) -> Result<DeviceFunction, DeviceError> {
        let loaded = backend.load_function(name, inputs).map_err(|e| match e {
            BackendError::Compile { backend, log, .. } => {
                let known = names::of(&backend);
                DeviceError::Refused {
                    // If there is a function with this name, the cause is another.
                    near: match known.contains(&name) {
                        true => Vec::new(),
                        false => near(name, known.iter().copied()),
                    },
                    device: backend,
                    name: show::lines(name),
                    signature: inputs.signature(),
                    log,
                }
            }
            e => DeviceError::Backend(e),
        })?;
        let LoadedFunction {
            kernel,
            dialect,
            text,
            options,
            device,
            driver,
        } = loaded;
        let (id, whole, own) = (backend.id().to_string(), inputs.whole(), name.to_string());
        Ok(DeviceFunction {
            name: name.into(),
            inputs: whole,
            id,
            load: Box::new(move || backend.load_function(&own, whole)),
            facts: Facts {
                language: match dialect {
                    Dialect::Cuda => "CUDA C++",
                    Dialect::OpenCl(_) => "OpenCL C",
                },
                device,
                driver,
                options,
                text,
            },
            idle: Mutex::new(vec![kernel]),
        })
    }
}
