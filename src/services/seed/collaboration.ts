import type { SeedComment, SeedSavedReply } from '../../db/seed/seed-rows.ts';
import { agentEmail, agents } from './people.ts';

/** Writes as one of the agents, each in turn. */
const byAgents = (texts: readonly string[]): SeedComment[] =>
  texts.map((content, index) => {
    const agent = agents[index % agents.length] ?? agents[0];
    return { author_name: agentEmail(agent), author_username: agent, content };
  });

/** Comments on the newest open issues, one on each. */
export const issueComments = byAgents([
  'I can reproduce it. It started with the last release.',
  'Three visitors wrote about this today. I asked them for a screenshot.',
  'Could this be the same cause as the slow checkout last week?',
  'Works for me in a private window, so the cache may be part of it.',
  'I talked to the carrier. They look into it and answer by tomorrow.',
  'Let us keep this open until the next release is out.',
]);

/** Comments on the conversations that were updated last, one on each. */
export const conversationComments = byAgents([
  'A regular customer. Please be generous.',
  'I have asked the warehouse and will answer as soon as I know more.',
  'Already refunded by hand, so please do not refund it again.',
  'Speaks French, too.',
]);

export const savedReplies: readonly SeedSavedReply[] = [
  {
    shortcut: 'hello',
    title: 'Greeting',
    content: 'Hello {{visitor_name}}, this is {{admin_name}}. How can I help you?',
  },
  {
    shortcut: 'on-its-way',
    title: 'Parcel is on its way',
    content:
      'Hello {{visitor_name}}, your parcel is on its way and should arrive within three days. Kind regards, {{admin_name}}',
  },
  {
    shortcut: 'refund',
    title: 'Refund is made',
    content:
      'Hello {{visitor_name}}, we have refunded your order. The money arrives within five working days. Kind regards, {{admin_name}}',
  },
  {
    shortcut: 'more-details',
    title: 'Ask for details',
    content:
      'Thank you for writing, {{visitor_name}}. Could you tell me which browser you use and what you see on the screen? A screenshot helps, too.',
  },
  {
    shortcut: 'closing',
    title: 'No answer for a while',
    content:
      'Hello {{visitor_name}}, I have not heard from you, so I close this conversation. Just write again if you need us, and mention {{conversation_id}}.',
  },
];
