import { InvalidArgumentError } from 'commander';
import { eventTypes } from '../../src/contract/event-types.ts';
import { auditRecords } from '../../src/contract/fields/audit.ts';
import { conversations } from '../../src/contract/fields/conversations.ts';
import { type Field, leadingFields, type Noun, sortsOfNoun } from '../../src/contract/fields/field.ts';
import { issues } from '../../src/contract/fields/issues.ts';
import type { ViewList } from '../../src/contract/fields/views.ts';
import { doors } from '../../src/contract/vocabulary.ts';
import { parseMoment } from '../../src/shared/moments.ts';
import { UsageError } from '../errors.ts';
import { readFilter, type Term, type Terms, type UsedWords } from './filter.ts';

/** Returns the terms of a noun: its fields that lists filter by, what it selects by a word, its number, and its times. */
export function termsOf(noun: Noun): Terms {
  const own = leadingFields(noun, 'filter').map(([name, field]) => termOfField(name, field));
  const [word] = noun.is ?? [];
  const isNumbered = noun.fields.id?.kind === 'id';
  const isTimed = Object.values(sortsOfNoun(noun))[0] === 'time';
  return {
    ...Object.fromEntries(own),
    ...(word === undefined ? {} : { is: wordTerm(word) }),
    ...(isNumbered ? { id: idTerm } : {}),
    ...(isTimed ? timeTerms : {}),
  };
}

function termOfField(name: string, { kind, words = [], isOpen, filter }: Field): readonly [string, Term] {
  const asTyped = (value: string) => value;
  if (kind === 'labels') return ['label', { parameter: 'label', read: asTyped }];
  if (kind === 'admin') return ['assignee', { parameter: 'assignee', read: asTyped, isPerson: true }];
  if (kind === 'flag') {
    const short = name.replace(/^is_/, '');
    const read = (value: string) => (wordOf(short, value, ['yes', 'no']) === 'yes' ? '1' : '0');
    return [short, { parameter: name, read, write: (value) => (value === '1' ? 'yes' : 'no') }];
  }
  if (kind !== 'word') return [name, { parameter: name, read: asTyped }];
  const read = (value: string, used: UsedWords) => {
    const known = [...new Set([...words, ...(used?.[name] ?? [])])];
    // A word of one's own can only be told from a mistake when the words in use are known.
    const isChecked = !isOpen || used !== undefined;
    return (filter === 'some' ? value.split(',') : [value])
      .map((each) => wordOf(name, each, known, isChecked))
      .join(',');
  };
  const write = (value: string) =>
    value
      .split(',')
      .map((each) => (words.includes(each) ? each.replaceAll(' ', '').toLowerCase() : each))
      .join(',');
  return [name, { parameter: name, read, write }];
}

/**
 * Returns the only known word that starts with a text, in any case and without its spaces.
 *
 * @param isChecked - whether another word is wrong
 */
function wordOf(name: string, text: string, known: readonly string[], isChecked = true): string {
  const plain = (word: string) => word.toLowerCase().replaceAll(/[\s_-]/g, '');
  const exact = known.find((word) => word === text) ?? known.find((word) => plain(word) === plain(text));
  const found = exact === undefined ? known.filter((word) => plain(word).startsWith(plain(text))) : [exact];
  const [only, another] = found;
  if (only !== undefined && another === undefined) return only;
  if (!isChecked) return text;
  if (another !== undefined)
    throw new InvalidArgumentError(`${name}:${text} can be ${listed(found)}. Type more of it.`);
  const advice = known.length === 0 ? '' : ` Use ${listed(known)}.`;
  throw new InvalidArgumentError(`No ${name} “${text}”.${advice}`);
}

/** The most words that a sentence lists. */
const maxListed = 6;

/** Lists words as a sentence does: `Low, Medium or High`. */
function listed(names: readonly string[]): string {
  if (names.length > maxListed) return `${names.slice(0, maxListed).join(', ')} …`;
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);
}

/** Returns a term that takes a text as it is typed, or one of some words. */
export const termFor = (parameter: string, words?: readonly string[]): Term => ({
  parameter,
  read: (value) => (words === undefined ? value : wordOf(parameter, value, words)),
});

const wordTerm = (word: string): Term => ({
  parameter: word,
  read(value) {
    if (!word.startsWith(value.toLowerCase())) throw new InvalidArgumentError(`Use is:${word}.`);
    return 'true';
  },
  write: () => word,
});

const idTerm: Term = {
  parameter: 'id',
  read(value) {
    if (!/^#?\d{1,15}$/.test(value)) throw new InvalidArgumentError(`No number “${value}”.`);
    return value.replace('#', '');
  },
};

const timeTerm = (parameter: 'since' | 'until'): Term => ({
  parameter,
  isTime: true,
  read(text) {
    const value = parseMoment(text);
    if (value === undefined)
      throw new InvalidArgumentError(`No time “${text}”. Use 30d, yesterday or 2026-01-31.`);
    return value;
  },
});

const timeTerms: Terms = { older: timeTerm('until'), newer: timeTerm('since') };

/**
 * Returns the parameters that a filter stands for as a view keeps them: its times stay relative.
 *
 * @throws UsageError that says why no row can match
 */
export function parametersOf(text: string, terms: Terms, used?: UsedWords): Readonly<Record<string, string>> {
  const kept = Object.fromEntries(
    Object.entries(terms).map(([name, term]) => [name, term.isTime ? asWritten(term) : term]),
  );
  const known = readFilter(text, kept, used);
  // A word that no row has may be in use again.
  const { filter, problem } = known.problem === undefined ? known : readFilter(text, kept);
  if (problem !== undefined) throw new UsageError(problem);
  return filter;
}

function asWritten(term: Term): Term {
  return {
    ...term,
    read(value, used) {
      term.read(value, used);
      return value;
    },
  };
}

/** Returns the filter that stands for parameters. */
export function filterOf({ q = '', ...parameters }: Readonly<Record<string, string>>, terms: Terms): string {
  const parts = Object.entries(parameters).map(([parameter, value]) => {
    const found = Object.entries(terms).find(([, term]) => term.parameter === parameter);
    const [name, { write = String }] = found ?? [parameter, {}];
    const written = write(value);
    return `${name}:${/^[^\s"']+$/.test(written) ? written : quoted(written)}`;
  });
  const isPlain = Object.keys(terms).length === 0 || !/["':]/.test(q);
  return [...parts, ...(q === '' ? [] : [isPlain ? q : quoted(q)])].join(' ');
}

const quoted = (text: string) => (text.includes('"') ? `'${text.replaceAll("'", ' ')}'` : `"${text}"`);

/** What the filters of the lists that have views may name. */
export const viewTerms: Readonly<Record<ViewList, Terms>> = {
  issues: termsOf(issues),
  conversations: { ...termsOf(conversations), visitor: termFor('visitor_email') },
  audit: {
    ...termsOf(auditRecords),
    actor: termFor('actor'),
    event: termFor('event', eventTypes),
    door: termFor('door', doors),
    operation: termFor('operation'),
    subject: termFor('subject_id'),
    id: termFor('subject_id'),
  },
};
