//! Frames of AWS event streams, made by hand.

/// A frame with headers that are texts.
///
/// # Panics
///
/// When a header or the payload is too long for a frame.
#[must_use]
pub fn frame(headers: &[(&str, &str)], payload: &[u8]) -> Vec<u8> {
    let mut named = Vec::new();
    for (name, value) in headers {
        named.push(u8::try_from(name.len()).expect("a short name"));
        named.extend_from_slice(name.as_bytes());
        // What follows is a text.
        named.push(7);
        named.extend_from_slice(&u16::try_from(value.len()).expect("a short value").to_be_bytes());
        named.extend_from_slice(value.as_bytes());
    }
    let length = |bytes: usize| u32::try_from(bytes).expect("a short frame").to_be_bytes();
    let mut frame = [length(12 + named.len() + payload.len() + 4), length(named.len())].concat();
    frame.extend_from_slice(&checksum(&frame));
    frame.extend_from_slice(&named);
    frame.extend_from_slice(payload);
    frame.extend_from_slice(&checksum(&frame));
    frame
}

/// An event of a stream.
#[must_use]
pub fn event(name: &str, payload: &[u8]) -> Vec<u8> {
    frame(&[(":message-type", "event"), (":event-type", name), (":content-type", "application/json")], payload)
}

/// The CRC-32 that zip files have.
fn checksum(bytes: &[u8]) -> [u8; 4] {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    (!crc).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_zip_files() {
        assert_eq!(checksum(b"123456789"), 0xCBF4_3926_u32.to_be_bytes());
        assert_eq!(frame(&[], b"").len(), 16);
    }
}
