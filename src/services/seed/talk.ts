import type { Random } from './random.ts';
import { closings, type Exchange, furtherExchanges, nudges, type Topic, thanks } from './talk-texts.ts';

/**
 * How far a talk has come: the visitor waits for an answer, or has asked for it once more; the team has asked
 * something; or it is done.
 */
export type Ending = 'waiting' | 'nudging' | 'asked' | 'done';

/** One message, before its places are filled. */
export interface TalkLine {
  readonly sender: 'visitor' | 'admin';
  readonly text: string;
}

/** What a talk is like. */
export interface Plan {
  readonly topic: Topic;
  readonly ending: Ending;
  /** The number of messages: odd where the visitor waits, otherwise even. */
  readonly length: number;
}

/** Writes a talk: the visitor begins, then team and visitor in turn, up to a last word that fits the ending. */
export function* writeTalk(random: Random, { topic, ending, length }: Plan): Generator<TalkLine> {
  const nextExchange = exchangesOf(random, topic);
  yield visitor(random.pick(topic.openings));
  const settled = ending === 'done' && length > 2;
  const last = ending === 'waiting' ? 0 : settled ? 3 : 1;
  for (let written = 1; written + last < length; written += 2) {
    const [said, answered] = nextExchange();
    yield admin(said);
    yield visitor(answered);
  }
  if (ending === 'nudging') yield visitor(random.pick(nudges));
  if (ending === 'asked') yield admin(nextExchange()[0]);
  if (ending === 'done') yield admin(random.pick(topic.answers));
  if (settled) {
    yield visitor(random.pick(thanks));
    yield admin(random.pick(closings));
  }
}

/** Hands out exchanges: first those of the topic, then those of any talk, over and over. */
function exchangesOf(random: Random, { exchanges }: Topic): () => Exchange {
  let next = 0;
  const offset = random.whole(0, furtherExchanges.length - 1);
  return () => {
    const further = furtherExchanges[(next + offset) % furtherExchanges.length];
    const exchange = exchanges[next] ?? (further as Exchange);
    next++;
    return exchange;
  };
}

const visitor = (text: string): TalkLine => ({ sender: 'visitor', text });
const admin = (text: string): TalkLine => ({ sender: 'admin', text });
