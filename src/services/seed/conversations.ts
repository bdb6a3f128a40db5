import { dayMs, hourMs, type Random } from './random.ts';
import {
  agentEmail,
  agents,
  createFiller,
  exchanges,
  makeVisitor,
  type Problem,
  phrases,
  problems,
} from './texts.ts';

/** How a conversation ends. `unread` is how many messages the visitor has written since the last reply. */
const endings = {
  waiting: { status: 'open', unread: 1 },
  nudging: { status: 'open', unread: 2 },
  asked: { status: 'pending', unread: 0 },
  done: { status: 'resolved', unread: 0 },
} as const;
type Ending = keyof typeof endings;
const endingWeights = [
  { withinMs: 6 * hourMs, weights: [53, 17, 20, 10] },
  { withinMs: 3 * dayMs, weights: [30, 10, 25, 35] },
  { withinMs: 14 * dayMs, weights: [9, 3, 20, 68] },
  { withinMs: Number.POSITIVE_INFINITY, weights: [0.4, 0.1, 2, 97.5] },
] as const;

/** A long conversation moves on to other subjects, with the same people. */
const messagesPerTheme = 12;

/** Makes a conversation whose last message is from that time, and its messages, of which there are so many on average. */
export function makeConversation(random: Random, endedAt: number, until: number, averageLength: number) {
  const visitor = makeVisitor(random);
  const problem = random.pickEarly(problems);
  const ending = chooseEnding(random, until - endedAt, averageLength);
  const script = writeScript(random, problem, ending, chooseLength(random, averageLength));
  const times = timesUntil(random, endedAt, script.length);
  const startedAt = times[0] ?? endedAt;
  const id = random.id('conv', startedAt);

  const agent = random.pick(agents);
  const people = { visitor: visitor.firstName, agent, order: `B-${random.integer(10_000, 99_999)}` };
  let fill = createFiller(random, people);
  // Some visitors leave the subject empty.
  const subject = random.chance(0.07) ? '' : fill(random.pick(problem.titles));
  const { status, unread } = endings[ending];
  const readUntil = script.length - (random.chance(0.8) ? unread : 0);
  const messages = script.map(({ sender, text }, index) => {
    if (index > 0 && index % messagesPerTheme === 0) fill = createFiller(random, people);
    const isUnread = index >= readUntil;
    return {
      conversation_id: id,
      sender_type: sender,
      content: fill(text),
      // Some unread messages have a drafted reply that waits for approval.
      ai_draft: isUnread && random.chance(0.2) ? fill(problem.answer) : null,
      status: sender === 'visitor' && !isUnread ? 'read' : 'sent',
      created_at: new Date(times[index] ?? endedAt).toISOString(),
      sent_by: sender === 'admin' ? agentEmail(agent) : null,
      // Some replies were approved drafts on the previous message.
      was_drafted: sender === 'admin' && random.chance(0.15),
    };
  });
  const isClosed = status === 'resolved' && until - endedAt > 10 * dayMs && random.chance(0.7);
  const conversation = {
    id,
    visitor_email: visitor.email,
    visitor_name: visitor.name,
    subject,
    status: isClosed ? 'closed' : status,
    created_at: new Date(startedAt).toISOString(),
    // The time of its latest message, so that the trigger on messages has nothing to update.
    updated_at: new Date(endedAt).toISOString(),
  };
  return { conversation, messages };
}

function chooseEnding(random: Random, quietMs: number, averageLength: number): Ending {
  // A visitor who wrote only one message waits for the first answer.
  if (averageLength === 1) return 'waiting';
  const { weights } = endingWeights.find(({ withinMs }) => quietMs < withinMs) ?? endingWeights[3];
  return random.pickWeighted(Object.keys(endings) as Ending[], weights);
}

/** Chooses the number of messages of a conversation: 2 or more, the fewer the more likely, with the given average. */
function chooseLength(random: Random, average: number): number {
  if (average === 1) return 1;
  // The whole part of an exponential distribution is a geometric one, whose mean is the rest of the average above 2.
  return 2 + Math.floor(random.exponential(1 / Math.log(1 + 1 / (average - 2))));
}

/** Returns times that end at the last one: mostly minutes apart, sometimes hours, rarely a night or a day. */
function timesUntil(random: Random, last: number, count: number): number[] {
  const times = [last];
  while (times.length < count) {
    const minutes = 1 + 12 * random.exponential(1) ** 3;
    times.push((times.at(-1) ?? last) - Math.floor((minutes * hourMs) / 60));
  }
  return times.reverse();
}

/** Writes a conversation of about that length: visitor and team alternate, and the end fits the ending. */
function writeScript(random: Random, { details, answer }: Problem, ending: Ending, length: number) {
  const offset = random.integer(0, exchanges.length - 1);
  const exchange = (index: number) => exchanges[(offset + index) % exchanges.length] ?? ['', ''];
  const farewell =
    length > 3 ? [visitor(random.pick(phrases.thanks)), admin(random.pick(phrases.closings))] : [];
  const endingLines = { waiting: 0, nudging: 1, asked: 1, done: 1 + farewell.length }[ending];
  // Rounding at random keeps the average length.
  const exchangeCount = Math.max(0, Math.floor((length - 1 - endingLines) / 2 + random.float()));
  const lines = [visitor(`${random.pick(phrases.greetings)} ${random.pick(details)}`)];
  for (let index = 0; index < exchangeCount; index++) {
    const [question, reply] = exchange(index);
    lines.push(admin(index === 0 ? `Hello {visitor}, I am {agent}. ${question}` : question), visitor(reply));
  }
  if (ending === 'nudging') lines.push(visitor(random.pick(phrases.nudges)));
  if (ending === 'asked') lines.push(admin(exchange(exchangeCount)[0]));
  if (ending === 'done') lines.push(admin(answer), ...farewell);
  return lines;
}

const visitor = (text: string) => ({ sender: 'visitor', text });
const admin = (text: string) => ({ sender: 'admin', text });
