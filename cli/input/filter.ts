import { InvalidArgumentError } from 'commander';
import { didYouMean } from '../../src/contract/did-you-mean.ts';
import { isEmptySearch } from '../../src/contract/empty-search.ts';
import { UsageError } from '../errors.ts';

/** The values of options that a filter stands for. */
export type FilterValues = Readonly<Record<string, string | undefined>>;

/** `name:value`, a quoted text, or a word. A value may be quoted too. */
const part = /([a-z]+):(?:"([^"]*)"|'([^']*)'|(\S+))|"([^"]*)"|'([^']*)'|(\S+)/gi;

interface Part {
  readonly name?: string;
  readonly value: string;
}

/**
 * Splits a filter such as `severity:high "does nothing"` into its parts: words, and values with their names in lower case.
 * The value is empty if it is not typed yet.
 */
function* partsOf(text: string): Generator<Part> {
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

/** The words that rows have in fields whose words are open; undefined before they are known. */
export type UsedWords = Readonly<Record<string, readonly string[]>> | undefined;

/** What a name in a filter stands for. */
export interface Term {
  /** The parameter of the list. */
  readonly parameter: string;
  /** @throws InvalidArgumentError that says why no row can match */
  read(value: string, used: UsedWords): string;
  /** Returns a value of the parameter as people write it, if they write it in another way. */
  readonly write?: (value: string) => string;
  /** Takes a time, which may be relative. */
  readonly isTime?: true;
  /** Takes `me`, which needs an account. */
  readonly isPerson?: true;
}

export type Terms = Readonly<Record<string, Term>>;

interface ReadFilter {
  readonly filter: Readonly<Record<string, string>>;
  /** Why no row can match. */
  readonly problem: string | undefined;
}

/** Reads a filter such as `severity:high status:open older:30d checkout`. A name without a value is still being typed. */
export function readFilter(text: string, terms: Terms, used?: UsedWords, hasAccount = true): ReadFilter {
  const filter: Record<string, string> = {};
  const words: string[] = [];
  let problem: string | undefined;
  // Without names, a colon is one of the text.
  if (Object.keys(terms).length === 0) return { filter: text === '' ? {} : { q: text }, problem };
  for (const { name, value } of partsOf(text)) {
    if (name === undefined) words.push(value);
    else if (value === '' && !Object.hasOwn(terms, name)) words.push(`${name}:`);
    else if (value !== '') {
      try {
        const term = termOf(terms, name);
        if (filter[term.parameter] !== undefined)
          throw new InvalidArgumentError(`${name}: is there twice. Separate several values by commas.`);
        if (term.isPerson && value === 'me' && !hasAccount)
          throw new InvalidArgumentError(`${name}:me needs an account: sign in with \`backoffice login\`.`);
        filter[term.parameter] = term.read(value, used);
      } catch (error) {
        problem ??= (error as Error).message;
      }
    }
  }
  return { filter: words.length === 0 ? filter : { ...filter, q: words.join(' ') }, problem };
}

function termOf(terms: Terms, name: string): Term {
  const term = Object.hasOwn(terms, name) ? terms[name] : undefined;
  if (term !== undefined) return term;
  throw new InvalidArgumentError(
    `There is no ${name}:.${didYouMean(name, Object.keys(terms))} Use ${namesOf(terms)}, or quote the word.`,
  );
}

const namesOf = (terms: Terms) =>
  Object.keys(terms)
    .map((name) => `${name}:`)
    .join(', ');

/**
 * Reads the filter of a command into the options that it stands for. Words without a name are searched.
 *
 * @throws InvalidArgumentError if no row can match, or if a value or all of it is missing
 */
export function parseFilter(text: string, terms: Terms): FilterValues {
  const { filter, problem } = readFilter(text, terms);
  const bare = [...partsOf(text)].find(({ name = '', value }) => value === '' && Object.hasOwn(terms, name));
  if (bare !== undefined) throw new InvalidArgumentError(`${bare.name}: has no value.`);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  const { q, ...values } = filter;
  if (q !== undefined) return { ...values, search: q };
  if (Object.keys(values).length > 0) return values;
  throw new InvalidArgumentError(`It is empty. Use words, or ${namesOf(terms)}.`);
}

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
