import type { SeedConversation, SeedMessage } from '../../db/seed/seed-rows.ts';
import { chooseEnding, chooseLength, chooseStatus, fitLength, replyDelayMs } from './conversation-plan.ts';
import { type Ending, writeScript } from './conversation-script.ts';
import { conversationWords, type Topic, topics } from './conversation-texts.ts';
import { hourMs } from './durations.ts';
import { agentEmail, agents, makeVisitor, type Visitor } from './people.ts';
import { createFiller, startUpper } from './placeholders.ts';
import { type Random, seedId } from './random.ts';
import type { Traffic } from './traffic.ts';

/** A message without its place among all messages. */
export interface WrittenMessage extends Omit<SeedMessage, 'id' | 'from_draft_of'> {
  /** Whether the reply started as a draft on the previous message. */
  readonly was_drafted: boolean;
}

export interface ConversationWithMessages {
  readonly conversation: SeedConversation;
  /** The number of messages. */
  readonly length: number;
  /** In their order. They can be read only once, because they are made on demand to save memory. */
  readonly messages: Iterable<WrittenMessage>;
}

export interface ConversationOptions {
  readonly count: number;
  /** The average number of messages per conversation. */
  readonly messages: number;
  /** In milliseconds; all messages are earlier. */
  readonly until: number;
}

/** Even a small data set has conversations of today, so that some visitors wait for an answer. */
const conversationsOfToday = 5;

/** Makes conversations, roughly oldest first. */
export function* makeConversations(
  random: Random,
  traffic: Traffic,
  { count, messages, until }: ConversationOptions,
): Generator<ConversationWithMessages> {
  for (let index = 0; index < count; index++) {
    const fraction = (index + random.float()) / count;
    const start =
      index < count - conversationsOfToday
        ? // The chat grows faster than the issues: half of the conversations are from the last five months.
          traffic.timeAt(1 - (1 - fraction) ** 2)
        : until - random.integer(0, 6 * hourMs);
    const times = planTimes(random, start, chooseLength(random, messages), until);
    yield makeConversation(random, times, until);
  }
}

interface Times {
  /** When each message is written. */
  readonly times: readonly number[];
  readonly ending: Ending;
}

/**
 * Chooses the ending of a conversation and the times of its messages. A conversation that would continue after `until`
 * starts earlier, by a random amount, so that such conversations do not all end at the same time.
 */
function planTimes(random: Random, start: number, planned: number, until: number): Times {
  const offsets = [0];
  // One more than planned, because the ending may need it.
  for (let index = 0; index < planned; index++) offsets.push((offsets[index] ?? 0) + replyDelayMs(random));
  const maxOffset = offsets[planned] ?? 0;
  const newest = until - 1 - Math.floor(random.float() * (maxOffset + 2 * hourMs));
  const first = Math.min(start, newest - maxOffset);
  const quietMs = until - first - (offsets[planned - 1] ?? 0);
  // A visitor who wrote only one message waits for the first answer.
  const ending = planned === 1 ? 'waiting' : chooseEnding(random, quietMs);
  const length = fitLength(random, planned, ending);
  return { ending, times: offsets.slice(0, length).map((offset) => first + offset) };
}

function makeConversation(random: Random, { times, ending }: Times, until: number): ConversationWithMessages {
  const first = times[0] ?? until;
  const last = times.at(-1) ?? until;
  const visitor = makeVisitor(random);
  const topic = random.pick(topics);
  const ownRandom = random.fork();
  const fillers = createFillers(ownRandom, visitor);
  const conversation: SeedConversation = {
    id: seedId('conv', first, random),
    visitor_email: visitor.email,
    visitor_name: visitor.name,
    subject: startUpper(fillers(0)(random.pick(topic.subjects))),
    status: chooseStatus(random, ending, until - last),
    created_at: new Date(first).toISOString(),
    updated_at: new Date(last).toISOString(),
  };
  const plan = { conversationId: conversation.id, topic, times, ending, fillers };
  return { conversation, length: times.length, messages: makeMessages(ownRandom, plan) };
}

interface MessagePlan extends Times {
  readonly conversationId: string;
  readonly topic: Topic;
  readonly fillers: Fillers;
}

function* makeMessages(random: Random, plan: MessagePlan): Generator<WrittenMessage> {
  const { conversationId, topic, times, ending, fillers } = plan;
  const { length } = times;
  const unreadFrom = length - countUnread(random, ending, length);
  let index = 0;
  for (const { sender, text } of writeScript(random, { topic, ending, length })) {
    const fill = fillers(index);
    const isUnread = index >= unreadFrom;
    yield {
      conversation_id: conversationId,
      sender_type: sender,
      content: fill(text),
      // Some unread messages have a drafted reply that waits for approval.
      ai_draft: isUnread && random.chance(0.2) ? fill(random.pick(topic.answers)) : null,
      status: sender === 'visitor' && !isUnread ? 'read' : 'sent',
      created_at: new Date(times[index] ?? 0).toISOString(),
      sent_by: sender === 'admin' ? agentEmail(fill('{agent}')) : null,
      // Some replies are approved drafts.
      was_drafted: sender === 'admin' && random.chance(0.15),
    };
    index++;
  }
}

/** Chooses how many messages at the end are unread: at most those that the visitor wrote since the last reply. */
function countUnread(random: Random, ending: Ending, length: number): number {
  if ((ending !== 'waiting' && ending !== 'nudging') || random.chance(0.2)) return 0;
  return ending === 'nudging' ? Math.min(2, length) : 1;
}

/** Returns the function that fills the placeholders of the message at that index. */
type Fillers = (index: number) => (text: string) => string;

const messagesPerTheme = 12;

/** Creates the fillers of a conversation. A long conversation moves on to other subjects, with the same people. */
function createFillers(random: Random, visitor: Visitor): Fillers {
  const people = {
    visitor: visitor.firstName,
    agent: random.pick(agents),
    order: `B-${random.integer(10_000, 99_999)}`,
  };
  let theme = 0;
  let fill = createFiller(random, conversationWords, people);
  return (index) => {
    if (Math.floor(index / messagesPerTheme) !== theme) {
      theme++;
      fill = createFiller(random, conversationWords, people);
    }
    return fill;
  };
}
