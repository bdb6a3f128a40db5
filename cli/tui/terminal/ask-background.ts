import { setImmediate } from 'node:timers/promises';
import { atMost } from '../../../src/shared/waiting.ts';
import type { Rgb } from '../colours/contrast.ts';
import { backgroundQuestion, parseColour } from './background.ts';
import type { TerminalReply } from './reply-filter.ts';

/** How long the first frame waits for the answer. One that comes later changes the colours then. */
const firstFrameWaitMs = 100;
/** How long the end waits for an answer that is still due, which would otherwise become input of the shell. */
const endWaitMs = 300;
/** An answer that takes longer than this will not come. */
const givenUpMs = 2_000;

/** The question about the background of the terminal, once it is asked. */
export interface BackgroundQuestion {
  /** Takes an answer of the terminal. */
  receive(reply: Exclude<TerminalReply, { kind: 'mouse' }>): void;
  /** Asks. Resolves with the background, or with undefined if the terminal does not tell, or not in time. */
  ask(): Promise<Rgb | undefined>;
  /** Resolves when no answer is due any more. */
  settle(): Promise<void>;
}

/** @param onLate - receives a background that arrives after `ask` has resolved */
export function createBackgroundQuestion(
  write: (text: string) => void,
  onLate: (background: Rgb) => void,
): BackgroundQuestion {
  const { promise: answered, resolve: end } = Promise.withResolvers<void>();
  let found: Rgb | undefined;
  let isWaiting = true;
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    receive(reply) {
      if (reply.kind === 'attributes') return end();
      const background = reply.of === 'background' ? parseColour(reply.value) : undefined;
      if (background === undefined) return;
      found = background;
      if (!isWaiting) onLate(background);
    },
    async ask() {
      askedAt = performance.now();
      write(backgroundQuestion);
      await atMost(firstFrameWaitMs, answered);
      // On a busy machine the answer may have arrived, and only the timer was first.
      await setImmediate();
      isWaiting = false;
      return found;
    },
    async settle() {
      if (performance.now() - askedAt < givenUpMs) await atMost(endWaitMs, answered);
    },
  };
}
