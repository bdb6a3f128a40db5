import { issueStatuses, severities } from '../../../../src/contract/vocabulary.ts';

export const issueFilterNote = 'words, or severity:high  status:open  category:payments';

/** The parameters of `issues.list` that a filter sets. */
export interface IssueSearch {
  readonly q?: string;
  readonly status?: string;
  readonly severity?: string;
  readonly category?: string;
}

/** A filter, understood as far as possible. */
export interface ParsedIssueFilter {
  readonly search: IssueSearch;
  /** Why no issue can match, in a sentence; undefined if issues can. */
  readonly problem: string | undefined;
}

/** Reports whether the service knows without a search how many issues a filter finds: it counts them by one field. */
export function isCounted({ q, ...fields }: IssueSearch, view: string | null): boolean {
  return q === undefined && Object.keys(fields).length + (view === null ? 0 : 1) <= 1;
}

/** The words that issues have, besides those that every service knows. */
export interface UsedWords {
  readonly severities: readonly string[];
  readonly categories: readonly string[];
}

/** The most words that a sentence lists. */
const maxListed = 6;

/**
 * Parses a filter such as `severity:high checkout`. The value of a field may be the start of a word, in any case and
 * without its spaces; several are separated by commas.
 *
 * @param used - null if they are not known yet: then any word may be one
 */
export function parseIssueFilter(text: string, used: UsedWords | null): ParsedIssueFilter {
  const known: Readonly<Record<string, readonly string[]>> = {
    status: issueStatuses,
    severity: [...new Set([...severities, ...(used?.severities ?? [])])],
    category: used?.categories ?? [],
  };
  const words: string[] = [];
  const search: Record<string, string> = {};
  let problem: string | undefined;
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const [, field = '', value = ''] = /^(status|severity|category):(.*)$/i.exec(word) ?? [];
    const name = field.toLowerCase();
    const names = known[name];
    if (names === undefined) words.push(word);
    else if (value !== '') {
      const found = value.split(',').map((each) => matchingWord(name, each, names));
      // A category or severity of its own can only be told from a mistake when the words in use are known.
      if (used !== null || name === 'status') problem ??= found.find((each) => each.problem)?.problem;
      search[name] = found.map(({ word: matched }) => matched).join(',');
    }
  }
  return { search: words.length === 0 ? search : { ...search, q: words.join(' ') }, problem };
}

/** Returns the only word that starts with the text, or the text itself and what is wrong with it. */
function matchingWord(
  field: string,
  text: string,
  names: readonly string[],
): { word: string; problem?: string } {
  const plain = (name: string) => name.toLowerCase().replaceAll(' ', '');
  const exact = names.find((name) => plain(name) === plain(text));
  if (exact !== undefined) return { word: exact };
  const found = names.filter((name) => plain(name).startsWith(plain(text)));
  if (found.length === 1 && found[0] !== undefined) return { word: found[0] };
  if (found.length > 1)
    return { word: text, problem: `${field}:${text} can be ${listed(found)}. Type more of it.` };
  const advice = names.length === 0 ? '' : ` Use ${listed(names)}.`;
  return { word: text, problem: `No ${field} “${text}”.${advice}` };
}

/** Lists words as a sentence does: `Low, Medium or High`. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxListed);
  if (names.length > maxListed) return `${shown.join(', ')} …`;
  const last = shown.pop();
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} or ${last}`;
}
