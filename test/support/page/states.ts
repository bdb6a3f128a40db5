import type { Locator, Page } from 'playwright-core';
import type { Backoffice } from '../here.ts';

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
  /** What is visible when it is there, and not on the page before. */
  readonly shows: (page: Page) => Locator;
}

const dialog = (page: Page) => page.getByRole('dialog');
const dialogNamed = (name: string | RegExp) => (page: Page) => page.getByRole('dialog', { name });
const text = (shown: string) => (page: Page) => page.getByText(shown).first();
const textbox = (name: string) => (page: Page) => page.getByRole('textbox', { name });
const presses = (grid: string | undefined, key: string) => (page: Page) =>
  page.getByRole('grid', grid === undefined ? {} : { name: grid }).press(key);
const clicks = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

/** The states that `test/web/pages.test.ts` checks besides each page itself. Add those of your page. */
export const pageStates: readonly PageState[] = [
  { name: 'an issue', path: ({ issue }) => `/issues?issue=${issue}`, shows: dialog },
  {
    name: 'the history of an issue',
    path: ({ issue }) => `/issues?issue=${issue}&tab=history`,
    shows: (page) => page.getByRole('tabpanel', { name: 'History' }).getByText('Created'),
  },
  {
    name: 'the form for an issue',
    path: ({ issue }) => `/issues?issue=${issue}&edit=true`,
    shows: textbox('Steps to reproduce'),
  },
  { name: 'the report of an issue', path: '/issues?report=true', shows: dialogNamed('Report an issue') },
  {
    name: 'selected issues',
    path: '/issues',
    open: presses(undefined, 'x'),
    shows: (page) => page.getByRole('region', { name: 'Selected issues' }),
  },
  {
    name: 'the filter by status',
    path: '/issues?status=Open,Closed',
    only: 'desk',
    open: clicks('Status: 2, Open and Closed'),
    shows: (page) => page.getByRole('option', { name: 'Open', selected: true }),
  },
  {
    name: 'the filters of a phone, with the one by labels',
    path: '/issues?label=1',
    only: 'phone',
    async open(page) {
      await clicks('Filters (1)')(page);
      await page.getByRole('button', { name: /^Labels/ }).click();
    },
    shows: (page) => page.getByRole('option').first(),
  },
  {
    name: 'the filter by time',
    path: '/issues',
    only: 'desk',
    open: clicks('Time: Any time'),
    shows: dialogNamed('Time'),
  },
  {
    name: 'the menu of a saved view',
    path: '/issues?severity=Low',
    open: (page) => page.getByRole('button', { name: /^Actions for the view/ }).click(),
    shows: (page) => page.getByRole('menuitem', { name: 'Rename…' }),
  },
  {
    name: 'the form for a view',
    path: '/issues?severity=High',
    open: clicks('Save view'),
    shows: dialogNamed('Save view'),
  },
  { name: 'no issues', path: '/issues?q=nothing-has-this-word', shows: text('No issue matches') },
  {
    name: 'a chart as a table',
    path: '/charts',
    open: clicks('As a table: Reported issues'),
    shows: (page) => page.getByRole('table').first(),
  },
  {
    name: 'a conversation',
    path: ({ conversation }) => `/conversations?id=${conversation}`,
    shows: textbox('Reply'),
  },
  {
    name: 'usage without data',
    path: '/usage?month=2001-02&measure=tokens',
    shows: text('No requests in this month.'),
  },
  {
    name: 'a scraping run',
    path: '/scraping?view=runs&run=run+0',
    shows: (page) => page.getByRole('button', { name: 'Make an issue' }),
  },
  {
    name: 'the scraping errors',
    path: '/scraping?view=errors',
    shows: (page) => page.getByRole('button', { name: 'Make an issue' }).first(),
  },
  {
    name: 'no conversations',
    path: '/conversations?q=nothing-has-this-word',
    shows: text('No conversation matches'),
  },
  {
    name: 'an entry of the audit trail',
    path: '/audit',
    open: presses('Audit records', 'Enter'),
    shows: (page) => dialog(page).getByText('Operation'),
  },
  {
    name: 'the filters of the audit trail',
    path: '/audit?event=webhook.created&door=http',
    only: 'desk',
    open: clicks('Subject'),
    shows: (page) => page.getByLabel('Search subject'),
  },
  {
    name: 'no entries of the audit trail',
    path: '/audit?q=nothing-has-this-word',
    shows: text('No audit record matches'),
  },
  {
    name: 'a webhook',
    path: ({ webhook }) => `/webhooks?webhook=${webhook}`,
    shows: (page) => page.getByLabel('Deliveries').first(),
  },
  {
    name: 'the form for a webhook',
    path: ({ webhook }) => `/webhooks?dialog=edit-${webhook}`,
    open: (page) => dialog(page).getByText('Only some').click(),
    shows: (page) => page.getByRole('searchbox', { name: 'Search events' }),
  },
  {
    name: 'the messages of a webhook to send again',
    path: ({ webhook }) => `/webhooks?dialog=failed-${webhook}`,
    shows: (page) => dialog(page).getByText('A message whose later delivery succeeded is not sent.'),
  },
  {
    name: 'the secret of a token',
    path: '/tokens?dialog=new',
    async open(page) {
      await textbox('Name')(page).fill(`for pictures ${Date.now()}`);
      await clicks('Create')(page);
      await page.getByText('You cannot see it again.').waitFor();
      // The window asks before it leaves a secret that nobody has copied.
      await clicks('Copy secret')(page);
      await page.getByText('Copied').waitFor();
    },
    shows: text('You cannot see it again.'),
  },
  {
    name: 'a saved reply',
    path: ({ reply }) => `/saved-replies?edit=${reply}`,
    shows: dialogNamed(/^Edit /),
  },
  { name: 'a new saved reply', path: '/saved-replies?edit=new', shows: dialogNamed('New saved reply') },
  {
    name: 'a saved reply that is missing',
    path: '/saved-replies?edit=99999',
    shows: text('There is no such saved reply'),
  },
  {
    name: 'no saved replies',
    path: '/saved-replies?q=nothing-has-this-word',
    shows: text('No saved reply matches'),
  },
  {
    name: 'the menu of a row',
    path: '/saved-replies',
    open: (page) =>
      page
        .getByLabel(/^Actions for/)
        .first()
        .click(),
    shows: (page) => page.getByRole('menuitem', { name: 'Delete' }),
  },
  { name: 'the invitation of an admin', path: '/admins?dialog=invite', shows: dialog },
  { name: 'no admins', path: '/admins?q=nothing-has-this-word', shows: text('No admin matches') },
  // These are on every page. The palette stays open on the next one, so it is the last.
  {
    name: 'a menu of the header',
    path: '/tokens',
    only: 'desk',
    open: clicks('Theme'),
    shows: (page) => page.getByRole('menuitemradio', { name: 'Dark' }),
  },
  { name: 'the menu', path: '/device', only: 'phone', open: clicks('Menu'), shows: dialogNamed('Menu') },
  {
    name: 'the shortcuts',
    // No page with the focus in a field, which would take the key.
    path: '/tokens',
    open: (page) => page.keyboard.press('?'),
    shows: dialogNamed('Keyboard shortcuts'),
  },
  {
    name: 'the palette',
    path: '/device',
    async open(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Command' }).fill('alert');
    },
    shows: (page) => page.getByRole('group', { name: 'Conversations' }),
  },
];

