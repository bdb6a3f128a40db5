import {
  assignLatest,
  type BulkConnection,
  commentOnLatest,
  insertMissing,
  labelLatest,
  linkIssues,
} from '../../db/seed/seed.ts';
import { agentEmail, agents } from './texts.ts';

/** Comments of the agents, each in turn. */
const comments = [
  'Three visitors wrote about this today. I asked them for a screenshot.',
  'A regular customer. Please be generous.',
  'Could this be the same cause as the slow checkout last week?',
  'I asked the developers. They look into it and answer by tomorrow.',
  'Works for me in a private window, so the cache may be part of it.',
  'Let us keep this open until the next release is out.',
].map((content, index) => {
  const agent = agents[index % agents.length] ?? agents[0];
  return { author_kind: 'admin', author_name: agentEmail(agent), author_username: agent, content };
});

/** Labels of the issues and conversations, each in turn and in the order of the alphabet. */
const labels = [
  ['needs details'],
  ['regression', 'urgent'],
  ['billing'],
  ['mobile', 'needs details'],
  ['key account', 'urgent'],
  ['waiting for supplier'],
  ['billing', 'key account'],
];

/** By shortcut: title and content. */
const savedReplies = {
  hello: ['Greeting', 'Hello {{visitor_name}}, this is {{admin_name}}. How can I help you?'],
  'on-its-way': ['Parcel is on its way', 'Your parcel is on its way. Kind regards, {{admin_name}}'],
  refund: ['Refund is made', 'We have refunded your order. The money arrives within five working days.'],
  'more-details': ['Ask for details', 'Could you tell me which browser you use? A screenshot helps, too.'],
  closing: ['No answer for a while', 'I close {{conversation_id}}. Just write again if you need us.'],
} as const;

/** Adds what the team does with the example issues and conversations, and returns how many rows it added or assigned. */
export async function addTeamwork(connection: BulkConnection) {
  const replies = Object.entries(savedReplies).map(([shortcut, [title, content]]) => ({
    shortcut,
    title,
    content,
  }));
  return {
    issueLinks: await linkIssues(connection, agentEmail(agents[0])),
    assigned: (await assignLatest(connection, 'issue')) + (await assignLatest(connection, 'conversation')),
    labelled:
      (await labelLatest(connection, 'issue', labels)) +
      (await labelLatest(connection, 'conversation', labels)),
    comments:
      (await commentOnLatest(connection, 'issue', comments)) +
      (await commentOnLatest(connection, 'conversation', comments.slice(0, 4))),
    savedReplies: await insertMissing(connection, 'saved_replies', replies),
  };
}
