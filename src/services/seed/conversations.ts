import type { SeedConversation, SeedMessage } from '../../db/seed.ts';
import { agents, makePerson, type Person } from './people.ts';
import { type Random, seedId } from './random.ts';
import { hour, type Rhythm } from './rhythm.ts';
import { type Ending, writeTalk } from './talk.ts';
import { chooseEnding, chooseLength, chooseStatus, fitLength, pause } from './talk-plan.ts';
import { type Topic, talkWords, topics } from './talk-texts.ts';
import { createFiller } from './template.ts';

/** A conversation and its messages, in their order. */
export interface Thread {
  readonly conversation: SeedConversation;
  readonly messages: readonly SeedMessage[];
}

export interface ThreadOptions {
  readonly count: number;
  /** How many messages each has, on average. */
  readonly messages: number;
  /** In milliseconds; no message is of this time or later. */
  readonly until: number;
}

/** Makes conversations, roughly the oldest first. */
export function* makeThreads(random: Random, rhythm: Rhythm, options: ThreadOptions): Generator<Thread> {
  const { count, messages, until } = options;
  for (let index = 0; index < count; index++) {
    const start = rhythm.timeAt((index + random.share()) / count);
    yield makeThread(random, planTimes(random, start, chooseLength(random, messages), until), until);
  }
}

interface Times {
  /** When each message is written. */
  readonly times: readonly number[];
  readonly ending: Ending;
}

/** Settles how a talk ends and when its messages are written. One that would go on after `until` begins earlier. */
function planTimes(random: Random, start: number, planned: number, until: number): Times {
  const offsets = [0];
  // One more than planned, for the ending may want it.
  for (let index = 0; index < planned; index++) offsets.push((offsets[index] ?? 0) + pause(random));
  const longest = offsets[planned] ?? 0;
  const newest = until - 1 - random.whole(0, 2 * hour);
  const first = Math.min(start, newest - longest);
  const quiet = until - first - (offsets[planned - 1] ?? 0);
  // Whoever writes a single message waits for the first answer.
  const ending = planned === 1 ? 'waiting' : chooseEnding(random, quiet);
  const length = fitLength(random, planned, ending);
  return { ending, times: offsets.slice(0, length).map((offset) => first + offset) };
}

function makeThread(random: Random, { times, ending }: Times, until: number): Thread {
  const first = times[0] ?? until;
  const last = times.at(-1) ?? until;
  const visitor = makePerson(random);
  const topic = random.pick(topics);
  const fillers = fillersOf(random, visitor);
  const conversation: SeedConversation = {
    id: seedId('conv', first, random),
    visitor_email: visitor.email,
    visitor_name: visitor.name,
    subject: startUpper(fillers(0)(random.pick(topic.subjects))),
    status: chooseStatus(random, ending, until - last),
    created_at: new Date(first).toISOString(),
    updated_at: new Date(last).toISOString(),
  };
  const unreadFrom = times.length - countUnread(random, ending, times.length);
  const messages: SeedMessage[] = [];
  for (const { sender, text } of writeTalk(random, { topic, ending, length: times.length })) {
    const index = messages.length;
    messages.push({
      conversation_id: conversation.id,
      sender_type: sender,
      content: fillers(index)(text),
      ai_draft: index >= unreadFrom && random.chance(0.2) ? draft(random, topic, fillers(index)) : null,
      status: sender === 'visitor' && index < unreadFrom ? 'read' : 'sent',
      created_at: new Date(times[index] ?? last).toISOString(),
    });
  }
  return { conversation, messages };
}

/** How many messages at the end the team has not read: those that the visitor wrote since the team's last one. */
function countUnread(random: Random, ending: Ending, length: number): number {
  if ((ending !== 'waiting' && ending !== 'nudging') || random.chance(0.2)) return 0;
  return ending === 'nudging' ? Math.min(2, length) : 1;
}

/** A reply to an unread message that waits for somebody's approval. */
function draft(random: Random, topic: Topic, fill: (text: string) => string): string {
  return fill(random.pick(topic.answers));
}

const messagesPerTheme = 12;

/** Fills the places of the message of that number. A long talk moves on to other things, with the same people. */
function fillersOf(random: Random, visitor: Person): (index: number) => (text: string) => string {
  const people = {
    visitor: visitor.firstName,
    agent: random.pick(agents),
    order: `B-${random.whole(10_000, 99_999)}`,
  };
  const fillers: ((text: string) => string)[] = [];
  return (index) => {
    const theme = Math.floor(index / messagesPerTheme);
    fillers[theme] ??= createFiller(random, talkWords, people);
    return fillers[theme];
  };
}

function startUpper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
