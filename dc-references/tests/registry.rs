//! The compiled references are those that the registry describes.

use dc_references::{function_of, reference};
use dc_runtime::builtins::reference::{REFERENCES, REFERENCES_OF_TWO};
use dc_runtime::model::candidate::Reference;
use dc_runtime::model::key::Precision;
use dc_runtime::model::space::InputSpace;

#[test]
fn they_are_those_of_the_registry() {
    for r in REFERENCES.iter().chain(REFERENCES_OF_TWO) {
        let inputs = |p| match r.function.arguments() {
            1 => InputSpace::Numbers(p),
            _ => InputSpace::pairs(p),
        };
        for (inputs, tier) in [
            (inputs(Precision::F32), Some(r.binary32)),
            (inputs(Precision::F64), r.binary64),
        ] {
            let found = reference(r.name, inputs);
            assert_eq!(
                found.as_ref().map(Reference::name),
                tier.map(|t| t.kernel.name),
                "{}",
                r.name
            );
            if let Some(tier) = tier {
                assert_eq!(function_of(tier.kernel.name, inputs), Some(r.name));
            }
        }
    }
}
