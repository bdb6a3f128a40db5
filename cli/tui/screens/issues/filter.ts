import { issueStatuses, severities } from '../../../../src/contract/vocabulary.ts';
import { matchingWord } from '../../../input/matching-word.ts';
import { parseMoment } from '../../../input/moments.ts';

export const issueFilterNote = 'words, or severity:high  status:open  category:payments  older:30d';

/** The parameters of `issues.list` that a filter sets. */
export interface IssueSearch {
  readonly q?: string;
  readonly status?: string;
  readonly severity?: string;
  readonly category?: string;
  readonly assignee?: string;
  readonly since?: string;
  readonly until?: string;
  readonly id?: number;
}

/** A filter, understood as far as possible. */
export interface ParsedIssueFilter {
  readonly search: IssueSearch;
  /** Why no issue can match, in a sentence; undefined if issues can. */
  readonly problem: string | undefined;
}

const countedFields: readonly string[] = ['status', 'severity', 'category'];

/** Reports whether the service knows without a search how many issues a filter finds: it counts them by one field. */
export function isCounted(search: IssueSearch): boolean {
  const fields = Object.keys(search);
  return fields.length <= 1 && fields.every((field) => countedFields.includes(field));
}

/** The words that issues have, besides those that every service knows. */
export interface UsedWords {
  readonly severities: readonly string[];
  readonly categories: readonly string[];
}

/** The parameters of the names whose value is a time. */
const bounds: Readonly<Record<string, 'since' | 'until'>> = {
  older: 'until',
  until: 'until',
  newer: 'since',
  since: 'since',
};

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
    assignee: ['me', 'none'],
  };
  const words: string[] = [];
  const search: Record<string, string> = {};
  let id: number | undefined;
  let problem: string | undefined;
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const [, number] = /^id:#?(\d{1,15})$/i.exec(word) ?? [];
    if (number !== undefined) {
      id = Number(number);
      continue;
    }
    const [, field = '', value = ''] = /^([a-z]+):(.*)$/i.exec(word) ?? [];
    const name = field.toLowerCase();
    const names = known[name];
    const bound = bounds[name];
    if (bound !== undefined) {
      const time = parseMoment(value);
      if (time !== undefined) search[bound] = time;
      else if (value !== '') problem ??= `No time “${value}”. Use 30d, yesterday or 2026-01-31.`;
    } else if (names === undefined) words.push(word);
    else if (value !== '') {
      const found = value.split(',').map((each) => matchingWord(name, each, names));
      // A category or severity of its own can only be told from a mistake when the words in use are known.
      if (used !== null || name === 'status' || name === 'assignee')
        problem ??= found.find((each) => each.problem)?.problem;
      search[name] = found.map(({ word: matched }) => matched).join(',');
    }
  }
  const q = words.length === 0 ? {} : { q: words.join(' ') };
  return { search: { ...search, ...q, ...(id === undefined ? {} : { id }) }, problem };
}
