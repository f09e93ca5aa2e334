//! Terms, stored once each and named by [`TermId`].
//!
//! Caches, slicing and path keys compare terms constantly; with one id per distinct term, equality
//! is an integer compare. The constructors that simplify live in [`crate::simplify`]; this file
//! only stores. Nothing here or there recurses over the depth of a term, since a loop in the
//! analysed program can nest one a hundred thousand levels deep.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use crate::alphabet::{CharClass, CharMap};
use crate::integer::Integer;
use crate::language::Language;
use crate::operation::{ClassId, LanguageId, MapId};
use crate::term::{BinaryOp, Sort, Term, TermId, VarId};
use crate::variables::VarSet;

const SMALLEST_CACHED: i64 = -5;
const LARGEST_CACHED: i64 = 256;
const CACHED: usize = (LARGEST_CACHED - SMALLEST_CACHED + 1) as usize;
const ABSENT: u32 = u32::MAX;

/// The store of terms and variables.
#[derive(Debug)]
pub struct TermPool {
    terms: Vec<Term>,
    facts: Vec<Facts>,
    /// Open addressing over `terms`; the length is a power of two, at most half is used.
    slots: Vec<u32>,
    small: Box<[u32; CACHED]>,
    truth: [TermId; 2],
    variables: Vec<Variable>,
    by_name: FxHashMap<(Box<str>, Sort), TermId>,
    sets: SetStore,
    tables: Tables,
}

/// Tables that operations on text refer to.
#[derive(Debug, Default)]
struct Tables {
    classes: Vec<CharClass>,
    maps: Vec<CharMap>,
    languages: Vec<Language>,
    class_ids: FxHashMap<CharClass, ClassId>,
    map_ids: FxHashMap<CharMap, MapId>,
    language_ids: FxHashMap<Language, LanguageId>,
}

/// What is known about a term from the moment it is stored.
#[derive(Clone, Copy, Debug)]
struct Facts {
    hash: u32,
    set: SetId,
    depth: u32,
    sort: Sort,
    partial: bool,
    text: bool,
    float: bool,
}

#[derive(Debug)]
struct Variable {
    name: Box<str>,
    sort: Sort,
    term: TermId,
}

impl Default for TermPool {
    fn default() -> Self {
        Self::new()
    }
}

impl TermPool {
    /// A pool with no terms but the two truth values.
    pub fn new() -> Self {
        let mut pool = TermPool {
            terms: Vec::new(),
            facts: Vec::new(),
            slots: vec![ABSENT; 256],
            small: Box::new([ABSENT; CACHED]),
            truth: [TermId::new(0), TermId::new(1)],
            variables: Vec::new(),
            by_name: FxHashMap::default(),
            sets: SetStore::new(),
            tables: Tables::default(),
        };
        pool.truth = [
            pool.intern(Term::Bool(false)),
            pool.intern(Term::Bool(true)),
        ];
        pool
    }

    /// The term with this id.
    #[inline]
    pub fn get(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, id: TermId) -> Sort {
        self.facts[id.index()].sort
    }

    /// The length of the longest way down to a constant or variable.
    #[inline]
    pub fn depth(&self, id: TermId) -> u32 {
        self.facts[id.index()].depth
    }

    /// Whether an operation in the term has no value for some operands.
    #[inline]
    pub fn is_partial(&self, id: TermId) -> bool {
        self.facts[id.index()].partial
    }

    /// Whether text occurs in the term.
    #[inline]
    pub fn has_text(&self, id: TermId) -> bool {
        self.facts[id.index()].text
    }

    /// Whether floats occur in the term.
    #[inline]
    pub fn has_float(&self, id: TermId) -> bool {
        self.facts[id.index()].float
    }

    /// The name of a character class.
    pub fn intern_class(&mut self, class: CharClass) -> ClassId {
        let tables = &mut self.tables;
        *tables.class_ids.entry(class).or_insert_with_key(|class| {
            tables.classes.push(class.clone());
            ClassId(tables.classes.len() as u32 - 1)
        })
    }

