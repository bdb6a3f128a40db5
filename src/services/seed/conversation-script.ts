import {
  closings,
  type Exchange,
  furtherExchanges,
  nudges,
  type Topic,
  thanks,
} from './conversation-texts.ts';
import type { Random } from './random.ts';

/**
 * How a conversation ends: the visitor waits for an answer, has asked for it again, the team has asked something, or the
 * matter is settled.
 */
export type Ending = 'waiting' | 'nudging' | 'asked' | 'done';

/** A message with its placeholders. */
export interface ScriptLine {
  readonly sender: 'visitor' | 'admin';
  readonly text: string;
}

export interface ScriptOptions {
  readonly topic: Topic;
  readonly ending: Ending;
  /** The number of messages: odd if the visitor waits, even otherwise. */
  readonly length: number;
}

/** Writes a conversation: the visitor starts, visitor and team alternate, and the last message fits the ending. */
export function* writeScript(
  random: Random,
  { topic, ending, length }: ScriptOptions,
): Generator<ScriptLine> {
  const nextExchange = exchangesOf(random, topic);
  yield visitor(random.pick(topic.openings));
  const hasThanks = ending === 'done' && length > 2;
  const endingLines = ending === 'waiting' ? 0 : hasThanks ? 3 : 1;
  for (let written = 1; written + endingLines < length; written += 2) {
    const [question, answer] = nextExchange();
    yield admin(question);
    yield visitor(answer);
  }
  if (ending === 'nudging') yield visitor(random.pick(nudges));
  if (ending === 'asked') yield admin(nextExchange()[0]);
  if (ending === 'done') yield admin(random.pick(topic.answers));
  if (hasThanks) {
    yield visitor(random.pick(thanks));
    yield admin(random.pick(closings));
  }
}

/** Returns a function that takes the next exchange: first those of the topic, then general ones, over and over. */
function exchangesOf(random: Random, { exchanges }: Topic): () => Exchange {
  let next = 0;
  const offset = random.integer(0, furtherExchanges.length - 1);
  return () => {
    const further = furtherExchanges[(next + offset) % furtherExchanges.length];
    const exchange = exchanges[next] ?? (further as Exchange);
    next++;
    return exchange;
  };
}

const visitor = (text: string): ScriptLine => ({ sender: 'visitor', text });
const admin = (text: string): ScriptLine => ({ sender: 'admin', text });