/**
 * Ids of what was made, for the addresses of pages: an issue with comments, a webhook, and a conversation with all payloads
 * as messages and comments.
 */
export type HostileData = Awaited<ReturnType<typeof writeHostileData>>;

/** Writes each payload wherever a person or a program may write a text. */
export async function writeHostileData({ superadmin: { client, id: admin }, sql }: Backoffice) {
  const start = async (visitor_email: string, text: string) => {
    const texts = { visitor_name: text, subject: text, initial_message: text };
    return (await client.call('conversations.create', { visitor_email, ...texts })).conversation.id;
  };
  const conversation = await start('first@example.com', payloads[0]);
  await client.call('settings.update', {
    updates: Object.fromEntries(payloads.map((text) => [`text ${text}`, text])),
  });
  await client.call('tokenUsage.record', {
    records: payloads.map((model, index) => ({
      record_id: `${index}`,
      model,
      input_tokens: 1_000,
      output_tokens: 10,
    })),
  });
  await client.call('scrapingRuns.record', {
    runs: payloads.map((source, index) => ({
      run_id: `run ${index}`,
      source,
      errors: [{ message: source, url: source }],
    })),
  });
  await client.call('views.save', { list: 'issues', name: payloads[0], filter: { severity: 'Low' } });
  let issue = 0;
  let reply = 0;
  let webhook = 0;
  for (const [index, text] of payloads.entries()) {
    const made = await client.call('issues.create', {
      title: text,
      category: text,
      severity: text,
      ...{
        description: text,
        steps_to_reproduce: text,
        labels: [`${index} ${text}`.slice(0, 30).replaceAll(',', ' ')],
      },
    });
    issue ||= made.id;
    await start(`${index}@example.com`, text);
    const sender_type = index % 2 === 0 ? 'visitor' : 'admin';
    await client.call('messages.create', { conversation_id: conversation, content: text, sender_type });
    await client.call('comments.create', { issue_id: issue, content: text });
    await client.call('comments.create', { conversation_id: conversation, content: text });
    const saved = { shortcut: `reply${index}`, title: text, content: text };
    reply ||= (await client.call('savedReplies.create', saved)).saved_reply.id;
    await client.call('tokens.create', { name: text, role: 'user' });
    const url = `https://example.com/?${encodeURIComponent(text)}`;
    webhook ||= (await client.call('webhooks.create', { url, description: text })).webhook.id;
  }
  await sql('update admins set username = $1 where id = $2', [payloads[0], admin]);
  await sql(
    `insert into admins (id, email, username, otp_email, role)
     select 'hostile_' || n, n || '@example.com', text, n || '@example.com', 'user' from unnest($1::text[]) with ordinality as t (text, n)`,
    [payloads],
  );
  return { issue, conversation, reply, webhook };
}

/**
 * Texts that would run as a program if a page put them into its HTML, an address, a style or a template. Each calls
 * `alert`, which a test counts.
 */
const payloads = [
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  "'-alert(1)-'",
  'javascript:alert(1)',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '{{constructor.constructor("alert(1)")()}}',
  '</title><script>alert(1)</script>',
  '<style>*{background:url(javascript:alert(1))}</style>',
  '<input autofocus onfocus=alert(1)>',
  '<object data="data:text/html,<script>alert(1)</script>">',
  '<form action="javascript:alert(1)"><button autofocus>',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<base href="javascript:alert(1)//">',
  '<template shadowrootmode=open><img src=x onerror=alert(1)></template>',
  '--><img src=x onerror=alert(1)>',
  '</textarea><img src=x onerror=alert(1)>',
  `$\{alert(1)}`,
  '\\u003cimg src=x onerror=alert(1)\\u003e',
  '&lt;img src=x onerror=alert(1)&gt;',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
] as const;
