import { expect, test } from 'vitest';
import { SharedRefusals } from '../../../src/services/sign-in/shared-refusals.ts';

const limit = (key: string) => ({ key, maxFailures: 10 });

/** Counts how often the database is asked, which refuses by that key, or allows. */
function databaseThat(refusedBy: string | null) {
  const asked = { times: 0 };
  const ask = async () => {
    asked.times++;
    return refusedBy === null ? null : { key: refusedBy, seconds: 60 };
  };
  return { asked, ask };
}

test('a refusal also holds for attempts with the key that arrived before it was asked for', async () => {
  const refusals = new SharedRefusals();
  const { asked, ask } = databaseThat('network');
  const arrived = refusals.arrive();
  const first = await refusals.findOr([limit('account a'), limit('network')], arrived, ask);
  const second = await refusals.findOr([limit('account b'), limit('network')], arrived, ask);
  expect([first, second]).toEqual(Array(2).fill({ key: 'network', seconds: 60 }));
  expect(asked.times).toBe(1);
});

test('of several refusals, an attempt shares the longest', async () => {
  const refusals = new SharedRefusals();
  const arrived = refusals.arrive();
  const answers = [
    { key: 'network', seconds: null },
    { key: 'account', seconds: 60 },
    { key: 'anywhere', seconds: 5 },
  ];
  for (const answer of answers) await refusals.findOr([limit(answer.key)], arrived, async () => answer);
  const limits = answers.map(({ key }) => limit(key));
  const { asked, ask } = databaseThat(null);
  expect(await refusals.findOr(limits, arrived, ask)).toEqual({ key: 'account', seconds: 60 });
  expect(await refusals.findOr([limit('network')], arrived, ask)).toEqual({ key: 'network', seconds: null });
  expect(asked.times).toBe(0);
});

test('an attempt that arrived later asks for itself: meanwhile, failures may have been forgotten', async () => {
  const refusals = new SharedRefusals();
  const { asked, ask } = databaseThat('network');
  const early = refusals.arrive();
  const answer = Promise.withResolvers<{ key: string; seconds: number }>();
  const asking = refusals.findOr([limit('network')], early, () => answer.promise);
  // The question is on its way: the database may have answered already.
  const late = refusals.arrive();
  answer.resolve({ key: 'network', seconds: 60 });
  await asking;
  await refusals.findOr([limit('network')], late, ask);
  expect(asked.times).toBe(1);
});

test('an attempt with other keys, or after an allowed one, asks for itself', async () => {
  const refusals = new SharedRefusals();
  const arrived = refusals.arrive();
  const allowing = databaseThat(null);
  const refusing = databaseThat('account a');
  for (let attempt = 0; attempt < 3; attempt++) {
    expect(await refusals.findOr([limit('account a')], arrived, allowing.ask)).toBeNull();
  }
  expect(allowing.asked.times).toBe(3);
  await refusals.findOr([limit('account a')], arrived, refusing.ask);
  expect(await refusals.findOr([limit('account b')], arrived, allowing.ask)).toBeNull();
});

test('a refusal is forgotten when an attempt with its key ends', async () => {
  const refusals = new SharedRefusals();
  const arrived = refusals.arrive();
  await refusals.findOr([limit('network')], arrived, databaseThat('network').ask);
  refusals.forget('network');
  expect(await refusals.findOr([limit('network')], arrived, databaseThat(null).ask)).toBeNull();
});
