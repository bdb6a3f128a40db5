import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
import {
  assigneeField,
  type FilterField,
  parseFilter,
  timeFields,
  wordField,
} from '../views/parse-filter.ts';

export const conversationFilterNote = 'words, or status:open  assignee:me  is:unread  older:30d';

/** The parameters of `conversations.list` that a filter sets. */
export interface ConversationSearch {
  readonly q?: string;
  readonly status?: string;
  readonly unread?: true;
  readonly assignee?: string;
  readonly since?: string;
  readonly until?: string;
}

/** A filter, understood as far as possible. */
export interface ParsedConversationFilter {
  readonly search: ConversationSearch;
  /** Why no conversation can match, in a sentence; undefined if conversations can. */
  readonly problem: string | undefined;
}

const countedFields: readonly string[] = ['status', 'unread'];

/** Reports whether the service counts what a filter finds without a search. */
export function isCounted(search: ConversationSearch): boolean {
  return Object.keys(search).every((field) => countedFields.includes(field));
}

const fields: Readonly<Record<string, FilterField>> = {
  status: wordField('status', conversationStatuses),
  is: wordField('is', ['unread']),
  assignee: assigneeField,
  ...timeFields,
};

/** Parses a filter such as `status:open is:unread invoice`. */
export function parseConversationFilter(text: string): ParsedConversationFilter {
  const { search, words, problem } = parseFilter(text, fields);
  const { is, ...others } = search;
  return {
    search: {
      ...others,
      ...(is === undefined ? {} : { unread: true }),
      ...(words.length === 0 ? {} : { q: words.join(' ') }),
    },
    problem,
  };
}
