import type { Sorts } from '../vocabulary.ts';
import { conversations } from './conversations.ts';
import { sortsOfNoun } from './field.ts';
import { issues } from './issues.ts';
import { scrapingRuns } from './scraping-runs.ts';

// What each list can be sorted by. The first field is the default, highest first.

/** Severities are ranked from Low to Critical, below them the others. */
export const issueSorts = sortsOfNoun(issues);

export const conversationSorts = sortsOfNoun(conversations);

export const scrapingRunSorts = sortsOfNoun(scrapingRuns);

/** The list of admins is the only one whose default is the lowest first: the contract wants the oldest. */
export const adminSorts = { created_at: 'time', email: 'text', username: 'text' } as const satisfies Sorts;

export const historySorts = { at: 'time' } as const satisfies Sorts;

/** The sorts of the other lists. */
export const creationSorts = { created_at: 'time' } as const satisfies Sorts;
