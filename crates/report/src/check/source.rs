//! Source text to quote.
//!
//! Files are read when the first finding quotes them, once. A file that is missing, huge or no longer
//! what it was costs the quotation and nothing else.

use std::collections::BTreeMap;
use std::path::Path;

/// Larger files are not quoted.
const LARGEST: u64 = 8 << 20;

/// The lines of source files.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: BTreeMap<String, Option<Vec<String>>>,
}

impl Sources {
    /// Sources with the text of some files given; others are read from disk.
    pub fn given<'text>(files: impl IntoIterator<Item = (&'text str, &'text str)>) -> Self {
        let files = files
            .into_iter()
            .map(|(name, text)| (name.to_owned(), Some(split(text))))
            .collect();
        Sources { files }
    }

    /// The lines `first..=last` of `file`, without their ends, if all of them are there.
    pub fn lines(&mut self, file: &str, first: u32, last: u32) -> Option<&[String]> {
        if !self.files.contains_key(file) {
            self.files.insert(file.to_owned(), read(Path::new(file)));
        }
        let lines = self.files.get(file)?.as_ref()?;
        let quoted = lines.get(first.checked_sub(1)? as usize..last as usize)?;
        (!quoted.is_empty()).then_some(quoted)
    }
}

fn read(file: &Path) -> Option<Vec<String>> {
    let about = file.metadata().ok()?;
    // A pipe or a device would never end.
    if !about.is_file() || about.len() > LARGEST {
        return None;
    }
    let bytes = std::fs::read(file).ok()?;
    Some(split(&String::from_utf8_lossy(&bytes)))
}

fn split(text: &str) -> Vec<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one_and_must_exist() {
        let mut sources = Sources::given([("m.py", "\u{feff}a\r\nb\nc")]);
        assert_eq!(sources.lines("m.py", 1, 2).unwrap(), ["a", "b"]);
        assert_eq!(sources.lines("m.py", 3, 3).unwrap(), ["c"]);
        assert_eq!(sources.lines("m.py", 3, 4), None);
        assert_eq!(sources.lines("m.py", 0, 1), None);
        assert_eq!(sources.lines("m.py", 3, 2), None);
    }

    #[test]
    fn what_cannot_be_read_has_no_lines() {
        let mut sources = Sources::default();
        assert_eq!(sources.lines("no/such/file.py", 1, 1), None);
        assert_eq!(sources.lines("/dev/zero", 1, 1), None);
    }
}
