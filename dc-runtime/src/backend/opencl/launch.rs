//! Launches on an OpenCL device.

use std::sync::{Mutex, MutexGuard, PoisonError};

use kernels_gen::emit::{RECORD, Signature, Source};
use ocl::core::{self, ArgVal, CommandQueue, Context, Kernel, Mem, MemFlags};

use crate::backend::launch::{Launch, check_columns, check_signature};

/// A lock for devices that only one thread may use at a time; otherwise `None`.
///
/// With several threads, Oclgrind 21.10 loses launches: outputs stay unwritten, which the sentinels detected.
pub(super) fn alone(needed: bool) -> Option<MutexGuard<'static, ()>> {
    static ALONE: Mutex<()> = Mutex::new(());
    needed.then(|| ALONE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A kernel ready to be launched.
pub(super) struct OpenClKernel {
    /// The handles, until the kernel is dropped.
    handles: Option<Handles>,
    signature: Signature,
    /// See [`alone`].
    alone: bool,
}

/// A kernel, a separate queue and the buffers it has used so far.
struct Handles {
    context: Context,
    queue: CommandQueue,
    kernel: Kernel,
    buffers: Vec<Buffer>,
    /// The number of elements that an item processes at a time.
    lanes: usize,
    /// The number of items of a work group.
    group: usize,
    /// The largest number of items of a launch; a multiple of `group`.
    items: usize,
}

/// Device memory for `len` words.
struct Buffer {
    mem: Mem,
    len: usize,
}

impl OpenClKernel {
    pub fn new(
        context: Context,
        queue: CommandQueue,
        kernel: Kernel,
        source: &Source,
        shape: Shape,
    ) -> Self {
        OpenClKernel {
            handles: Some(Handles {
                context,
                queue,
                kernel,
                buffers: Vec::new(),
                lanes: source.lanes as usize,
                group: shape.group,
                items: shape.items.next_multiple_of(shape.group),
            }),
            signature: source.signature.clone(),
            alone: shape.alone,
        }
    }

    fn run<T>(&mut self, work: impl FnOnce(&mut Handles) -> core::Result<T>) -> Result<T, String> {
        let _alone = alone(self.alone);
        match &mut self.handles {
            Some(handles) => work(handles).map_err(|e| e.to_string()),
            None => Err("it was dropped".into()),
        }
    }
}

impl Drop for OpenClKernel {
    fn drop(&mut self) {
        let _alone = alone(self.alone);
        self.handles = None;
    }
}

/// The division of launches on a device.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// The number of items of a work group.
    pub group: usize,
    /// The largest number of items of a launch.
    pub items: usize,
    /// Whether only one thread may use the device at a time; see [`alone`].
    pub alone: bool,
}

impl Handles {
    /// Makes buffer `i` at least `len` words long.
    fn reserve(&mut self, i: usize, len: usize) -> core::Result<()> {
        if self.buffers.get(i).is_some_and(|b| b.len >= len) {
            return Ok(());
        }
        // SAFETY: without a host pointer the memory is the device's own.
        let mem = unsafe {
            core::create_buffer::<_, u64>(&self.context, MemFlags::new().read_write(), len, None)?
        };
        let buffer = Buffer { mem, len };
        match self.buffers.get_mut(i) {
            Some(old) => *old = buffer,
            None => self.buffers.push(buffer),
        }
        Ok(())
    }

    fn fill(&self, i: usize, sentinel: u64, len: usize) -> core::Result<()> {
        let mem = &self.buffers[i].mem;
        core::enqueue_fill_buffer(
            &self.queue,
            mem,
            sentinel,
            0,
            len,
            None::<()>,
            None::<()>,
            None,
        )
    }

    fn read(&self, i: usize, words: &mut [u64]) -> core::Result<()> {
        // SAFETY: the read blocks until `words` is filled, and the buffer is at least as long.
        unsafe {
            core::enqueue_read_buffer(
                &self.queue,
                &self.buffers[i].mem,
                true,
                0,
                words,
                None::<()>,
                None::<()>,
            )
        }
    }

    /// The number of items to run: as many as `elements` need, up to the largest number of a launch.
    fn items_for(&self, elements: u64) -> usize {
        let needed = elements.div_ceil(self.lanes as u64);
        let needed = usize::try_from(needed).unwrap_or(usize::MAX);
        needed.min(self.items).next_multiple_of(self.group)
    }

    /// Starts the kernel. The queue executes in order, so the blocking read that follows waits for it.
    fn start(&self, items: usize) -> core::Result<()> {
        // SAFETY: all arguments are set, to buffers of the lengths in the kernel's contract
        // (`kernels_gen::emit::Signature`).
        unsafe {
            core::enqueue_kernel(
                &self.queue,
                &self.kernel,
                1,
                None,
                &[items, 1, 1],
                Some([self.group, 1, 1]),
                None::<()>,
                None::<()>,
            )
        }
    }

    fn point(
        &mut self,
        inputs: &[&[u64]],
        outputs: &mut [&mut [u64]],
        sentinel: u64,
    ) -> core::Result<()> {
        let n = inputs[0].len();
        for (i, column) in inputs.iter().enumerate() {
            self.reserve(i, n)?;
            // SAFETY: the write blocks until `column` is read, and the buffer is at least as long.
            unsafe {
                core::enqueue_write_buffer(
                    &self.queue,
                    &self.buffers[i].mem,
                    true,
                    0,
                    column,
                    None::<()>,
                    None::<()>,
                )?;
            }
        }
        let first_output = inputs.len();
        let buffers = first_output + outputs.len();
        for i in first_output..buffers {
            self.reserve(i, n)?;
            self.fill(i, sentinel, n)?;
        }
        for (i, buffer) in self.buffers.iter().enumerate() {
            core::set_kernel_arg(&self.kernel, i as u32, ArgVal::mem(&buffer.mem))?;
        }
        let count = n as u64;
        core::set_kernel_arg(&self.kernel, buffers as u32, ArgVal::scalar(&count))?;
        self.start(self.items_for(count))?;
        for (i, column) in outputs.iter_mut().enumerate() {
            self.read(first_output + i, column)?;
        }
        Ok(())
    }

    fn sweep(&mut self, first: i64, count: u64, sentinel: u64) -> core::Result<Vec<u64>> {
        let items = self.items_for(count);
        let len = items * RECORD.len();
        self.reserve(0, len)?;
        self.fill(0, sentinel, len)?;
        core::set_kernel_arg(&self.kernel, 0, ArgVal::scalar(&(first as u64)))?;
        core::set_kernel_arg(&self.kernel, 1, ArgVal::scalar(&count))?;
        core::set_kernel_arg(&self.kernel, 2, ArgVal::mem(&self.buffers[0].mem))?;
        self.start(items)?;
        let mut records = vec![0; len];
        self.read(0, &mut records)?;
        Ok(records)
    }
}

impl Launch for OpenClKernel {
    fn point(
        &mut self,
        inputs: &[&[u64]],
        outputs: &mut [&mut [u64]],
        sentinel: u64,
    ) -> Result<(), String> {
        check_columns(&self.signature, inputs, outputs)?;
        self.run(|handles| handles.point(inputs, outputs, sentinel))
    }

    fn sweep(&mut self, first: i64, count: u64, sentinel: u64) -> Result<Vec<u64>, String> {
        check_signature(&self.signature, &Signature::Sweep)?;
        self.run(|handles| handles.sweep(first, count, sentinel))
    }
}
