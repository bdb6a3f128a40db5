import { type Field, leadingFields, type Noun, sortsOfNoun } from '../../src/contract/fields/field.ts';
import type { Access } from '../access/access.ts';
import { textsWith } from '../input/arguments.ts';
import { type FilterValues, parseFilter, type Terms } from '../input/filter.ts';
import { termsOf } from '../input/terms.ts';
import { remark } from '../terminal/terminal.ts';
import { filterBy, flag, type Parameter, type Parameters, time } from './parameters.ts';

// How rows of a noun are selected by its fields.

/** Returns how people call a field that they select rows by. */
const nameOf = (name: string, { kind }: Field) =>
  ({ admin: 'assignee', labels: 'label' })[kind as string] ?? name;

/** Returns an option for each field that a list can be filtered by, and for what it selects by a word. */
export function fieldParameters(noun: Noun): Parameters {
  const [word, about] = noun.is ?? [];
  const fields = leadingFields(noun, 'filter').map(([name, field]) => [nameOf(name, field), filterBy(field)]);
  return { ...Object.fromEntries(fields), ...(word === undefined ? {} : { [word]: flag(`only ${about}`) }) };
}

/** What a time in the past participle is called: what happened to a row then. */
const happened: Readonly<Record<string, string>> = {
  created_at: 'created',
  updated_at: 'updated',
  started_at: 'started',
  at: 'made',
};

/** Returns the options that select the rows of a list by the time that it is sorted by; none without such a time. */
export function timeParameters(noun: Noun): Parameters {
  const [name = '', kind] = Object.entries(sortsOfNoun(noun))[0] ?? [];
  if (kind !== 'time') return {};
  return {
    since: time(`only ${happened[name]} at or after this time: 2026-01-31, yesterday, or 7d`),
    until: time(`only ${happened[name]} before this time`),
  };
}

/** Takes a filter such as `severity:high older:30d checkout`. */
export function filter(noun: Noun, about: string): Parameter<FilterValues | undefined> {
  const terms = optionTerms(noun);
  return {
    place: 'option',
    about: `${about}, such as '${noun.filterExample}'`,
    parts: [...Object.keys(terms), 'search'],
    parse: (text) => parseFilter(text, terms),
  };
}

/** Returns the terms that stand for options. A script means the very word that it writes, where rows may have any. */
function optionTerms(noun: Noun): Terms {
  const { id: _id, ...terms } = termsOf(noun);
  const open = leadingFields(noun, 'filter').flatMap(([name, { isOpen, words = [] }]) =>
    isOpen ? [[name, { parameter: name, read: textsWith(words) }] as const] : [],
  );
  return { ...terms, ...Object.fromEntries(open), ...timeOptions(terms) };
}

/** The times by the names of the options too. */
const timeOptions = ({ newer, older }: Terms): Terms =>
  newer === undefined || older === undefined ? {} : { since: newer, until: older };

/**
 * Names the words in use, where a filter by a word of an open set has found nothing: the word may be mistyped.
 *
 * @param selected - the values of the filter, by their options
 */
export async function remarkWordsInUse(
  access: Access,
  noun: Noun,
  selected: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const [name, { inUse }] of leadingFields(noun, 'filter')) {
    if (inUse === undefined || selected[name] === undefined) continue;
    const { wordsInUse } = await import('../nouns/kinds.ts');
    const words = await wordsInUse(access, inUse);
    const given = String(selected[name]).split(',');
    if (given.every((word) => words.includes(word))) continue;
    remark(`Each ${name} in use: ${words.join(', ')}.`);
  }
}
