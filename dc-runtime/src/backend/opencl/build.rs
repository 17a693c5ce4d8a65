//! Programs, built from a text by the device's compiler, or loaded from the binary that the compiler made from this text before.

use std::ffi::CString;
use std::sync::{Mutex, PoisonError};

use kernels_gen::emit::{CorrectF32Divide, Source};
use ocl::core::{
    self, Program, ProgramBuildInfo, ProgramBuildInfoResult, ProgramInfo, ProgramInfoResult,
};

use super::OpenCl;
use super::facts::Facts;
use crate::backend::cache::Key;
use crate::backend::options::{CompileOptions, Compiler};
use crate::backend::text::Failure;

impl OpenCl {
    /// The program of a text. It is compiled unless the cache contains it.
    pub(super) fn program(
        &self,
        source: &Source,
        options: &CompileOptions,
    ) -> Result<Program, Failure> {
        let text = self.text(source);
        let Facts {
            name,
            platform,
            driver,
            ..
        } = &self.facts;
        let key = Key::new(&[
            ("source", &text),
            ("compiler", platform),
            ("files", &self.files),
            ("options", &options.to_string()),
            ("device", name),
            ("driver", driver),
        ]);
        let options =
            CString::new(options.to_string()).map_err(|e| Failure::Load(e.to_string()))?;
        let cached = self.cache.get(&key).and_then(|b| self.reload(&b, &options));
        Ok(match cached {
            Some(program) => program,
            None => {
                let program = self.build(&text, &options)?;
                // A binary takes time to make: it is asked for where it is stored.
                if self.cache.private_dir().is_some()
                    && let Some(binary) = Self::binary(&program)
                {
                    self.cache.put(&key, &binary);
                }
                program
            }
        })
    }

    /// Builds a program from its source; fails with the compiler's log if it rejects the source.
    fn build(&self, text: &str, options: &CString) -> Result<Program, Failure> {
        let load = |e: core::Error| Failure::Load(e.to_string());
        let text = CString::new(text).map_err(|e| Failure::Load(e.to_string()))?;
        let program = core::create_program_with_source(&self.context, &[text]).map_err(load)?;
        self.link(&program, options)
            .map_err(Failure::Compile)
            .map(|()| program)
    }

    /// A program from a binary of [`OpenCl::binary`]. `None` if the driver rejects the binary.
    fn reload(&self, binary: &[u8], options: &CString) -> Option<Program> {
        let program =
            core::create_program_with_binary(&self.context, &[self.device], &[binary]).ok()?;
        self.link(&program, options).ok().map(|()| program)
    }

    fn link(&self, program: &Program, options: &CString) -> Result<(), String> {
        // Only one at a time: compilers built on LLVM have not always been safe to enter from two threads.
        static BUILD: Mutex<()> = Mutex::new(());
        let _alone = BUILD.lock().unwrap_or_else(PoisonError::into_inner);
        let built = core::build_program(program, Some(&[self.device]), options, None, None);
        // `ocl` treats a failed build with an empty log as a success, so the status is queried.
        let status =
            core::get_program_build_info(program, self.device, ProgramBuildInfo::BuildStatus);
        if let (
            Ok(()),
            Ok(ProgramBuildInfoResult::BuildStatus(core::ProgramBuildStatus::Success)),
        ) = (&built, &status)
        {
            return Ok(());
        }
        let log = core::get_program_build_info(program, self.device, ProgramBuildInfo::BuildLog)
            .map(|log| log.to_string())
            .unwrap_or_default();
        Err(match built {
            _ if !log.trim().is_empty() => log,
            Err(e) => e.to_string(),
            Ok(()) => "the build failed, and the compiler gives no log".into(),
        })
    }

    /// The program as stored by the driver.
    fn binary(program: &Program) -> Option<Vec<u8>> {
        match core::get_program_info(program, ProgramInfo::Binaries) {
            Ok(ProgramInfoResult::Binaries(binaries)) => {
                binaries.into_iter().next().filter(|b| !b.is_empty())
            }
            _ => None,
        }
    }

    /// Options without which the device's compiler does not work.
    pub(super) fn own(&self) -> Vec<String> {
        match self.facts.slow {
            // Clang combines two shifts to a rotation, which oclgrind 21.10 does not support (llvm.fshl); and without
            // that pass, inlining leaves markers that it does not support either.
            true => ["-cl-opt-disable", "-Dalways_inline=noinline"]
                .map(Into::into)
                .into(),
            false => Vec::new(),
        }
    }

    /// The options for kernels.
    pub(super) fn options(&self) -> Result<CompileOptions, Failure> {
        // Warnings about the text's unused helpers and constants are disabled.
        let mut own = vec!["-w".to_string()];
        own.extend(self.own());
        if self.facts.divide == CorrectF32Divide::Native {
            own.push("-cl-fp32-correctly-rounded-divide-sqrt".into());
        }
        CompileOptions::new(Compiler::OpenCl, &own).map_err(|e| Failure::Compile(e.to_string()))
    }

    #[cfg(not(test))]
    fn text(&self, source: &Source) -> String {
        source.text.clone()
    }

    #[cfg(test)]
    fn text(&self, source: &Source) -> String {
        match self.alter {
            Some(alter) => alter(&source.text),
            None => source.text.clone(),
        }
    }
}
