import { InvalidArgumentError } from 'commander';
import { didYouMean } from '../../src/contract/did-you-mean.ts';
import { isEmptySearch } from '../../src/contract/empty-search.ts';
import { UsageError } from '../errors.ts';

/** A name of a filter: the option that it stands for, and the parser of its values. */
export interface FilterName {
  readonly option: string;
  readonly parse: (value: string) => string;
}

export type FilterNames = Readonly<Record<string, FilterName>>;

/** The values of options that a filter stands for. */
export type FilterValues = Readonly<Record<string, string | undefined>>;

/** `name:value`, a quoted text, or a word. A value may be quoted too. */
const part = /([a-z]+):(?:"([^"]*)"|'([^']*)'|(\S+))|"([^"]*)"|'([^']*)'|(\S+)/gi;

/** A part of a filter: a word, or a value with its name in lower case. The value is empty if it is not typed yet. */
export interface FilterPart {
  readonly name?: string;
  readonly value: string;
}

/** Splits a filter such as `severity:high "does nothing"` into its parts. */
export function* filterParts(text: string): Generator<FilterPart> {
  for (const [whole, name, ...rest] of text.matchAll(part)) {
    const value = rest.find((each) => each !== undefined) ?? '';
    const bare = name === undefined ? /^([a-z]+):$/i.exec(value)?.[1] : undefined;
    if (bare !== undefined) yield { name: bare.toLowerCase(), value: '' };
    // An address is a word.
    else if (name === undefined || value.startsWith('//'))
      yield { value: name === undefined ? value : whole };
    else yield { name: name.toLowerCase(), value };
  }
}

/**
 * Parses a filter such as `severity:high status:open older:30d checkout` into the options that it stands for. Words without
 * a name are searched.
 */
export function parseFilter(text: string, names: FilterNames): FilterValues {
  const values: Record<string, string> = {};
  const words: string[] = [];
  for (const { name, value } of filterParts(text)) {
    const isKnown = name !== undefined && Object.hasOwn(names, name);
    if (isKnown && value === '') throw new InvalidArgumentError(`${name}: has no value.`);
    if (name === undefined) words.push(value);
    else if (value === '') words.push(`${name}:`);
    else take(values, names, name, value);
  }
  if (words.length > 0) values.search = words.join(' ');
  if (Object.keys(values).length > 0) return values;
  throw new InvalidArgumentError(`It is empty. Use words, or ${known(names)}.`);
}

function take(values: Record<string, string>, names: FilterNames, name: string, value: string): void {
  const found = Object.hasOwn(names, name) ? names[name] : undefined;
  if (found === undefined)
    throw new InvalidArgumentError(
      `There is no ${name}:.${didYouMean(name, Object.keys(names))} Use words, or ${known(names)}.`,
    );
  if (values[found.option] !== undefined)
    throw new InvalidArgumentError(`It has ${found.option} twice. Separate several values by commas.`);
  try {
    values[found.option] = found.parse(value);
  } catch (error) {
    throw error instanceof InvalidArgumentError
      ? new InvalidArgumentError(`${name}: ${error.message}`)
      : error;
  }
}

const known = (names: FilterNames) =>
  Object.keys(names)
    .map((name) => `${name}:`)
    .join(', ');

/**
 * Returns options together with those that a filter stands for.
 *
 * @throws UsageError for an option that both give
 */
export function withFilter<Options extends object>(options: Options, filter: FilterValues = {}) {
  const twice = Object.entries(options).find(([name, value]) => value !== undefined && name in filter);
  if (twice !== undefined) throw new UsageError(`Use either --${twice[0]} or --filter for it, not both.`);
  return { ...options, ...filter };
}

/**
 * Makes sure that no option that selects rows to change is empty, such as one with unset variables of the shell: it would
 * select all rows.
 *
 * @throws UsageError for one that is
 */
export function requireValues(options: FilterValues): void {
  const isEmpty = (name: string, value: string) =>
    name === 'search' ? isEmptySearch(value) : /^[\s,]*$/.test(value);
  const empty = Object.entries(options).find(([name, value]) => value !== undefined && isEmpty(name, value));
  if (empty !== undefined) throw new UsageError(`--${empty[0]} is empty. Give it a value, or leave it out.`);
}
