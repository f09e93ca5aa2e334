//! Regular languages: which texts a pattern describes.
//!
//! A language is given as an expression and compiled once to an automaton without empty steps
//! (positions of the expression, after Glushkov), which serves matching here and encoding in the solvers.

use crate::alphabet::CharClass;
use crate::text::Unit;

/// A regular expression in the mathematical sense.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Empty text.
    Empty,
    /// No text at all.
    Nothing,
    /// One unit of a class.
    Class(CharClass),
    /// One after the other.
    Sequence(Vec<Pattern>),
    /// Any of them.
    Choice(Vec<Pattern>),
    /// At least `least` times, at most `most` times if there is a bound.
    Repeat {
        /// What is repeated.
        body: Box<Pattern>,
        /// The fewest repetitions.
        least: u32,
        /// The most repetitions.
        most: Option<u32>,
    },
}

/// An automaton with more positions is not built.
const MAX_POSITIONS: usize = 4_000;

/// A compiled language. State 0 is the start; every other state is entered by a unit of its class.
#[derive(Clone, Debug)]
pub struct Language {
    pattern: Pattern,
    classes: Vec<CharClass>,
    follow: Vec<Vec<u32>>,
    accepting: Vec<bool>,
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.pattern == other.pattern
    }
}

impl Eq for Language {}

impl std::hash::Hash for Language {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.pattern.hash(state);
    }
}

impl Language {
    /// Compiles a pattern; `None` if the automaton would be too large.
    pub fn new(pattern: Pattern) -> Option<Language> {
        let mut builder = Builder {
            classes: vec![CharClass::default()],
            follow: vec![Vec::new()],
        };
        let part = builder.part(&pattern)?;
        builder.follow[0] = part.first;
        let mut accepting = vec![false; builder.classes.len()];
        accepting[0] = part.nullable;
        for state in part.last {
            accepting[state as usize] = true;
        }
        for targets in &mut builder.follow {
            targets.sort_unstable();
            targets.dedup();
        }
        Some(Language {
            pattern,
            classes: builder.classes,
            follow: builder.follow,
            accepting,
        })
    }

    /// The pattern the language was made from.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// How many states there are; the start is state 0.
    pub fn states(&self) -> usize {
        self.classes.len()
    }

    /// The units that enter a state.
    pub fn class(&self, state: usize) -> &CharClass {
        &self.classes[state]
    }

    /// The states that may come next.
    pub fn next(&self, state: usize) -> &[u32] {
        &self.follow[state]
    }

    /// Whether text may end in a state.
    pub fn accepts_in(&self, state: usize) -> bool {
        self.accepting[state]
    }

    /// Whether the whole text is in the language.
    pub fn matches(&self, units: &[Unit]) -> bool {
        let (mut current, mut next) = (vec![0_u32], Vec::new());
        // For each state, after how many units it was last reached.
        let mut reached = vec![0; self.states()];
        for (count, &unit) in (1_usize..).zip(units) {
            for &state in &current {
                for &target in self.next(state as usize) {
                    let last = &mut reached[target as usize];
                    if *last != count && self.class(target as usize).contains(unit) {
                        *last = count;
                        next.push(target);
                    }
                }
            }
            if next.is_empty() {
                return false;
            }
            std::mem::swap(&mut current, &mut next);
            next.clear();
        }
        current.iter().any(|&state| self.accepts_in(state as usize))
    }

    /// The fewest and, if bounded, the most units a text of the language has; `None` if it has no text.
    pub fn lengths(&self) -> Option<(usize, Option<usize>)> {
        lengths(&self.pattern)
    }
}

fn lengths(pattern: &Pattern) -> Option<(usize, Option<usize>)> {
    match pattern {
        Pattern::Empty => Some((0, Some(0))),
        Pattern::Nothing => None,
        Pattern::Class(class) => (!class.is_empty()).then_some((1, Some(1))),
        Pattern::Sequence(parts) => parts.iter().try_fold((0, Some(0)), |sum, part| {
            let (least, most) = lengths(part)?;
            let most = sum
                .1
                .zip(most)
                .map(|(a, b): (usize, usize)| a.saturating_add(b));
            Some((sum.0 + least, most))
        }),
        Pattern::Choice(parts) => parts.iter().filter_map(lengths).reduce(|one, other| {
            let most = one.1.zip(other.1).map(|(a, b)| a.max(b));
            (one.0.min(other.0), most)
        }),
        Pattern::Repeat { body, least, most } => match lengths(body) {
            None => (*least == 0).then_some((0, Some(0))),
            Some((_, Some(0))) => Some((0, Some(0))),
            Some((shortest, longest)) => {
                let most = longest
                    .zip(*most)
                    .map(|(a, b)| a.saturating_mul(b as usize));
                Some((shortest.saturating_mul(*least as usize), most))
            }
        },
    }
}