    /// The name of a character map.
    pub fn intern_map(&mut self, map: CharMap) -> MapId {
        let tables = &mut self.tables;
        *tables.map_ids.entry(map).or_insert_with_key(|map| {
            tables.maps.push(map.clone());
            MapId(tables.maps.len() as u32 - 1)
        })
    }

    /// The name of a language.
    pub fn intern_language(&mut self, language: Language) -> LanguageId {
        let tables = &mut self.tables;
        *tables
            .language_ids
            .entry(language)
            .or_insert_with_key(|language| {
                tables.languages.push(language.clone());
                LanguageId(tables.languages.len() as u32 - 1)
            })
    }

    /// The class of this name.
    pub fn class(&self, id: ClassId) -> &CharClass {
        &self.tables.classes[id.0 as usize]
    }

    /// The map of this name.
    pub fn map(&self, id: MapId) -> &CharMap {
        &self.tables.maps[id.0 as usize]
    }

    /// The language of this name.
    pub fn language(&self, id: LanguageId) -> &Language {
        &self.tables.languages[id.0 as usize]
    }

    /// How many terms are stored.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Never true: the truth values are always there.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The variables that occur in a term.
    #[inline]
    pub fn vars(&self, id: TermId) -> &VarSet {
        self.sets.get(self.facts[id.index()].set)
    }

    /// The variable of this name and sort; asked twice, it is the same variable.
    pub fn variable(&mut self, name: &str, sort: Sort) -> TermId {
        let key = (Box::from(name), sort);
        if let Some(&term) = self.by_name.get(&key) {
            return term;
        }
        let variable = VarId::new(self.variables.len());
        self.variables.push(Variable {
            name: Box::from(name),
            sort,
            term: self.truth[0],
        });
        let term = self.intern(Term::Var(variable));
        self.variables[variable.index()].term = term;
        self.by_name.insert(key, term);
        term
    }

    /// The variable of this name and sort, if it was made.
    pub fn find_variable(&self, name: &str, sort: Sort) -> Option<TermId> {
        self.by_name.get(&(Box::from(name), sort)).copied()
    }

    /// The name a variable was made with.
    pub fn var_name(&self, variable: VarId) -> &str {
        &self.variables[variable.index()].name
    }

    /// The sort of a variable.
    pub fn var_sort(&self, variable: VarId) -> Sort {
        self.variables[variable.index()].sort
    }

    /// The term that is just this variable.
    pub fn var_term(&self, variable: VarId) -> TermId {
        self.variables[variable.index()].term
    }

    /// How many variables were made.
    pub fn var_count(&self) -> usize {
        self.variables.len()
    }

    /// An integer constant.
    pub fn int(&mut self, value: impl Into<Integer>) -> TermId {
        match value.into() {
            Integer::Small(value) => self.small(value),
            big @ Integer::Big(_) => self.intern(Term::Int(big)),
        }
    }

    /// An integer constant that fits a machine word.
    #[inline]
    pub fn small(&mut self, value: i64) -> TermId {
        if !(SMALLEST_CACHED..=LARGEST_CACHED).contains(&value) {
            return self.intern(Term::Int(Integer::Small(value)));
        }
        let position = (value - SMALLEST_CACHED) as usize;
        if self.small[position] == ABSENT {
            let term = self.intern(Term::Int(Integer::Small(value)));
            self.small[position] = term.index() as u32;
        }
        TermId::new(self.small[position] as usize)
    }

    /// A truth value.
    #[inline]
    pub fn bool(&mut self, value: bool) -> TermId {
        self.truth[usize::from(value)]
    }

