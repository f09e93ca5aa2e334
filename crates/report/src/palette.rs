//! Colour, and making a program's output safe to show.

/// Whether text carries terminal colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Palette {
    /// No escape sequences at all.
    #[default]
    Plain,
    /// ANSI colours.
    Ansi,
}

/// What a piece of text is; the palette knows how that looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Call,
    Output,
    Error,
    Doubt,
    Location,
    Good,
}

impl Palette {
    /// `text`, looking like `role`.
    pub(crate) fn paint(self, role: Role, text: &str) -> String {
        let code = match role {
            Role::Call => "1",
            Role::Output => "36",
            Role::Error => "31",
            Role::Doubt => "33",
            Role::Location => "2",
            Role::Good => "32",
        };
        match self {
            Palette::Plain => text.to_owned(),
            Palette::Ansi => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

/// `text` with control characters and line ends spelt out, so that what a program printed cannot move
/// the cursor or recolour the report. Tabs stay.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => shown.push(character),
            '\u{2028}' | '\u{2029}' => shown.extend(character.escape_default()),
            _ if character.is_control() => shown.extend(character.escape_default()),
            _ => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_of_the_program_do_not_reach_the_terminal() {
        assert_eq!(
            visible("\x1b[31mred\r\tß\u{9b}"),
            "\\u{1b}[31mred\\r\tß\\u{9b}"
        );
    }
}
