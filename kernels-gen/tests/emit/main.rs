//! Emitted text, compared with Rust: every operation bit for bit through the host's C++ compiler, constructs that the
//! text must and must not contain, golden files, GLSL as C++ with its own functions, and the OpenCL text through clang's parser.

mod build;
mod cxx;
mod every_op;
mod gappa;
mod golden;
mod inputs;
mod plain;
mod shader;
mod sweep;
mod text;
