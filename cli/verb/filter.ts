import { InvalidArgumentError } from 'commander';
import { type Field, leadingFields, type Noun, sortsOfNoun } from '../../src/contract/fields/field.ts';
import type { Access } from '../access/access.ts';
import { startsOf, textsWith, time as toTime } from '../input/arguments.ts';
import { type FilterNames, type FilterValues, parseFilter } from '../input/filter.ts';
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
  const names = filterNames(noun);
  return {
    place: 'option',
    about: `${about}, such as '${noun.filterExample}'`,
    parts: [...Object.keys(names), 'search'],
    parse: (text) => parseFilter(text, names),
  };
}

function filterNames(noun: Noun): FilterNames {
  const fields = leadingFields(noun, 'filter').map(([field, about]) => {
    const name = nameOf(field, about);
    return [name, { option: name, parse: parserOf(name, about) }] as const;
  });
  const [word] = noun.is ?? [];
  const since = { option: 'since', parse: toTime };
  const until = { option: 'until', parse: toTime };
  return {
    ...Object.fromEntries(fields),
    ...(word === undefined ? {} : { is: { option: word, parse: only(word) } }),
    ...{ older: until, newer: since, since, until },
  };
}

function parserOf(name: string, { words, isOpen }: Field): (value: string) => string {
  if (words === undefined) return (value) => value;
  return isOpen ? textsWith(words) : startsOf(name, words);
}

const only = (word: string) => (value: string) => {
  if (value.toLowerCase() === word) return 'true';
  throw new InvalidArgumentError(`Use is:${word}.`);
};

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
