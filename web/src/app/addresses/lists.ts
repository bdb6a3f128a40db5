import { admins } from '../../../../src/contract/fields/admins.ts';
import { conversations } from '../../../../src/contract/fields/conversations.ts';
import { issues } from '../../../../src/contract/fields/issues.ts';
import { roles } from '../../../../src/contract/vocabulary.ts';
import type { ConversationFilter } from '../../conversations/conversation-resource.ts';
import type { Period } from '../../kit/address.ts';
import { type FilterOf, filterReader, periodOf } from '../../kit/address.ts';
import { numberOf, type RawSearch, textOf, wordOf, wordsOf } from './search-params.ts';

export type IssueFilter = FilterOf<typeof issues>;

/** What an address without a filter opens, unless the admin has put another view first. */
export const unresolved = { status: 'Open,In Progress' } as const;

/** What the issues page shows, as its address says. */
export interface IssueSearch extends IssueFilter {
  /** `all` if an address without a filter is meant to find all. */
  readonly view?: 'all' | undefined;
  /** The issue in the drawer. */
  readonly issue?: number | undefined;
  /** What the drawer shows below it. */
  readonly tab?: 'comments' | 'history' | 'links' | undefined;
  /** Whether it is edited. */
  readonly edit?: 'true' | undefined;
  /** Whether the dialog to report an issue is open. */
  readonly report?: 'true' | undefined;
}

/** Returns the filter of an address. */
export const issueFilter = filterReader(issues);

/** Reads the address of the issues page, and ignores what it does not know. */
export function issueSearch(search: RawSearch): IssueSearch {
  return {
    ...issueFilter(search),
    view: wordOf(['all'], search.view),
    issue: numberOf(search.issue),
    tab: wordOf(['comments', 'history', 'links'], search.tab),
    edit: wordOf(['true'], search.edit),
    report: wordOf(['true'], search.report),
  };
}

/** What takes the drawer and the dialog out of the address. */
export const listOnly = { issue: undefined, tab: undefined, edit: undefined, report: undefined } as const;

/** What may lie over the page: the visitor's pane of narrow windows, a dialog, and what now is a page of its own. */
const overlays = ['details', 'new-issue', 'saved-replies'] as const;

/** What the conversations page shows, as its address says. */
export interface ConversationSearch extends Omit<ConversationFilter, 'sort'> {
  /** The conversation of the thread. */
  readonly id?: string | undefined;
  readonly show?: (typeof overlays)[number] | undefined;
}

const readFilter = filterReader(conversations);

/** Returns the filter of an address. The list has one order: what changed last comes first. */
function conversationFilter(search: RawSearch): Omit<ConversationFilter, 'sort'> {
  const { sort: _sort, ...filter } = readFilter(search);
  return { ...filter, unread: wordOf(['true'], search.unread) };
}

/** Reads the address of the conversations page, and ignores what it does not know. */
export function conversationSearch(search: RawSearch): ConversationSearch {
  return { ...conversationFilter(search), id: textOf(search.id), show: wordOf(overlays, search.show) };
}

/** What the page of saved replies shows, as its address says. */
export interface SavedReplySearch {
  readonly q?: string | undefined;
  /** The id of the reply that is edited, or `new`. */
  readonly edit?: number | 'new' | undefined;
}

/** Reads the address of the page of saved replies. */
export function savedReplySearch({ q, edit }: RawSearch): SavedReplySearch {
  return { q: textOf(q), edit: edit === 'new' ? 'new' : numberOf(edit) };
}

export type AdminFilter = FilterOf<typeof admins>;

/** What the page of the admins shows, as its address says. */
export interface AdminSearch extends AdminFilter {
  readonly dialog?: 'invite' | undefined;
  /** The id of the admin in the dialog. */
  readonly edit?: string | undefined;
}

/** Returns the filter of an address. */
export const adminFilter = filterReader(admins);

/** Reads the address of the page of the admins, and ignores what it does not know. */
export function adminSearch(search: RawSearch): AdminSearch {
  return {
    ...adminFilter(search),
    // Older links lead to the form with a password.
    dialog: wordOf(['invite'], search.dialog === 'create' ? 'invite' : search.dialog),
    edit: textOf(search.edit),
  };
}

/** What the audit page shows, as its address says. The page checks the words, which it loads with itself. */
export interface AuditSearch extends Period {
  readonly q?: string | undefined;
  readonly actor?: string | undefined;
  readonly event?: string | undefined;
  readonly door?: string | undefined;
  readonly subject?: string | undefined;
  /** The record in the drawer. */
  readonly entry?: number | undefined;
}

/** Reads the address of the audit page. */
export function auditSearch(search: RawSearch): AuditSearch {
  return {
    q: textOf(search.q),
    actor: textOf(search.actor),
    event: textOf(search.event),
    door: textOf(search.door),
    subject: textOf(search.subject),
    ...periodOf(search),
    entry: numberOf(search.entry),
  };
}

/** What the webhooks page shows, as its address says. The page checks the words, which it loads with itself. */
export interface WebhookSearch extends Period {
  /** The dialog that is open: `new`, or `edit` or `failed` with the id of a webhook, such as `edit-7`. */
  readonly dialog?: string | undefined;
  /** The webhook whose deliveries are shown. */
  readonly webhook?: number | undefined;
  readonly q?: string | undefined;
  readonly status?: string | undefined;
  readonly type?: string | undefined;
  /** The delivery in the drawer. */
  readonly delivery?: number | undefined;
}

/** Reads the address of the webhooks page. Older ones have the type of the deliveries in `event`. */
export function webhookSearch(search: RawSearch): WebhookSearch {
  return {
    dialog: textOf(search.dialog),
    webhook: numberOf(search.webhook),
    q: textOf(search.q),
    status: textOf(search.status),
    type: textOf(search.type) ?? textOf(search.event),
    ...{ event: undefined },
    ...periodOf(search),
    delivery: numberOf(search.delivery),
  };
}

/** What the tokens page shows, as its address says. */
export interface TokenSearch {
  readonly q?: string | undefined;
  /** Which tokens; without it the valid ones. */
  readonly show?: 'ended' | 'all' | undefined;
  /** The dialog that is open. */
  readonly dialog?: 'new' | 'shell' | undefined;
}

/** Reads the address of the tokens page. */
export function tokenSearch(search: RawSearch): TokenSearch {
  return {
    q: textOf(search.q),
    show: wordOf(['ended', 'all'], search.show),
    dialog: wordOf(['new', 'shell'], search.dialog),
  };
}

/** What the page of the sessions shows, as its address says. */
export type SessionSearch = {
  readonly q?: string | undefined;
  readonly role?: string | undefined;
};

/** Reads the address of the page of the sessions, and ignores what is no filter. */
export function sessionSearch(search: RawSearch): SessionSearch {
  return { q: textOf(search.q), role: wordsOf(roles, search.role) };
}
