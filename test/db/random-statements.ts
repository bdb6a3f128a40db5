import fc from 'fast-check';
import type { Client } from 'pg';
import { runConcurrently } from '../support/postgres.ts';

/** Makes statements of random parts, which come as often as their weight says. */
export const statements = <Parts extends readonly unknown[]>(
  weight: number,
  parts: { readonly [Part in keyof Parts]: fc.Arbitrary<Parts[Part]> },
  text: (...parts: Parts) => string,
) => ({
  weight,
  arbitrary: fc
    .tuple(...(parts as unknown as fc.Arbitrary<unknown>[]))
    .map((values) => text(...(values as never))),
});

type Transactions = fc.Arbitrary<readonly string[]>;

/** Makes transactions of up to three statements, some of which roll back. */
export const transactionsOf = (statement: fc.Arbitrary<string>, begin = 'begin'): Transactions =>
  fc
    .tuple(
      fc.array(statement, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('commit', 'commit', 'rollback'),
    )
    .map(([inside, end]) => [begin, ...inside, end]);

/** Checks again and again that something holds after each of the clients has run up to so many transactions, all at once. */
export const checkAfter = (
  transactions: Transactions,
  { clients, perClient = 3, runs }: { clients: readonly Client[]; perClient?: number; runs: number },
  check: () => Promise<void>,
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(
      fc.tuple(...clients.map(() => fc.array(transactions, { maxLength: perClient }))),
      async (work) => {
        await runConcurrently(clients, work);
        await check();
      },
    ),
    { numRuns: runs, endOnFailure: true },
  );
