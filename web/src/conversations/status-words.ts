import type { conversationStatuses } from '../../../src/contract/vocabulary.ts';

const words: Readonly<Record<string, string>> = {
  open: 'Open',
  pending: 'Pending',
  resolved: 'Resolved',
  closed: 'Closed',
} satisfies Record<(typeof conversationStatuses)[number], string>;

/** Returns what the status of a conversation is called. */
export function statusWord(status: string): string {
  return words[status] ?? status;
}
