import { setTimeout as nextTimer } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBackgroundQuestion } from '../../../../cli/tui/terminal/ask-background.ts';
import { backgroundQuestion } from '../../../../cli/tui/terminal/background.ts';

const light = { kind: 'colour', of: 'background', value: 'rgb:ffff/ffff/ffff' } as const;

/** A question, what it has written, and the backgrounds that came too late for the first frame. */
function asked() {
  const written: string[] = [];
  const late: string[] = [];
  const question = createBackgroundQuestion(
    (text) => written.push(text),
    (background) => late.push(background),
  );
  return { question, written, late };
}

test('gives the first frame the background that the terminal tells', async () => {
  const { question, written, late } = asked();
  const answer = question.ask();
  expect(written).toEqual([backgroundQuestion]);
  question.receive({ ...light, of: 'text' });
  question.receive(light);
  question.receive({ kind: 'attributes' });
  expect(await answer).toBe('#ffffff');
  expect(late).toEqual([]);
});

test('waits no longer than for the last answer, and tells a background that comes after it', async () => {
  const { question, late } = asked();
  const answer = question.ask();
  question.receive({ kind: 'attributes' });
  expect(await answer).toBeUndefined();
  question.receive(light);
  expect(late).toEqual(['#ffffff']);
});

test('takes an answer that arrived while the process could not read it', async () => {
  const { question, late } = asked();
  // From here on, timers that are due run before anything is read.
  await nextTimer(0);
  const answer = question.ask();
  const until = performance.now() + 150;
  while (performance.now() < until);
  setImmediate(() => question.receive(light));
  expect(await answer).toBe('#ffffff');
  expect(late).toEqual([]);
});
