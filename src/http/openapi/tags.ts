import type { Operation } from '../../contract/operation.ts';

const descriptions: Readonly<Record<string, string>> = {
  issues: 'Reports of problems with the site, and their statistics.',
  conversations: 'Conversations with visitors.',
  messages: 'The messages of a conversation, and drafts of replies.',
  changes: 'Undoing changes of issues and conversations.',
  links: 'Links from issues to the conversations and scraping errors that caused them.',
  comments: 'Internal notes of the team on issues and conversations. Visitors never see them.',
  savedReplies: 'Texts that the team often sends, with placeholders.',
  settings: "Key-value settings, the caller's profile, and token and scraping analytics.",
  tokenUsage: 'Requests to language models, reported by scripts.',
  scrapingRuns: 'Scraper runs and their errors, reported by scripts.',
  admins: 'Admin accounts.',
  invitations: 'Links that create an account each.',
  passwordReset: 'A new password for who has forgotten theirs, by a link in a mail.',
  sessions: 'The sessions of signed-in admins.',
  tokens: 'API tokens for scripts and programs.',
  audit: 'A record of every change: who, what, when and from where.',
  events: 'A live stream of changes.',
  webhooks: 'Events sent to other services, and the log of deliveries.',
  session: 'Sign-in and sign-out.',
  device: 'Access for programs that a person lets in with a code (RFC 8628).',
};

/** Returns the tag that groups an operation: its noun. */
export function tagOf({ id }: Pick<Operation, 'id'>): string {
  return id.slice(0, id.indexOf('.'));
}

/** Describes a tag in one sentence. */
export function tagDescription(tag: string): string {
  return descriptions[tag] ?? tag;
}
