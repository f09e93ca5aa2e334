//! Systems of linear equations and inequalities over the integers.
//!
//! Equations are solved exactly: an unknown is expressed by the others, and where no coefficient is one, a
//! new unknown takes the place of an old one such that coefficients shrink as in Euclid's algorithm. From the
//! inequalities unknowns are then eliminated pair by pair, which keeps every solution, so what is impossible in
//! the end is impossible. Values are chosen backwards, as near to the hint as bounds allow. That may fail although
//! there is a solution: the reals have more of them than the integers.

/// More inequalities than this at a time, or made in all, are given up on: elimination can square their number.
const MAX_ROWS: usize = 64;
const MAX_MADE: usize = 1_000;
/// Unknowns, those that were put in the place of others included.
const MAX_UNKNOWNS: usize = 64;
/// Values tried for all unknowns together.
const MAX_STEPS: u32 = 200;
/// Values tried for one unknown, besides its bounds.
const NEAREST: usize = 3;

/// One unknown of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unknown(usize);

impl Unknown {
    pub(super) fn index(self) -> usize {
        self.0
    }
}

/// A sum of multiples of unknowns and a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Form {
    /// By unknown; those that are missing are zero.
    factors: Vec<i128>,
    constant: i128,
}

/// Why there is no answer yet, or the one that there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Impossible,
    TooLarge,
}

type Step<T> = Result<T, Stop>;

/// Larger numbers are not computed with; those that are kept can be negated and counted on from.
const MAX_SIZE: u128 = 1 << 120;

