import type { Page } from 'playwright-core';
import type { HostileData } from './hostile-data.ts';

/** Something of a page that its plain address does not show: a dialog, a drawer, a filter without matches. */
export interface PageState {
  /** What it is, such as `the form for a webhook`. */
  readonly name: string;
  /** Its address, with the ids of what the test has made. */
  readonly path: string | ((data: HostileData) => string);
  /** Where it is, if it is not in both kinds of windows. */
  readonly only?: 'desk' | 'phone';
  /** Opens it, if the address alone does not. Resolves when it is there. */
  readonly open?: (page: Page) => Promise<unknown>;
}

/** The states that `test/web/pages.test.ts` checks besides each page itself. Add those of your page. */
export const pageStates: readonly PageState[] = [
  {
    name: 'an issue',
    path: ({ issue }) => `/issues?issue=${issue}`,
    open: (page) => page.getByRole('dialog').waitFor(),
  },
  {
    name: 'the history of an issue',
    path: ({ issue }) => `/issues?issue=${issue}&tab=history`,
    open: (page) => page.getByRole('tabpanel', { name: 'History' }).getByText('Reported').waitFor(),
  },
  {
    name: 'the form for an issue',
    path: ({ issue }) => `/issues?issue=${issue}&edit=true`,
    open: (page) => page.getByRole('textbox', { name: 'Steps to reproduce' }).waitFor(),
  },
  {
    name: 'the report of an issue',
    path: '/issues?report=true',
    open: (page) => page.getByRole('dialog', { name: 'Report an issue' }).waitFor(),
  },
  {
    name: 'selected issues',
    path: '/issues',
    async open(page) {
      await page.getByRole('grid').press('x');
      await page.getByRole('region', { name: 'Selected issues' }).waitFor();
    },
  },
  { name: 'no issues', path: '/issues?q=nothing-has-this-word' },
  {
    name: 'a chart as a table',
    path: '/charts?period=all',
    async open(page) {
      await page.getByRole('button', { name: 'As a table: Age of the issues' }).click();
      await page.getByRole('table').first().waitFor();
    },
  },
  { name: 'a conversation', path: ({ conversation }) => `/conversations?id=${conversation}` },
  {
    name: 'the prices',
    path: '/usage?edit=prices',
    open: (page) => page.getByRole('dialog', { name: 'Prices' }).waitFor(),
  },
  { name: 'usage without data', path: '/usage?month=2001-02&measure=tokens' },
  {
    name: 'a scraping run',
    path: '/scraping?view=runs&run=run+0',
    open: (page) => page.getByRole('button', { name: 'Make an issue' }).waitFor(),
  },
  { name: 'the scraping errors', path: '/scraping?view=errors' },
  { name: 'no conversations', path: '/conversations?q=nothing-has-this-word' },
  {
    name: 'an entry of the audit trail',
    path: '/audit',
    async open(page) {
      await page.getByRole('grid', { name: 'Audit' }).press('Enter');
      await page.getByRole('dialog').getByText('Exactly').waitFor();
    },
  },
  {
    name: 'the filters of the audit trail',
    path: '/audit?event=webhook.created&door=http',
    async open(page) {
      await page.getByRole('button', { name: 'Filters', exact: true }).click();
      await page.getByRole('textbox', { name: 'Subject ID' }).waitFor();
    },
  },
  { name: 'no entries of the audit trail', path: '/audit?q=nothing-has-this-word' },
  { name: 'a webhook', path: ({ webhook }) => `/webhooks?webhook=${webhook}` },
  {
    name: 'the form for a webhook',
    path: ({ webhook }) => `/webhooks?dialog=edit-${webhook}`,
    async open(page) {
      await page.getByRole('dialog').getByText('Only some').click();
      await page.getByRole('searchbox', { name: 'Search events' }).waitFor();
    },
  },
  {
    name: 'the messages of a webhook to send again',
    path: ({ webhook }) => `/webhooks?dialog=failed-${webhook}`,
    open: (page) => page.getByRole('dialog').getByText('0 failed deliveries').waitFor(),
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
  },
  {
    name: 'the invitation of an admin',
    path: '/admins?dialog=invite',
    open: (page) => page.getByRole('dialog').waitFor(),
  },
  {
    name: 'the form for an admin',
    path: '/admins?dialog=create',
    open: (page) => page.getByRole('dialog').waitFor(),
  },
  { name: 'no admins', path: '/admins?q=nothing-has-this-word' },
  {
    name: 'the palette',
    path: '/device',
    async open(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Command' }).fill('alert');
      await page.getByRole('group', { name: 'Conversations' }).waitFor();
    },
  },
  {
    name: 'the shortcuts',
    path: '/device',
    async open(page) {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  {
    name: 'the menu',
    path: '/device',
    only: 'phone',
    async open(page) {
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('dialog', { name: 'Menu' }).waitFor();
    },
  },
];
