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

/** What is offered on every page. Add the dialog of a page here, if an address opens it. */
export const commands: readonly Command[] = [
  {
    title: 'Report an issue',
    keywords: 'new create bug',
    needs: 'issues.create',
    link: { to: '/issues', search: { report: 'true' } },
  },
  {
    title: 'Connect your website',
    keywords: 'contact page token curl sample api',
    needs: 'connect.show',
    link: { to: '/connect' },
  },
  {
    title: 'Show the issues assigned to me',
    keywords: 'my assignee',
    needs: 'issues.list',
    link: { to: '/issues', search: { assignee: 'me' } },
  },
  {
    title: 'Show the conversations assigned to me',
    keywords: 'my assignee messages',
    needs: 'conversations.list',
    link: { to: '/conversations', search: { assignee: 'me' } },
  },
  {
    title: 'Manage saved replies',
    keywords: 'templates snippets',
    needs: 'savedReplies.list',
    link: { to: '/saved-replies', search: {} },
  },
  {
    title: 'Add a setting',
    needs: 'settings.update',
    link: { to: '/settings', search: { dialog: 'add' } },
  },
  {
    title: 'Create a webhook',
    keywords: 'new add',
    needs: 'webhooks.create',
    link: { to: '/webhooks', search: { dialog: 'new' } },
  },
  {
    title: 'Create a token',
    keywords: 'new add api key',
    needs: 'tokens.create',
    link: { to: '/tokens', search: { dialog: 'new' } },
  },
  {
    title: 'Sign in from a shell',
    keywords: 'token command line login',
    needs: 'tokens.list',
    link: { to: '/tokens', search: { dialog: 'shell' } },
  },
  {
    title: 'Invite an admin',
    keywords: 'new user account colleague',
    needs: 'invitations.create',
    link: { to: '/admins', search: { dialog: 'invite' } },
  },
];

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
