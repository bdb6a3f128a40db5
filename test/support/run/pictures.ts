import type { Client } from '../../../src/contract/client/client.ts';
import type { Dashboard } from './dashboard.tsx';

/** A picture of the dashboard. `take` presses the keys and waits until the picture is complete. */
interface Picture {
  readonly title: string;
  readonly text: string;
  readonly take: (dashboard: Dashboard) => Promise<unknown>;
}

export const sizes = [
  [80, 24],
  [140, 40],
] as const;

/** Types what `Dashboard.after` takes, and waits each time for the text that comes of it. */
function steps(...each: readonly (readonly [keys: string, shown: string | RegExp])[]): Picture['take'] {
  return async (dashboard) => {
    for (const [keys, shown] of each) await dashboard.after(keys, shown);
  };
}

const firstConversation = /❯.{3} *1● +Ada Byron/;

/** The pictures of docs/dashboard.md, in its order. */
export const pictures: readonly Picture[] = [
  {
    title: 'Overview',
    text: 'What waits for somebody, what it costs, and what happened. `Enter` goes to what a figure counts.',
    take: steps(['0', /Latest activity[\s\S]*grace/]),
  },
  {
    title: 'Issues',
    text: 'Views by status, filtering as you type, sorting by any column, multiple selection, and details beside or below.',
    take: steps(['', /❯.{3} *\d+ /], ['j j space space k enter', '✓ 2 selected'], ['', 'Steps to reproduce']),
  },
  {
    title: 'Charts',
    text: 'Reported issues by day, their age within a period (`p` chooses the next one), and totals.',
    take: steps(['2', 'issues in 30 days'], ['', '1 to 7 days ago']),
  },
  {
    title: 'Conversations',
    text: 'Unread conversations stand out. A wide terminal shows the conversation beside the list.',
    take: steps(['3', firstConversation]),
  },
  {
    title: 'Conversation with a reply',
    text: '`a` approves a draft, `e` edits it, `x` rejects it. Your text is kept until it is sent, even if the connection is lost.',
    take: steps(
      ['3', firstConversation],
      ['enter', '┊ Gladly.'],
      ['r "Dear Ada," enter enter "the invoice for March is on its way. ありがとう 👋"', '👋'],
    ),
  },
  {
    title: 'Settings',
    text: 'Edit values in place, including values of several lines.',
    take: steps(['4', 'site_name'], ['j j e', '── Value of']),
  },
  {
    title: 'Admins',
    text: 'The password of a new admin is hidden.',
    take: steps(
      ['5', 'grace@example.com'],
      ['n "lin@example.com" tab tab tab "correct horse"', '•••••••••••••'],
    ),
  },
  {
    title: 'Usage',
    text: 'Tokens and cost against the budget, by model and day. `l` goes on to scraping, its runs and errors.',
    take: steps(['6', 'Budget']),
  },
  { title: 'Scraping', text: 'The runs of this month by source.', take: steps(['6 l', 'By source']) },
  {
    title: 'Scraping runs',
    text: 'The newest runs with their results.',
    take: steps(['6 l l', /❯.*(succeeded|failed|cancelled|running)/]),
  },
  {
    title: 'Scraping errors',
    text: 'The newest errors. `i` reports an issue from one, and both show the link.',
    take: steps(['6 l l l', /❯.*[A-Z_]{6}/]),
  },
  {
    title: 'Audit',
    text: 'Who changed what and from where, live.',
    take: steps(['7', 'issue.updated'], ['enter', '── Record']),
  },
  {
    title: 'Commands',
    text: '`:` finds every action by part of its name and shows its keys. `?` lists all keys.',
    // The other views have numbers only where they fit.
    take: steps(['', /Unsettled [\d,]+ /], [': "status"', 'Issues: Change the status']),
  },
  {
    title: 'Confirmation',
    text: 'Destructive actions ask first and name what they destroy. Only `y` confirms.',
    take: steps(['5', 'grace@example.com'], ['G D', 'Delete']),
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
