//! Launches on a CUDA device.

use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DevicePtrMut, DriverError, LaunchConfig,
    PushKernelArg, sys,
};
use kernels_gen::emit::{BLOCK, MERGED, PIECE, RECORD, Signature, Source};

use super::cuda::error_text;
use super::launch::{Launch, check_columns, check_signature, checks_without};

/// A kernel, a separate stream and the buffers it has used so far.
pub(super) struct CudaKernel {
    stream: Arc<CudaStream>,
    function: CudaFunction,
    /// The kernel that merges a search's records.
    merge: Option<CudaFunction>,
    signature: Signature,
    /// The largest number of threads of a launch: as many as are resident at a time, so that all of them end at the same time.
    threads: u32,
    buffers: Vec<CudaSlice<u64>>,
}

impl CudaKernel {
    pub fn new(
        context: &Arc<CudaContext>,
        function: CudaFunction,
        merge: Option<CudaFunction>,
        source: &Source,
        multiprocessors: u32,
    ) -> Result<Self, DriverError> {
        let blocks = function.occupancy_max_active_blocks_per_multiprocessor(BLOCK, 0, None)?;
        Ok(CudaKernel {
            stream: context.new_stream()?,
            threads: multiprocessors * blocks.max(1) * BLOCK,
            function,
            merge,
            signature: source.signature.clone(),
            buffers: Vec::new(),
        })
    }

    /// Makes buffer `i` at least `len` words long.
    fn reserve(&mut self, i: usize, len: usize) -> Result<(), DriverError> {
        if self.buffers.get(i).is_some_and(|b| b.len() >= len) {
            return Ok(());
        }
        // SAFETY: the buffer is written before it is read: inputs by a copy, outputs by `fill`.
        let buffer = unsafe { self.stream.alloc::<u64>(len) }?;
        match self.buffers.get_mut(i) {
            Some(old) => *old = buffer,
            None => self.buffers.push(buffer),
        }
        Ok(())
    }

    /// Fills the first `len` words of a buffer with a word whose halves are equal.
    fn fill(&mut self, i: usize, sentinel: u64, len: usize) -> Result<(), DriverError> {
        debug_assert_eq!(sentinel as u32, (sentinel >> 32) as u32);
        self.stream.context().bind_to_thread()?;
        let (address, _used) = self.buffers[i].device_ptr_mut(&self.stream);
        // SAFETY: the buffer has at least `len` words, each twice the memset's unit.
        unsafe { sys::cuMemsetD32Async(address, sentinel as u32, 2 * len, self.stream.cu_stream()) }
            .result()
    }

    /// As many threads as `elements` need, up to the largest number of a launch.
    fn shape(&self, elements: u64) -> LaunchConfig {
        let threads = elements.min(u64::from(self.threads)) as u32;
        LaunchConfig {
            grid_dim: (threads.div_ceil(BLOCK).max(1), 1, 1),
            block_dim: (BLOCK, 1, 1),
            shared_mem_bytes: 0,
        }
    }

    fn run_point(
        &mut self,
        inputs: &[&[u64]],
        outputs: &mut [&mut [u64]],
        sentinel: u64,
    ) -> Result<(), DriverError> {
        let n = inputs.first().map_or(0, |c| c.len());
        for (i, column) in inputs.iter().enumerate() {
            self.reserve(i, n)?;
            self.stream
                .memcpy_htod(*column, &mut self.buffers[i].slice_mut(..n))?;
        }
        let first_output = inputs.len();
        for i in first_output..first_output + outputs.len() {
            self.reserve(i, n)?;
            self.fill(i, sentinel, n)?;
        }
        let count = n as u64;
        let mut launch = self.stream.launch_builder(&self.function);
        for buffer in &self.buffers {
            launch.arg(buffer);
        }
        launch.arg(&count);
        // SAFETY: the arguments are those of `kernels_gen::emit::Signature::Point`: a buffer of `n` words for each
        // parameter and result, then `n`.
        unsafe { launch.launch(self.shape(count)) }?;
        for (i, column) in outputs.iter_mut().enumerate() {
            let filled = self.buffers[first_output + i].slice(..n);
            self.stream.memcpy_dtoh(&filled, *column)?;
        }
        self.stream.synchronize()
    }

    /// A search: of pieces, in their rows, if the kernel is one for maxima.
    fn run_search(
        &mut self,
        first: i64,
        count: u64,
        pieces: Option<&[u64]>,
        sentinel: u64,
    ) -> Result<Vec<u64>, DriverError> {
        let shape = self.shape(count);
        let threads = shape.grid_dim.0 * BLOCK;
        let groups = threads.div_ceil(MERGED);
        let (len, merged_len) = (
            threads as usize * RECORD.len(),
            groups as usize * RECORD.len(),
        );
        for (i, len) in [len, merged_len].into_iter().enumerate() {
            self.reserve(i, len)?;
            self.fill(i, sentinel, len)?;
        }
        let first = first as u64;
        let many = pieces.map_or(0, |rows| rows.len() / PIECE.len()) as u64;
        if let Some(rows) = pieces {
            self.reserve(2, rows.len())?;
            self.stream
                .memcpy_htod(rows, &mut self.buffers[2].slice_mut(..rows.len()))?;
        }
        let mut launch = self.stream.launch_builder(&self.function);
        launch.arg(&first).arg(&count);
        if pieces.is_some() {
            launch.arg(&self.buffers[2]).arg(&many);
        }
        launch.arg(&self.buffers[0]);
        // SAFETY: the arguments are those of `kernels_gen::emit::Signature::Sweep`, or with pieces of `Signature::Maxima`; each piece
        // has its words, and there is a record for each thread.
        unsafe { launch.launch(shape) }?;
        let threads = u64::from(threads);
        let merge = self.merge.as_ref().expect("a search has it");
        let mut launch = self.stream.launch_builder(merge);
        launch.arg(&self.buffers[0]).arg(&threads);
        launch.arg(&self.buffers[1]).arg(&sentinel);
        let shape = LaunchConfig {
            grid_dim: (groups, 1, 1),
            block_dim: (32, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: the arguments are those that `Signature::Sweep` names, and there is a record for each group.
        unsafe { launch.launch(shape) }?;
        let mut merged = vec![sentinel; merged_len];
        self.stream
            .memcpy_dtoh(&self.buffers[1].slice(..merged_len), &mut merged)?;
        self.stream.synchronize()?;
        checks_without(sentinel, &mut merged);
        Ok(merged)
    }
}

impl Launch for CudaKernel {
    fn point(
        &mut self,
        inputs: &[&[u64]],
        outputs: &mut [&mut [u64]],
        sentinel: u64,
    ) -> Result<(), String> {
        check_columns(&self.signature, inputs, outputs)?;
        self.run_point(inputs, outputs, sentinel)
            .map_err(error_text)
    }

    fn sweep(&mut self, first: i64, count: u64, sentinel: u64) -> Result<Vec<u64>, String> {
        check_signature(&self.signature, &Signature::Sweep)?;
        self.run_search(first, count, None, sentinel)
            .map_err(error_text)
    }

    fn maxima(
        &mut self,
        first: i64,
        count: u64,
        pieces: &[u64],
        sentinel: u64,
    ) -> Result<Vec<u64>, String> {
        check_signature(&self.signature, &Signature::Maxima)?;
        self.run_search(first, count, Some(pieces), sentinel)
            .map_err(error_text)
    }
}
