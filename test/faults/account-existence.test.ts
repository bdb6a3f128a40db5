import { beforeAll, expect, test } from 'vitest';
import { defaultCost } from '../../src/services/sign-in/stored-hash.ts';
import { ask, json, type WholeAnswer } from '../support/here/requests.ts';
import { mailHere } from '../support/receivers.ts';

const own = mailHere({}, { passwordCost: defaultCost });
const rounds = 200;
/** Between the medians. */
const maxDifferenceMs = 5;
const accounts = {
  known: 'known@example.com',
  unknown: 'unknown@example.com',
  inactive: 'inactive@example.com',
};
type Kind = keyof typeof accounts;
const kinds = Object.keys(accounts) as Kind[];

beforeAll(async () => {
  // Signing in gives each account a hash of the cost of the product.
  for (const kind of ['known', 'inactive'] as const) {
    const { id } = await own.service.signIn('user', accounts[kind]);
    const isActive = kind === 'known' ? 1 : 0;
    await own.sql('update admins set is_active = $1 where id = $2', [isActive, id]);
  }
  await own.sql('delete from sign_in_networks');
});

/** Everything of an answer but what differs between any two. */
function bytesOf({ status, headers, text }: WholeAnswer): string {
  const steady = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return JSON.stringify([status, steady, text]);
}

test.for([
  ['sign-ins', '/api/admin/session', (email: string) => ({ email, password: 'wrong horse' })],
  ['requests for a new password', '/api/admin/password-reset', (email: string) => ({ email })],
] as const)(
  '200 %s each do not tell known, unknown and inactive accounts apart',
  async ([what, path, bodyOf]) => {
    const times: Record<Kind, number[]> = { known: [], unknown: [], inactive: [] };
    // Other programs delay answers, and cost this process nothing: the work tells whether a difference is one of ours.
    const work: Record<Kind, number[]> = { known: [], unknown: [], inactive: [] };
    const answers = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      await own.sql('delete from rate_limits');
      // Each kind comes first, second and last equally often, so that what else the machine does affects all.
      for (let turn = 0; turn < kinds.length; turn++) {
        const kind = kinds[(round + turn) % kinds.length] as Kind;
        const before = process.cpuUsage();
        const start = performance.now();
        const asked = { method: 'POST', headers: json, body: bodyOf(accounts[kind]) };
        answers.add(bytesOf(await ask(own.service, path, asked)));
        times[kind].push(performance.now() - start);
        const { user, system } = process.cpuUsage(before);
        work[kind].push((user + system) / 1_000);
      }
    }
    const medians = kinds.map((kind) => medianOf(times[kind]));
    const described = kinds.map(
      (kind, index) =>
        `${kind} ${medians[index]?.toFixed(1)} ms (${medianOf(work[kind]).toFixed(1)} ms of work)`,
    );
    console.log(`${what}: medians of ${described.join(', ')}`);
    expect([...answers]).toHaveLength(1);
    expect(Math.max(...medians) - Math.min(...medians)).toBeLessThanOrEqual(maxDifferenceMs);
  },
);

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
}