struct Builder {
    classes: Vec<CharClass>,
    follow: Vec<Vec<u32>>,
}

/// Where a part of the pattern can begin and end.
struct Part {
    nullable: bool,
    first: Vec<u32>,
    last: Vec<u32>,
}

impl Part {
    fn empty() -> Part {
        Part {
            nullable: true,
            first: Vec::new(),
            last: Vec::new(),
        }
    }
}

impl Builder {
    fn part(&mut self, pattern: &Pattern) -> Option<Part> {
        match pattern {
            Pattern::Empty => Some(Part::empty()),
            Pattern::Nothing => Some(Part {
                nullable: false,
                ..Part::empty()
            }),
            Pattern::Class(class) => self.position(class),
            Pattern::Sequence(parts) => parts.iter().try_fold(Part::empty(), |done, part| {
                let next = self.part(part)?;
                Some(self.join(done, next))
            }),
            Pattern::Choice(parts) => {
                let mut all = Part {
                    nullable: false,
                    ..Part::empty()
                };
                for part in parts {
                    let part = self.part(part)?;
                    all.nullable |= part.nullable;
                    all.first.extend(part.first);
                    all.last.extend(part.last);
                }
                Some(all)
            }
            Pattern::Repeat { body, least, most } => self.repeat(body, *least, *most),
        }
    }

    fn position(&mut self, class: &CharClass) -> Option<Part> {
        if self.classes.len() >= MAX_POSITIONS {
            return None;
        }
        let state = self.classes.len() as u32;
        self.classes.push(class.clone());
        self.follow.push(Vec::new());
        Some(Part {
            nullable: false,
            first: vec![state],
            last: vec![state],
        })
    }

    fn join(&mut self, left: Part, right: Part) -> Part {
        for &state in &left.last {
            self.follow[state as usize].extend_from_slice(&right.first);
        }
        let mut first = left.first;
        if left.nullable {
            first.extend_from_slice(&right.first);
        }
        let mut last = right.last;
        if right.nullable {
            last.extend_from_slice(&left.last);
        }
        Part {
            nullable: left.nullable && right.nullable,
            first,
            last,
        }
    }

    fn repeat(&mut self, body: &Pattern, least: u32, most: Option<u32>) -> Option<Part> {
        let mut done = Part::empty();
        for _ in 0..least {
            let next = self.part(body)?;
            done = self.join(done, next);
        }
        let Some(most) = most else {
            let mut star = self.part(body)?;
            for state in star.last.clone() {
                self.follow[state as usize].extend_from_slice(&star.first);
            }
            star.nullable = true;
            return Some(self.join(done, star));
        };
        // a(b(c)?)? : each optional copy follows the one before it.
        let copies: Vec<Part> = (least..most)
            .map(|_| self.part(body))
            .collect::<Option<_>>()?;
        let mut tail = Part::empty();
        for copy in copies.into_iter().rev() {
            tail = self.join(copy, tail);
            tail.nullable = true;
        }
        Some(self.join(done, tail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(text: &str) -> Pattern {
        Pattern::Class(CharClass::new(text.chars().map(|c| (c as Unit, c as Unit))))
    }

    fn repeat(body: Pattern, least: u32, most: Option<u32>) -> Pattern {
        Pattern::Repeat {
            body: Box::new(body),
            least,
            most,
        }
    }

    fn matches(pattern: &Pattern, text: &str) -> bool {
        let units: Vec<Unit> = text.chars().map(u32::from).collect();
        Language::new(pattern.clone()).unwrap().matches(&units)
    }

    #[test]
    fn repeats_count() {
        let pattern = Pattern::Sequence(vec![repeat(class("ab"), 2, Some(4)), class("-")]);
        for (text, expected) in [
            ("a-", false),
            ("ab-", true),
            ("abab-", true),
            ("ababa-", false),
        ] {
            assert_eq!(matches(&pattern, text), expected, "{text}");
        }
    }

    #[test]
    fn nested_repeats_of_possibly_empty_parts() {
        let pattern = repeat(repeat(class("a"), 0, None), 1, None);
        assert!(matches(&pattern, "") && matches(&pattern, "aaa") && !matches(&pattern, "ab"));
    }

    #[test]
    fn lengths_are_bounds() {
        let pattern = Pattern::Choice(vec![repeat(class("a"), 2, Some(5)), class("b")]);
        let language = Language::new(pattern).unwrap();
        assert_eq!(language.lengths(), Some((1, Some(5))));
    }
}
