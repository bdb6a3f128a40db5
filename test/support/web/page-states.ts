import type { Locator, Page } from 'playwright-core';
import type { HostileData } from './hostile-data.ts';

/** Something of a page that its plain address does not show: a dialog, a drawer, a filter without matches. */
export interface PageState {
  /** What it is, such as `the form for a webhook`. */
  readonly name: string;
  /** Its address, with the ids of what the test has made. */
  readonly path: string | ((data: HostileData) => string);
  /** Where it is, if it is not in both kinds of windows. */
  readonly only?: 'desk' | 'phone';
  /** Opens it, if the address alone does not. */
  readonly open?: (page: Page) => Promise<unknown>;
  /** What is visible when it is there. */
  readonly shows?: (page: Page) => Locator;
}

const dialog = (page: Page) => page.getByRole('dialog');

/** The states that `test/web/pages.test.ts` checks besides each page itself. Add those of your page. */
export const pageStates: readonly PageState[] = [
  { name: 'an issue', path: ({ issue }) => `/issues?issue=${issue}`, shows: dialog },
  {
    name: 'the history of an issue',
    path: ({ issue }) => `/issues?issue=${issue}&tab=history`,
    shows: (page) => page.getByRole('tabpanel', { name: 'History' }).getByText('Reported'),
  },
  {
    name: 'the form for an issue',
    path: ({ issue }) => `/issues?issue=${issue}&edit=true`,
    shows: (page) => page.getByRole('textbox', { name: 'Steps to reproduce' }),
  },
  {
    name: 'the report of an issue',
    path: '/issues?report=true',
    shows: (page) => page.getByRole('dialog', { name: 'Report an issue' }),
  },
  {
    name: 'selected issues',
    path: '/issues',
    open: (page) => page.getByRole('grid').press('x'),
    shows: (page) => page.getByRole('region', { name: 'Selected issues' }),
  },
  {
    name: 'the filter by status',
    path: '/issues?status=Open,Closed',
    only: 'desk',
    open: (page) => page.getByRole('button', { name: 'Status: 2, Open and Closed' }).click(),
    shows: (page) => page.getByRole('menuitemcheckbox', { name: 'Open', checked: true }),
  },
  { name: 'no issues', path: '/issues?q=nothing-has-this-word' },
  {
    name: 'a chart as a table',
    path: '/charts?period=all',
    open: (page) => page.getByRole('button', { name: 'As a table: Age of the issues' }).click(),
    shows: (page) => page.getByRole('table').first(),
  },
  { name: 'a conversation', path: ({ conversation }) => `/conversations?id=${conversation}` },
  {
    name: 'the prices',
    path: '/usage?edit=prices',
    shows: (page) => page.getByRole('dialog', { name: 'Prices' }),
  },
  { name: 'usage without data', path: '/usage?month=2001-02&measure=tokens' },
  {
    name: 'a scraping run',
    path: '/scraping?view=runs&run=run+0',
    shows: (page) => page.getByRole('button', { name: 'Make an issue' }),
  },
  { name: 'the scraping errors', path: '/scraping?view=errors' },
  { name: 'no conversations', path: '/conversations?q=nothing-has-this-word' },
  {
    name: 'an entry of the audit trail',
    path: '/audit',
    open: (page) => page.getByRole('grid', { name: 'Audit' }).press('Enter'),
    shows: (page) => dialog(page).getByText('Exactly'),
  },
  {
    name: 'the filters of the audit trail',
    path: '/audit?event=webhook.created&door=http',
    open: (page) => page.getByRole('button', { name: 'Filters', exact: true }).click(),
    shows: (page) => page.getByRole('textbox', { name: 'Subject ID' }),
  },
  { name: 'no entries of the audit trail', path: '/audit?q=nothing-has-this-word' },
  { name: 'a webhook', path: ({ webhook }) => `/webhooks?webhook=${webhook}` },
  {
    name: 'the form for a webhook',
    path: ({ webhook }) => `/webhooks?dialog=edit-${webhook}`,
    open: (page) => dialog(page).getByText('Only some').click(),
    shows: (page) => page.getByRole('searchbox', { name: 'Search events' }),
  },
  {
    name: 'the messages of a webhook to send again',
    path: ({ webhook }) => `/webhooks?dialog=failed-${webhook}`,
    shows: (page) => dialog(page).getByText('0 failed deliveries'),
  },
  {
    name: 'the secret of a token',
    path: '/tokens?dialog=new',
    async open(page) {
      await page.getByRole('textbox', { name: 'Name' }).fill(`for pictures ${Date.now()}`);
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByText('You cannot see it again.').waitFor();
      // The window asks before it leaves a secret that nobody has copied.
      await page.getByRole('button', { name: 'Copy secret' }).click();
      await page.getByText('Copied').waitFor();
    },
    shows: (page) => page.getByText('You cannot see it again.'),
  },
  { name: 'the invitation of an admin', path: '/admins?dialog=invite', shows: dialog },
  { name: 'the form for an admin', path: '/admins?dialog=create', shows: dialog },
  { name: 'no admins', path: '/admins?q=nothing-has-this-word' },
  {
    name: 'the palette',
    path: '/device',
    async open(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Command' }).fill('alert');
    },
    shows: (page) => page.getByRole('group', { name: 'Conversations' }),
  },
  {
    name: 'the shortcuts',
    // No page with the focus in a field, which would take the key.
    path: '/tokens',
    open: (page) => page.keyboard.press('?'),
    shows: (page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' }),
  },
  {
    name: 'the menu',
    path: '/device',
    only: 'phone',
    open: (page) => page.getByRole('button', { name: 'Menu' }).click(),
    shows: (page) => page.getByRole('dialog', { name: 'Menu' }),
  },
];
