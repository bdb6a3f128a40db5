import { issueStatuses, severities } from '../../../../src/contract/vocabulary.ts';
import { assigneeField, parseFilter, timeFields, wordField } from '../views/parse-filter.ts';

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

/**
 * Parses a filter such as `severity:high checkout`.
 *
 * @param used - null if they are not known yet: then any word may be one
 */
export function parseIssueFilter(text: string, used: UsedWords | null): ParsedIssueFilter {
  const known = [...new Set([...severities, ...(used?.severities ?? [])])];
  const { search, words, problem } = parseFilter(text, {
    status: wordField('status', issueStatuses),
    // A category or severity of its own can only be told from a mistake when the words in use are known.
    severity: wordField('severity', known, used !== null),
    category: wordField('category', used?.categories ?? [], used !== null),
    assignee: assigneeField,
    ...timeFields,
  });
  const isNumber = (word: string) => numberWord.test(word);
  const [, number] = numberWord.exec(words.findLast(isNumber) ?? '') ?? [];
  const others = words.filter((word) => !isNumber(word));
  const q = others.length === 0 ? {} : { q: others.join(' ') };
  return { search: { ...search, ...q, ...(number === undefined ? {} : { id: Number(number) }) }, problem };
}

const numberWord = /^id:#?(\d{1,15})$/i;
