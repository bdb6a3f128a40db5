import type { Client } from '../../../src/contract/client/client.ts';
import type { Dashboard } from './dashboard.tsx';

/** A picture of the dashboard. `take` presses the keys and waits until the picture is complete. */
export interface Picture {
  readonly title: string;
  readonly text: string;
  readonly take: (dashboard: Dashboard) => Promise<unknown>;
}

export const sizes = [
  [80, 24],
  [140, 40],
] as const;

/** Presses the keys, then waits for each of the texts. */
function after(keys: readonly string[], ...texts: readonly (string | RegExp)[]): Picture['take'] {
  return async (dashboard) => {
    dashboard.press(...keys);
    for (const text of texts) await dashboard.shows(text);
  };
}

/** The pictures of docs/dashboard.md, in its order. */
export const pictures: readonly Picture[] = [
  {
    title: 'Overview',
    text: 'What waits for somebody, what it costs, and what happened. `Enter` goes to what a figure counts.',
    take: after(['0'], /Latest activity[\s\S]*grace/),
  },
  {
    title: 'Issues',
    text: 'Views by status, filtering as you type, sorting by any column, multiple selection, and details beside or below.',
    async take(dashboard) {
      await dashboard.shows(/❯.{3} *\d+ /);
      dashboard.press('j', 'j', 'space', 'space', 'k', 'enter');
      await dashboard.shows('✓ 2 selected');
      await dashboard.shows('Steps to reproduce');
    },
  },
  {
    title: 'Charts',
    text: 'Reported issues by day, their age within a period (`p` chooses the next one), and totals.',
    take: after(['2'], 'issues in 30 days', '1 to 7 days ago'),
  },
  {
    title: 'Conversations',
    text: 'Unread conversations stand out. A wide terminal shows the conversation beside the list.',
    take: after(['3'], /❯.{3} *1● +Ada Byron/),
  },
  {
    title: 'Conversation with a reply',
    text: '`a` approves a draft, `e` edits it, `x` rejects it. Your text is kept until it is sent, even if the connection is lost.',
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
    text: 'Edit values in place, including values of several lines.',
    async take(dashboard) {
      dashboard.press('4');
      await dashboard.shows('site_name');
      dashboard.press('j', 'j', 'e');
      await dashboard.shows('── Value of');
    },
  },
  {
    title: 'Admins',
    text: 'The password of a new admin is hidden.',
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
    text: 'Tokens and cost against the budget, by model and day. `l` goes on to scraping, its runs and errors.',
    take: after(['6'], 'Budget'),
  },
  {
    title: 'Scraping',
    text: 'The runs of this month by source.',
    take: after(['6', 'l'], 'By source'),
  },
  {
    title: 'Scraping runs',
    text: 'The newest runs with their results.',
    take: after(['6', 'l', 'l'], /❯.*(succeeded|failed|cancelled|running)/),
  },
  {
    title: 'Scraping errors',
    text: 'The newest errors. `i` reports an issue from one, and both show the link.',
    take: after(['6', 'l', 'l', 'l'], /❯.*[A-Z_]{6}/),
  },
  {
    title: 'Audit',
    text: 'Who changed what and from where, live.',
    async take(dashboard) {
      dashboard.press('7');
      await dashboard.shows('issue.updated');
      dashboard.press('enter');
      await dashboard.shows('── Record');
    },
  },
  {
    title: 'Commands',
    text: '`:` finds every action by part of its name and shows its keys. `?` lists all keys.',
    async take(dashboard) {
      // The other views have numbers only where they fit.
      await dashboard.shows(/Unsettled [\d,]+ /);
      dashboard.press(':');
      dashboard.write('status');
      await dashboard.shows('Issues: Change the status');
    },
  },
  {
    title: 'Confirmation',
    text: 'Destructive actions ask first and name what they destroy. Only `y` confirms.',
    async take(dashboard) {
      dashboard.press('5');
      await dashboard.shows('grace@example.com');
      dashboard.press('G', 'D');
      await dashboard.shows('Delete');
    },
  },
];

/** Adds to the seeded data a conversation with a draft, and changes for the audit trail. */
export async function addActivity(client: Client): Promise<void> {
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
