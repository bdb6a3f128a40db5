import type { BulkConnection } from '../../db/seed/copy-rows.ts';
import { assignLatest, commentOnLatest, insertMissing, linkIssues } from '../../db/seed/seed.ts';
import { agentEmail, agents } from './people.ts';

/** Makes comments of the agents, each in turn. */
const byAgents = (texts: readonly string[]) =>
  texts.map((content, index) => {
    const agent = agents[index % agents.length] ?? agents[0];
    return { author_kind: 'admin', author_name: agentEmail(agent), author_username: agent, content };
  });

/** One on each of the latest unsettled issues. */
const issueComments = byAgents([
  'I can reproduce it. It started with the last release.',
  'Three visitors wrote about this today. I asked them for a screenshot.',
  'Could this be the same cause as the slow checkout last week?',
  'Works for me in a private window, so the cache may be part of it.',
  'I talked to the carrier. They look into it and answer by tomorrow.',
  'Let us keep this open until the next release is out.',
]);

/** One on each of the latest unsettled conversations. */
const conversationComments = byAgents([
  'A regular customer. Please be generous.',
  'I have asked the warehouse and will answer as soon as I know more.',
  'Already refunded by hand, so please do not refund it again.',
  'Speaks French, too.',
]);

const savedReplies = [
  {
    shortcut: 'hello',
    title: 'Greeting',
    content: 'Hello {{visitor_name}}, this is {{admin_name}}. How can I help you?',
  },
  {
    shortcut: 'on-its-way',
    title: 'Parcel is on its way',
    content: 'Hello {{visitor_name}}, your parcel is on its way. Kind regards, {{admin_name}}',
  },
  {
    shortcut: 'refund',
    title: 'Refund is made',
    content:
      'Hello {{visitor_name}}, we have refunded your order. The money arrives within five working days.',
  },
  {
    shortcut: 'more-details',
    title: 'Ask for details',
    content: 'Could you tell me which browser you use and what you see? A screenshot helps, too.',
  },
  {
    shortcut: 'closing',
    title: 'No answer for a while',
    content: 'I have not heard from you, so I close {{conversation_id}}. Just write again if you need us.',
  },
];

/** Adds what the team does with the example issues and conversations, and returns how many rows it added or assigned. */
export async function addTeamwork(connection: BulkConnection) {
  return {
    issueLinks: await linkIssues(connection, agentEmail(agents[0])),
    assigned: (await assignLatest(connection, 'issue')) + (await assignLatest(connection, 'conversation')),
    comments:
      (await commentOnLatest(connection, 'issue', issueComments)) +
      (await commentOnLatest(connection, 'conversation', conversationComments)),
    savedReplies: await insertMissing(connection, 'saved_replies', savedReplies),
  };
}
