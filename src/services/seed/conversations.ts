import type { SeedConversation, SeedMessage } from '../../db/seed/seed-rows.ts';
import { agents, mailboxOf, makePerson, type Person } from './people.ts';
import { type Random, seedId } from './random.ts';
import { hour, type Rhythm } from './rhythm.ts';
import { type Ending, writeTalk } from './talk.ts';
import { chooseEnding, chooseLength, chooseStatus, fitLength, pause } from './talk-plan.ts';
import { type Topic, talkWords, topics } from './talk-texts.ts';
import { createFiller, startUpper } from './template.ts';

/** A message before it has its place among all others. */
export interface WrittenMessage extends Omit<SeedMessage, 'id' | 'from_draft_of'> {
  /** Whether it was drafted on the message before it. */
  readonly was_drafted: boolean;
}

/** A conversation and its messages. */
export interface SeedThread {
  readonly conversation: SeedConversation;
  /** How many messages there are. */
  readonly length: number;
  /** In their order, made as they are read, which works once: a batch of threads takes little memory so. */
  readonly messages: Iterable<WrittenMessage>;
}

export interface ThreadOptions {
  readonly count: number;
  /** How many messages each has, on average. */
  readonly messages: number;
  /** In milliseconds; no message is of this time or later. */
  readonly until: number;
}

/** However few there are, some are of today, so that somebody waits for an answer. */
const talksOfToday = 5;

/** Makes conversations, roughly the oldest first. */
export function* makeThreads(random: Random, rhythm: Rhythm, options: ThreadOptions): Generator<SeedThread> {
  const { count, messages, until } = options;
  for (let index = 0; index < count; index++) {
    const share = (index + random.share()) / count;
    const start =
      index < count - talksOfToday
        ? // The chat is used more and more, and more so than the issues: half of the talks are of the last five months.
          rhythm.timeAt(1 - (1 - share) ** 2)
        : until - random.whole(0, 6 * hour);
    yield makeThread(random, planTimes(random, start, chooseLength(random, messages), until), until);
  }
}

interface Times {
  /** When each message is written. */
  readonly times: readonly number[];
  readonly ending: Ending;
}

/**
 * Settles how a talk ends and when its messages are written. One that would go on after `until` begins earlier, by so
 * much that not all of these end at the same time.
 */
function planTimes(random: Random, start: number, planned: number, until: number): Times {
  const offsets = [0];
  // One more than planned, for the ending may want it.
  for (let index = 0; index < planned; index++) offsets.push((offsets[index] ?? 0) + pause(random));
  const longest = offsets[planned] ?? 0;
  const newest = until - 1 - Math.floor(random.share() * (longest + 2 * hour));
  const first = Math.min(start, newest - longest);
  const quiet = until - first - (offsets[planned - 1] ?? 0);
  // Whoever writes a single message waits for the first answer.
  const ending = planned === 1 ? 'waiting' : chooseEnding(random, quiet);
  const length = fitLength(random, planned, ending);
  return { ending, times: offsets.slice(0, length).map((offset) => first + offset) };
}

function makeThread(random: Random, { times, ending }: Times, until: number): SeedThread {
  const first = times[0] ?? until;
  const last = times.at(-1) ?? until;
  const visitor = makePerson(random);
  const topic = random.pick(topics);
  const own = random.fork();
  const fillers = fillersOf(own, visitor);
  const conversation: SeedConversation = {
    id: seedId('conv', first, random),
    visitor_email: visitor.email,
    visitor_name: visitor.name,
    subject: startUpper(fillers(0)(random.pick(topic.subjects))),
    status: chooseStatus(random, ending, until - last),
    created_at: new Date(first).toISOString(),
    updated_at: new Date(last).toISOString(),
  };
  const talk = { conversationId: conversation.id, topic, times, ending, fillers };
  return { conversation, length: times.length, messages: makeMessages(own, talk) };
}

interface Talk extends Times {
  readonly conversationId: string;
  readonly topic: Topic;
  readonly fillers: Fillers;
}

function* makeMessages(random: Random, talk: Talk): Generator<WrittenMessage> {
  const { conversationId, topic, times, ending, fillers } = talk;
  const { length } = times;
  const unreadFrom = length - countUnread(random, ending, length);
  let index = 0;
  for (const { sender, text } of writeTalk(random, { topic, ending, length })) {
    const fill = fillers(index);
    const isUnread = index >= unreadFrom;
    yield {
      conversation_id: conversationId,
      sender_type: sender,
      content: fill(text),
      // Now and then a machine has drafted a reply, which waits for somebody's approval.
      ai_draft: isUnread && random.chance(0.2) ? fill(random.pick(topic.answers)) : null,
      status: sender === 'visitor' && !isUnread ? 'read' : 'sent',
      created_at: new Date(times[index] ?? 0).toISOString(),
      sent_by: sender === 'admin' ? mailboxOf(fill('{agent}')) : null,
      // Whoever of the team answers now and then only had to approve.
      was_drafted: sender === 'admin' && random.chance(0.15),
    };
    index++;
  }
}

/** How many messages at the end the team has not read: those that the visitor wrote since the team's last one. */
function countUnread(random: Random, ending: Ending, length: number): number {
  if ((ending !== 'waiting' && ending !== 'nudging') || random.chance(0.2)) return 0;
  return ending === 'nudging' ? Math.min(2, length) : 1;
}

/** What fills the places of the message of that number. */
type Fillers = (index: number) => (text: string) => string;

const messagesPerTheme = 12;

/** A long talk moves on to other things, with the same people. */
function fillersOf(random: Random, visitor: Person): Fillers {
  const people = {
    visitor: visitor.firstName,
    agent: random.pick(agents),
    order: `B-${random.whole(10_000, 99_999)}`,
  };
  let theme = 0;
  let fill = createFiller(random, talkWords, people);
  return (index) => {
    if (Math.floor(index / messagesPerTheme) !== theme) {
      theme++;
      fill = createFiller(random, talkWords, people);
    }
    return fill;
  };
}