    /// The integer a term is, if it is a constant.
    #[inline]
    pub fn as_int(&self, id: TermId) -> Option<&Integer> {
        match self.get(id) {
            Term::Int(value) => Some(value),
            Term::Bool(_)
            | Term::Var(_)
            | Term::Not(_)
            | Term::And(..)
            | Term::Or(..)
            | Term::Iff(..)
            | Term::Compare(..)
            | Term::Ite(..)
            | Term::FromBool(_)
            | Term::Unary(..)
            | Term::Binary(..)
            | Term::Text(_)
            | Term::Float(_)
            | Term::Apply(..) => None,
        }
    }

    /// The truth value a term is, if it is a constant.
    #[inline]
    pub fn as_bool(&self, id: TermId) -> Option<bool> {
        match id {
            _ if id == self.truth[0] => Some(false),
            _ if id == self.truth[1] => Some(true),
            _ => None,
        }
    }

    /// Stores a term as it is. Only for tests that compare with the simplifying constructors: the
    /// rest of the crate relies on their canonical forms.
    #[doc(hidden)]
    pub fn unsimplified(&mut self, term: Term) -> TermId {
        self.intern(term)
    }

    /// Stores a term as it is, without simplification, or finds it.
    #[inline]
    pub(crate) fn intern(&mut self, term: Term) -> TermId {
        let hash = hash_of(&term);
        let mask = self.slots.len() - 1;
        let mut position = hash as usize & mask;
        loop {
            let slot = self.slots[position];
            if slot == ABSENT {
                return self.store(term, hash, position);
            }
            if self.facts[slot as usize].hash == hash && self.terms[slot as usize] == term {
                return TermId::new(slot as usize);
            }
            position = (position + 1) & mask;
        }
    }

    fn store(&mut self, term: Term, hash: u32, position: usize) -> TermId {
        let id = TermId::new(self.terms.len());
        let sort = self.sort_of(&term);
        let set = self.set_of(&term);
        let children = term.children();
        let below = children
            .as_slice()
            .iter()
            .map(|child| self.depth(*child) + 1);
        let depth = below.max().unwrap_or(0);
        let partial = self.can_be_undefined(&term);
        let (text, float) = self.theories_of(&term, sort);
        self.slots[position] = id.index() as u32;
        self.terms.push(term);
        self.facts.push(Facts {
            hash,
            set,
            depth,
            sort,
            partial,
            text,
            float,
        });
        if self.terms.len() * 2 > self.slots.len() {
            self.grow();
        }
        id
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![ABSENT; mask + 1];
        for (index, facts) in self.facts.iter().enumerate() {
            let mut position = facts.hash as usize & mask;
            while slots[position] != ABSENT {
                position = (position + 1) & mask;
            }
            slots[position] = index as u32;
        }
        self.slots = slots;
    }

    fn sort_of(&self, term: &Term) -> Sort {
        match term {
            Term::Bool(_)
            | Term::Not(_)
            | Term::And(..)
            | Term::Or(..)
            | Term::Iff(..)
            | Term::Compare(..) => Sort::Bool,
            Term::Int(_) | Term::FromBool(_) | Term::Unary(..) | Term::Binary(..) => Sort::Int,
            Term::Var(variable) => self.var_sort(*variable),
            Term::Ite(_, chosen, _) => self.sort(*chosen),
            Term::Text(text) => text.kind().sort(),
            Term::Float(_) => Sort::Float,
            Term::Apply(op, operands) => {
                let first = operands
                    .first()
                    .map_or(Sort::Int, |&first| self.sort(first));
                op.sort(first)
            }
        }
    }

    /// Whether text, and whether floats, occur in a term.
    fn theories_of(&self, term: &Term, sort: Sort) -> (bool, bool) {
        let (mut text, mut float) = match sort {
            Sort::Str | Sort::Bytes => (true, false),
            Sort::Float => (false, true),
            Sort::Bool | Sort::Int => (false, false),
        };
        if let Term::Apply(op, _) = term {
            text |= op.is_text();
            float |= !op.is_text();
        }
        for child in term.children().as_slice() {
            text |= self.has_text(*child);
            float |= self.has_float(*child);
        }
        (text, float)
    }

