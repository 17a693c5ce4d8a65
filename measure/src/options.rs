//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// What `--help` prints.
pub const HELP: &str = "\
measure [--device-day] [--minutes 9] [--out DIR] [--nvrtc FILE] [--kit DIR]

Tries on this machine, with nothing installed, what DoubleCrunch claims: every backend gives the same bits, searches are as
fast as rivals written by hand. Writes DIR/measured.json and DIR/measured.md after each step, and prints a verdict.

  --device-day  what only a GPU can answer, in order of worth: the language's tests on it, every sweep at 2^32 inputs, random
                kernels, rivals in CUDA, tables of its approximate instructions, all its functions, OpenCL
  --minutes N   time for all steps together; each has its own limit (9)
  --out DIR     where the results are written (measured)
  --nvrtc FILE  NVIDIA's run-time compiler, libnvrtc.so.13, in place of the first that is found
  --kit DIR     the folder of the programs, in place of the one that this program is in

It ends with 0 if all that could run is right, 1 if something is wrong, 3 if something did not end in its time or could not
be written, 2 if it was called wrongly.";

pub struct Options {
    pub time: Duration,
    pub out: PathBuf,
    pub nvrtc: Option<PathBuf>,
    pub kit: PathBuf,
    pub device_day: bool,
    pub help: bool,
}

impl Options {
    pub fn read(mut args: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let own = args.next().map(PathBuf::from);
        // Without /proc a program does not know its path, but how it was started.
        let own = std::env::current_exe().ok().or(own);
        let mut options = Options {
            time: Duration::from_secs(9 * 60),
            out: "measured".into(),
            nvrtc: None,
            kit: own
                .and_then(|path| path.parent().map(Into::into))
                .unwrap_or_default(),
            device_day: false,
            help: false,
        };
        while let Some(arg) = args.next() {
            let name = arg.to_string_lossy().into_owned();
            let mut value = || {
                args.next()
                    .ok_or(format!("{name} needs a value; see --help"))
            };
            match name.as_str() {
                "--minutes" => {
                    let text = value()?;
                    let minutes = text.to_str().and_then(|t| t.parse::<f64>().ok());
                    options.time = minutes
                        .filter(|m| *m > 0.0)
                        .and_then(|m| Duration::try_from_secs_f64(60.0 * m).ok())
                        .ok_or(format!(
                            "--minutes {}: it must be a number above 0",
                            text.to_string_lossy()
                        ))?;
                }
                "--out" => options.out = value()?.into(),
                "--nvrtc" => options.nvrtc = Some(value()?.into()),
                "--kit" => options.kit = value()?.into(),
                "--device-day" => options.device_day = true,
                "--help" | "-h" => options.help = true,
                _ => return Err(format!("{name}: there is no such option; see --help")),
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(args: &[&str]) -> Result<Options, String> {
        Options::read(
            std::iter::once("measure")
                .chain(args.iter().copied())
                .map(OsString::from),
        )
    }

    #[test]
    fn options_are_read_and_wrong_ones_named() {
        let given = read(&["--minutes", "0.5", "--out", "x"]).expect("valid");
        assert_eq!(given.time, Duration::from_secs(30));
        assert_eq!(given.out, PathBuf::from("x"));
        for wrong in [
            &["--minutes"][..],
            &["--minutes", "0"],
            &["--minutes", "x"],
            &["--outt"],
        ] {
            let text = read(wrong).err().expect("refused");
            assert!(text.contains(wrong[0]), "{text}");
        }
    }
}
