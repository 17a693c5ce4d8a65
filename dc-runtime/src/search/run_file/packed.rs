//! Histograms in few bytes.

/// A histogram in few bytes: each count as LEB128, without empty bins at the end.
pub(super) fn pack(histogram: &[u64]) -> Vec<u8> {
    let used = histogram.iter().rposition(|&n| n != 0).map_or(0, |i| i + 1);
    let mut bytes = Vec::new();
    for &n in &histogram[..used] {
        let mut n = n;
        while n >= 0x80 {
            bytes.push(n as u8 | 0x80);
            n >>= 7;
        }
        bytes.push(n as u8);
    }
    bytes
}

/// Parses the output of [`pack`] into bins, which must all be 0 before.
pub(super) fn unpack(bytes: &[u8], histogram: &mut [u64]) -> Result<(), String> {
    let bad = || "a histogram that cannot be read".to_string();
    let mut bytes = bytes.iter();
    let mut bin = 0;
    while bytes.len() > 0 {
        let slot = histogram.get_mut(bin).ok_or_else(bad)?;
        let mut shift = 0;
        loop {
            let b = *bytes.next().ok_or_else(bad)?;
            if shift > 63 || (shift == 63 && b > 1) {
                return Err(bad());
            }
            *slot |= u64::from(b & 0x7f) << shift;
            shift += 7;
            if b < 0x80 {
                break;
            }
        }
        bin += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{pack, unpack};
    use crate::model::block::BINS;

    #[test]
    fn histograms_pack() {
        let read = |bytes: &[u8]| {
            let mut h = [0; BINS];
            unpack(bytes, &mut h).map(|()| h)
        };
        let mut h = [0; BINS];
        assert!(pack(&h).is_empty());
        assert_eq!(read(&[]), Ok(h));
        h[0] = 1 << 32;
        h[3] = u64::MAX;
        h[15] = 127;
        assert_eq!(read(&pack(&h)), Ok(h));
        assert!(read(&[0x80]).is_err());
        assert!(read(&[0; BINS + 1]).is_err());
        assert!(read(&[0xff; 11]).is_err());
    }
}
