import type { Client } from '../../../src/contract/client/client.ts';
import type { Dashboard } from './dashboard.tsx';

/** A picture of the dashboard: how one gets there, and by what one sees that it is there. */
export interface Picture {
  readonly title: string;
  readonly text: string;
  readonly take: (dashboard: Dashboard) => Promise<unknown>;
}

export const sizes = [
  [80, 24],
  [140, 40],
] as const;

/** What docs/dashboard.md shows, in its order. */
export const pictures: readonly Picture[] = [
  {
    title: 'Issues',
    text: 'Views by status, a filter as you type, any column to sort by, several selected at once, details beside or below.',
    async take(dashboard) {
      await dashboard.shows(/❯.{3} *\d+ /);
      dashboard.press('j', 'j', 'space', 'space', 'k', 'enter');
      await dashboard.shows('✓ 2 selected');
      await dashboard.shows('Steps to reproduce');
    },
  },
  {
    title: 'Charts',
    text: 'New issues by day, severity over the windows of the period (`p` goes to the next), and the totals.',
    async take(dashboard) {
      dashboard.press('2');
      await dashboard.shows('issues in 30 days');
      await dashboard.shows('Older');
    },
  },
  {
    title: 'Conversations',
    text: 'The unread stand out; a wide terminal reads along.',
    async take(dashboard) {
      dashboard.press('3');
      await dashboard.shows(/❯.{3} *1● +Ada Byron/);
    },
  },
  {
    title: 'A conversation, and a reply to it',
    text: 'A draft waits for `a`, `e` or `x`. What is written stays until it is sent, whatever happens to the connection.',
    async take(dashboard) {
      dashboard.press('3');
      await dashboard.shows(/❯.{3} *1● +Ada Byron/);
      dashboard.press('enter');
      await dashboard.shows('┊ Gladly.');
      dashboard.press('r');
      dashboard.write('Dear Ada,');
      dashboard.press('enter', 'enter');
      dashboard.write('the invoice for March is on its way. ありがとう 👋');
      await dashboard.shows('👋');
    },
  },
  {
    title: 'Settings',
    text: 'Edited in place; values of several lines too.',
    async take(dashboard) {
      dashboard.press('4');
      await dashboard.shows('site_name');
      dashboard.press('j', 'j', 'e');
      await dashboard.shows('── Value of');
    },
  },
  {
    title: 'Admins',
    text: 'A new one gets its password unseen.',
    async take(dashboard) {
      dashboard.press('5');
      await dashboard.shows('grace@example.com');
      dashboard.press('n');
      dashboard.write('lin@example.com');
      dashboard.press('tab', 'tab', 'tab');
      dashboard.write('correct horse');
      await dashboard.shows('•••••••••••••');
    },
  },
  {
    title: 'Usage',
    text: 'Tokens and cost against the budget, by model and day; `l` goes on to the scraping runs and their errors.',
    async take(dashboard) {
      dashboard.press('6');
      await dashboard.shows('Budget');
    },
  },
  {
    title: 'Scraping',
    text: 'The runs of the month by source.',
    async take(dashboard) {
      dashboard.press('6', 'l');
      await dashboard.shows('By source');
    },
  },
  {
    title: 'Scraping runs',
    text: 'Those that began last first, each with what it brought.',
    async take(dashboard) {
      dashboard.press('6', 'l', 'l');
      await dashboard.shows(/❯.*(succeeded|failed|cancelled|running)/);
    },
  },
  {
    title: 'Scraping errors',
    text: 'The latest first; `i` makes an issue of one, and both sides show the link.',
    async take(dashboard) {
      dashboard.press('6', 'l', 'l', 'l');
      await dashboard.shows(/❯.*[A-Z_]{6}/);
    },
  },
  {
    title: 'Audit',
    text: 'Who changed what, from where, as it happens.',
    async take(dashboard) {
      dashboard.press('7');
      await dashboard.shows('issue.updated');
      dashboard.press('enter');
      await dashboard.shows('── Record');
    },
  },
  {
    title: 'Commands',
    text: '`:` finds every action by a part of its name and shows its keys; `?` lists the keys.',
    async take(dashboard) {
      await dashboard.shows(/All [\d,]+ /);
      dashboard.press(':');
      dashboard.write('status');
      await dashboard.shows('Issues: Change the status');
    },
  },
  {
    title: 'A question',
    text: 'Whatever destroys asks first and names what it destroys; the answer is no unless it is `y`.',
    async take(dashboard) {
      dashboard.press('5');
      await dashboard.shows('grace@example.com');
      dashboard.press('G', 'D');
      await dashboard.shows('Delete');
    },
  },
];

/** Some life beyond what `seed` makes: a visitor with a draft, and changes that the audit trail shows. */
export async function enliven(client: Client): Promise<void> {
  const { conversation } = await client.call('conversations.create', {
    visitor_email: 'ada@example.com',
    visitor_name: 'Ada Byron',
    subject: 'An invoice for March',
    initial_message:
      'Could you send the invoice for March again? I cannot find it anywhere, not even among the spam.',
  });
  const { messages } = await client.call('messages.list', { conversation_id: conversation.id });
  await client.call('messages.updateDraft', {
    id: messages[0]?.id ?? 0,
    ai_draft: 'Gladly. The invoice for March is in your inbox.',
  });
  const page = await client.call('issues.list', { status: 'Open', limit: 3 });
  for (const { id } of 'issues' in page ? page.issues : []) {
    await client.call('issues.changeStatus', { id, status: 'In Progress' });
  }
}
