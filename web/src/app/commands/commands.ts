import type { LinkProps } from '@tanstack/react-router';
import type { OperationId } from '../../../../src/contract/registry.ts';
import { createStore, useOffers } from '../store.ts';

/** Something that a person does, which the palette offers by its name. */
export interface Command {
  /** Such as `Report an issue`. */
  readonly title: string;
  /** Further words that find it. */
  readonly keywords?: string;
  /** The operation without which there is no sense in it. */
  readonly needs?: OperationId;
  /** Where it leads, if an address opens it: a dialog is a part of the address. */
  readonly link?: Pick<LinkProps, 'to' | 'search'>;
  readonly run?: (() => void) | undefined;
}

/** What is offered on every page: its title, words that find it, what it needs, and the address. */
const everywhere: readonly (readonly [
  title: string,
  keywords: string,
  needs: OperationId,
  to: NonNullable<LinkProps['to']>,
  search: NonNullable<LinkProps['search']>,
])[] = [
  ['Report an issue', 'new create bug', 'issues.create', '/issues', { report: 'true' }],
  ['Connect your website', 'contact page token curl sample api', 'connect.show', '/connect', {}],
  ['Show the issues assigned to me', 'my assignee', 'issues.list', '/issues', { assignee: 'me' }],
  [
    'Show the conversations assigned to me',
    'my assignee messages',
    'conversations.list',
    '/conversations',
    { assignee: 'me' },
  ],
  ['Manage saved replies', 'templates snippets', 'savedReplies.list', '/saved-replies', {}],
  ['Add a setting', '', 'settings.update', '/settings', { dialog: 'add' }],
  ['Create a webhook', 'new add', 'webhooks.create', '/webhooks', { dialog: 'new' }],
  ['Create a token', 'new add api key', 'tokens.create', '/tokens', { dialog: 'new' }],
  ['Sign in from a shell', 'token command line login', 'tokens.list', '/tokens', { dialog: 'shell' }],
  ['Invite an admin', 'new user account colleague', 'invitations.create', '/admins', { dialog: 'invite' }],
];

export const commands = everywhere.map(
  ([title, keywords, needs, to, search]): Command => ({ title, keywords, needs, link: { to, search } }),
);

const ofPage = createStore<readonly Command[]>([]);

/** Returns the commands of the page that is shown. */
export const usePageCommands = ofPage.use;

/** Offers commands while the component is shown, such as what to do with the issue that is open. */
export const useCommands = (offered: readonly Command[]): void => useOffers(ofPage, offered);

/** Whether the palette is open. Apart from it, because it is loaded after the page. */
export const paletteSwitch = createStore(false);

/** Opens the palette. */
export const openPalette = (): void => paletteSwitch.set(true);

/** Whether the sheet of shortcuts is open. */
export const sheetSwitch = createStore(false);