    fn can_be_undefined(&self, term: &Term) -> bool {
        let children = term.children();
        if children
            .as_slice()
            .iter()
            .any(|child| self.is_partial(*child))
        {
            return true;
        }
        let Term::Binary(op, _, right) = term else {
            return false;
        };
        let right = self.as_int(*right);
        match op {
            BinaryOp::FloorDiv | BinaryOp::Mod => right.is_none_or(Integer::is_zero),
            BinaryOp::Pow | BinaryOp::Shl | BinaryOp::Shr => right.is_none_or(Integer::is_negative),
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor => false,
        }
    }

    fn set_of(&mut self, term: &Term) -> SetId {
        if let Term::Var(variable) = term {
            return self.sets.find(VarSet::singleton(*variable));
        }
        let children = term.children();
        children.as_slice().iter().fold(SetId::EMPTY, |all, child| {
            let set = self.facts[child.index()].set;
            self.sets.union(all, set)
        })
    }
}

#[inline]
fn hash_of(term: &Term) -> u32 {
    let mut hasher = FxHasher::default();
    term.hash(&mut hasher);
    hasher.finish() as u32
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct SetId(u32);

impl SetId {
    const EMPTY: SetId = SetId(0);
}

/// The distinct variable sets of all terms. A program touches few of them, so each is kept once.
#[derive(Debug)]
struct SetStore {
    sets: Vec<VarSet>,
    ids: FxHashMap<VarSet, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

impl SetStore {
    fn new() -> Self {
        let mut store = SetStore {
            sets: Vec::new(),
            ids: FxHashMap::default(),
            unions: FxHashMap::default(),
        };
        store.find(VarSet::new());
        store
    }

    #[inline]
    fn get(&self, id: SetId) -> &VarSet {
        &self.sets[id.0 as usize]
    }

    fn find(&mut self, set: VarSet) -> SetId {
        if let Some(&id) = self.ids.get(&set) {
            return id;
        }
        let id = SetId(self.sets.len() as u32);
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        id
    }

    fn union(&mut self, left: SetId, right: SetId) -> SetId {
        if left == right || right == SetId::EMPTY {
            return left;
        }
        if left == SetId::EMPTY {
            return right;
        }
        let key = (left.min(right), left.max(right));
        if let Some(&id) = self.unions.get(&key) {
            return id;
        }
        let set = self.get(left).union(self.get(right));
        let id = self.find(set);
        self.unions.insert(key, id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_asked_twice_is_the_same_term() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::Int);
        assert_eq!(pool.variable("x", Sort::Int), x);
        assert_ne!(pool.variable("x", Sort::Bool), x);
        assert_eq!(pool.var_count(), 2);
    }

    #[test]
    fn terms_survive_growth_of_the_table() {
        let mut pool = TermPool::new();
        let ids: Vec<TermId> = (0..10_000).map(|value| pool.small(value * 1_000)).collect();
        for (value, id) in (0..10_000).zip(ids) {
            assert_eq!(pool.small(value * 1_000), id);
            assert_eq!(pool.as_int(id), Some(&Integer::Small(value * 1_000)));
        }
    }

    #[test]
    fn deep_terms_need_no_stack() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::Int);
        let mut term = x;
        for _ in 0..200_000 {
            term = pool.binary(BinaryOp::Mul, term, x);
        }
        assert_eq!(pool.vars(term), &VarSet::singleton(VarId::new(0)));
    }

    #[test]
    fn variable_sets_are_shared() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::Int);
        let y = pool.variable("y", Sort::Int);
        let sum = pool.binary(BinaryOp::Add, x, y);
        let product = pool.binary(BinaryOp::Mul, x, y);
        assert!(std::ptr::eq(pool.vars(sum), pool.vars(product)));
    }
}