fn fits(value: Option<i128>) -> Step<i128> {
    value
        .filter(|value| value.unsigned_abs() < MAX_SIZE)
        .ok_or(Stop::TooLarge)
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

impl Form {
    pub(super) fn add_constant(&mut self, constant: i128) -> Step<()> {
        self.constant = fits(self.constant.checked_add(constant))?;
        Ok(())
    }

    pub(super) fn add_multiple(&mut self, unknown: Unknown, factor: i128) -> Step<()> {
        let slot = self.slot(unknown.0);
        *slot = fits(slot.checked_add(factor))?;
        Ok(())
    }

    /// The same with every part negated.
    pub(super) fn negated(&self) -> Step<Form> {
        let mut negated = Form::default();
        negated.add_scaled(self, -1)?;
        Ok(negated)
    }

    fn slot(&mut self, index: usize) -> &mut i128 {
        if self.factors.len() <= index {
            self.factors.resize(index + 1, 0);
        }
        &mut self.factors[index]
    }

    fn factor(&self, index: usize) -> i128 {
        self.factors.get(index).copied().unwrap_or(0)
    }

    fn add_scaled(&mut self, other: &Form, scale: i128) -> Step<()> {
        for (index, factor) in other.parts() {
            let product = fits(factor.checked_mul(scale))?;
            self.add_multiple(Unknown(index), product)?;
        }
        self.add_constant(fits(other.constant.checked_mul(scale))?)
    }

    /// The unknowns that matter, with their factors.
    fn parts(&self) -> impl Iterator<Item = (usize, i128)> {
        let parts = self.factors.iter().copied().enumerate();
        parts.filter(|&(_, factor)| factor != 0)
    }

    fn divisor(&self) -> i128 {
        self.parts()
            .fold(0, |divisor, (_, factor)| gcd(divisor, factor))
    }

    fn value(&self, values: &[i128]) -> Step<i128> {
        let mut sum = self.constant;
        for (index, factor) in self.parts() {
            let product = fits(factor.checked_mul(values[index]))?;
            sum = fits(sum.checked_add(product))?;
        }
        Ok(sum)
    }

    /// What is left when the unknown is zero.
    fn without(&self, index: usize, values: &[i128]) -> Step<i128> {
        let product = fits(self.factor(index).checked_mul(values[index]))?;
        fits(self.value(values)?.checked_sub(product))
    }

    fn substitute(&mut self, index: usize, by: &Form) -> Step<()> {
        let factor = std::mem::take(self.slot(index));
        if factor == 0 {
            return Ok(());
        }
        self.add_scaled(by, factor)
    }

    fn divide(&mut self, divisor: i128) {
        for factor in &mut self.factors {
            *factor /= divisor;
        }
        // Rounding up: from `d * x + c <= 0` follows `x + ceil(c / d) <= 0`.
        self.constant = -(-self.constant).div_euclid(divisor);
    }
}

/// Unknowns and what is required of them.
#[derive(Debug, Default)]
pub(super) struct System {
    /// The value of each unknown that is preferred.
    hints: Vec<i128>,
    zero: Vec<Form>,
    at_most_zero: Vec<Form>,
    not_zero: Vec<Form>,
    /// Unknowns that were expressed by those that are left, or by later ones of this list.
    expressed: Vec<(usize, Form)>,
    /// Unknowns that were eliminated, with the inequalities that mention them and only later ones.
    eliminated: Vec<(usize, Vec<Form>)>,
    /// Inequalities made so far.
    made: usize,
    /// Values tried so far.
    steps: u32,
}

impl System {
    pub(super) fn unknown(&mut self, hint: i128) -> Step<Unknown> {
        if self.hints.len() >= MAX_UNKNOWNS {
            return Err(Stop::TooLarge);
        }
        self.hints.push(hint);
        Ok(Unknown(self.hints.len() - 1))
    }

    pub(super) fn require_zero(&mut self, form: Form) {
        self.zero.push(form);
    }

    pub(super) fn require_at_most_zero(&mut self, form: Form) {
        self.at_most_zero.push(form);
    }

    pub(super) fn require_not_zero(&mut self, form: Form) {
        self.not_zero.push(form);
    }

    /// Finds values that satisfy everything and that are accepted; whether it did.
    pub(super) fn solve(&mut self, accept: &mut dyn FnMut(&[i128]) -> bool) -> Step<bool> {
        while let Some(form) = self.zero.pop() {
            self.solve_equation(form)?;
        }
        self.tidy()?;
        while let Some(index) = self.next_to_eliminate() {
            self.eliminate(index)?;
        }
        let mut values = self.hints.clone();
        self.choose(self.eliminated.len(), &mut values, accept)
    }

    fn solve_equation(&mut self, mut form: Form) -> Step<()> {
        loop {
            let divisor = form.divisor();
            if divisor == 0 {
                return if form.constant == 0 {
                    Ok(())
                } else {
                    Err(Stop::Impossible)
                };
            }
            if form.constant % divisor != 0 {
                return Err(Stop::Impossible);
            }
            form.divide(divisor);
            let smallest = form.parts().min_by_key(|part| part.1.unsigned_abs());
            let Some((index, factor)) = smallest else {
                return Ok(());
            };
            if factor.abs() == 1 {
                *form.slot(index) = 0;
                let mut solution = Form::default();
                solution.add_scaled(&form, -factor)?;
                return self.substitute(index, solution);
            }
            let replacement = self.shrinking(&form, index, factor)?;
            form.substitute(index, &replacement)?;
            self.substitute(index, replacement)?;
        }
    }

    /// A new unknown in the place of one with the smallest factor, such that all other factors become smaller
    /// than that.
    fn shrinking(&mut self, form: &Form, index: usize, factor: i128) -> Step<Form> {
        let mut quotients = Form::default();
        for (other, multiple) in form.parts().filter(|part| part.0 != index) {
            quotients.add_multiple(Unknown(other), multiple.div_euclid(factor))?;
        }
        quotients.add_constant(form.constant.div_euclid(factor))?;
        let hint = fits(self.hints[index].checked_add(quotients.value(&self.hints)?))?;
        let fresh = self.unknown(hint)?;
        let mut replacement = quotients.negated()?;
        replacement.add_multiple(fresh, 1)?;
        Ok(replacement)
    }

    fn substitute(&mut self, index: usize, by: Form) -> Step<()> {
        let all = [&mut self.zero, &mut self.at_most_zero, &mut self.not_zero];
        for form in all.into_iter().flatten() {
            form.substitute(index, &by)?;
        }
        self.expressed.push((index, by));
        Ok(())
    }

    /// Drops what is always true; notices what never is.
    fn tidy(&mut self) -> Step<()> {
        let mut rows = Vec::new();
        for form in std::mem::take(&mut self.at_most_zero) {
            add_row(&mut rows, form)?;
        }
        self.at_most_zero = rows;
        for form in std::mem::take(&mut self.not_zero) {
            match form.divisor() {
                0 if form.constant == 0 => return Err(Stop::Impossible),
                0 => {}
                divisor if form.constant % divisor != 0 => {}
                _ => self.not_zero.push(form),
            }
        }
        Ok(())
    }

    /// The unknown that leaves the fewest inequalities.
    fn next_to_eliminate(&self) -> Option<usize> {
        let is_open = |index: &usize| {
            let gone = self.expressed.iter().map(|entry| entry.0);
            let mut gone = gone.chain(self.eliminated.iter().map(|entry| entry.0));
            !gone.any(|other| other == *index)
        };
        (0..self.hints.len()).filter(is_open).min_by_key(|&index| {
            let factors = self.at_most_zero.iter().map(|form| form.factor(index));
            let (above, below) = factors.fold((0_usize, 0_usize), |(above, below), factor| {
                (
                    above + usize::from(factor > 0),
                    below + usize::from(factor < 0),
                )
            });
            above * below
        })
    }

    fn eliminate(&mut self, index: usize) -> Step<()> {
        let (about, mut rows): (Vec<Form>, Vec<Form>) = std::mem::take(&mut self.at_most_zero)
            .into_iter()
            .partition(|form| form.factor(index) != 0);
        for above in about.iter().filter(|form| form.factor(index) > 0) {
            for below in about.iter().filter(|form| form.factor(index) < 0) {
                let mut row = Form::default();
                row.add_scaled(above, -below.factor(index))?;
                row.add_scaled(below, above.factor(index))?;
                add_row(&mut rows, row)?;
                self.made += 1;
                if self.made > MAX_MADE {
                    return Err(Stop::TooLarge);
                }
            }
        }
        self.at_most_zero = rows;
        self.eliminated.push((index, about));
        Ok(())
    }

    /// Chooses values for the first `left` of the eliminated unknowns; the others have theirs.
    fn choose(
        &mut self,
        left: usize,
        values: &mut Vec<i128>,
        accept: &mut dyn FnMut(&[i128]) -> bool,
    ) -> Step<bool> {
        let Some(last) = left.checked_sub(1) else {
            for (index, form) in self.expressed.iter().rev() {
                values[*index] = form.value(values)?;
            }
            return Ok(accept(values));
        };
        let index = self.eliminated[last].0;
        for value in self.candidates(last, values)? {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Err(Stop::TooLarge);
            }
            values[index] = value;
            if self.choose(last, values, accept)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Values of an eliminated unknown within its bounds, those first that are near the hint.
    fn candidates(&self, position: usize, values: &[i128]) -> Step<Vec<i128>> {
        let (index, rows) = &self.eliminated[position];
        let (mut low, mut high) = (None::<i128>, None::<i128>);
        for row in rows {
            let (factor, rest) = (row.factor(*index), row.without(*index, values)?);
            if factor > 0 {
                let bound = (-rest).div_euclid(factor);
                high = Some(high.map_or(bound, |high| high.min(bound)));
            } else {
                let bound = -(-rest).div_euclid(-factor);
                low = Some(low.map_or(bound, |low| low.max(bound)));
            }
        }
        let inside = |value: &i128| {
            low.is_none_or(|low| low <= *value) && high.is_none_or(|high| *value <= high)
        };
        let excluded = self.excluded(position, values)?;
        let hint = self.hints[*index];
        let nearest = low.map_or(hint, |low| hint.max(low));
        let nearest = high.map_or(nearest, |high| nearest.min(high));
        let reach = excluded.len() + NEAREST;
        let outwards = (0..=reach as i128).flat_map(|step| [nearest + step, nearest - step]);
        let mut candidates: Vec<i128> = Vec::new();
        for value in outwards
            .filter(inside)
            .filter(|value| !excluded.contains(value))
        {
            if candidates.len() < NEAREST && !candidates.contains(&value) {
                candidates.push(value);
            }
        }
        for end in [low, high].into_iter().flatten() {
            if inside(&end) && !excluded.contains(&end) && !candidates.contains(&end) {
                candidates.push(end);
            }
        }
        Ok(candidates)
    }

    /// Values that would make something zero that must not be, given those chosen before.
    fn excluded(&self, position: usize, values: &[i128]) -> Step<Vec<i128>> {
        let index = self.eliminated[position].0;
        let is_open = |other: usize| {
            let mut before = self.eliminated[..position].iter();
            before.any(|entry| entry.0 == other)
        };
        let mut excluded = Vec::new();
        for form in &self.not_zero {
            let factor = form.factor(index);
            if factor == 0 || form.parts().any(|part| is_open(part.0)) {
                continue;
            }
            let rest = form.without(index, values)?;
            if rest % factor == 0 {
                excluded.push(-rest / factor);
            }
        }
        Ok(excluded)
    }
}

/// Adds `form <= 0`, as tight as the integers allow, unless another row says as much.
fn add_row(rows: &mut Vec<Form>, mut form: Form) -> Step<()> {
    let divisor = form.divisor();
    if divisor == 0 {
        return if form.constant <= 0 {
            Ok(())
        } else {
            Err(Stop::Impossible)
        };
    }
    form.divide(divisor);
    let same = |row: &&mut Form| {
        let width = row.factors.len().max(form.factors.len());
        (0..width).all(|index| row.factor(index) == form.factor(index))
    };
    if let Some(row) = rows.iter_mut().find(same) {
        row.constant = row.constant.max(form.constant);
        return Ok(());
    }
    if rows.len() >= MAX_ROWS {
        return Err(Stop::TooLarge);
    }
    rows.push(form);
    Ok(())
}
