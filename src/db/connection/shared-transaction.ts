import { type Batched, BatchQueue } from './batch-queue.ts';
import { runAs } from './caller.ts';
import { isLocked, retryAfterOf } from './database-errors.ts';
import { type Defer, NeedsPoolError, type RunPlainTransaction } from './plain-transaction.ts';
import type { Database } from './pool.ts';

/**
 * Runs the work in a transaction that it may share with other work. Rejects with a `NeedsPoolError` if other work has failed,
 * or work with the same key is in the transaction: then the work has changed nothing.
 */
export type RunSharedTransaction = <T>(
  key: string,
  work: (tx: Database, defer: Defer) => Promise<T>,
) => Promise<T>;

interface Waiting {
  readonly key: string;
  readonly work: (tx: Database, defer: Defer) => Promise<unknown>;
  readonly done: PromiseWithResolvers<unknown>;
}

/** Runs a statement for each of the items, and returns what it has for them, in their order. */
export type RunForAll<Item, T> = (tx: Database, items: readonly Item[]) => Promise<readonly T[]>;

/** The items of a statement that is about to be sent, and what they wait for. */
interface Collected {
  readonly items: unknown[];
  readonly results: Promise<readonly unknown[]>;
}

/** How many shared transactions run at once. Each has several statements, so one at a time would be slow. */
const maxBatches = 3;

/** The transactions that may be shared, with the statements that are about to be sent. */
const collecting = new WeakMap<Database, Map<unknown, Collected>>();

/** Returns what runs transactions that come at the same time as one: they travel and commit together. */
export function sharedTransactions(run: RunPlainTransaction): RunSharedTransaction {
  const queue = new BatchQueue<Waiting>(
    (take) => runTogether(run, take),
    () => maxBatches,
  );
  return <T>(key: string, work: Waiting['work']) => {
    const done = Promise.withResolvers<unknown>();
    queue.add({ key, work, done });
    return done.promise as Promise<T>;
  };
}

async function runTogether(run: RunPlainTransaction, take: () => readonly Batched<Waiting>[]): Promise<void> {
  let batch: readonly Batched<Waiting>[] | undefined;
  try {
    const results = await run(async (tx, defer) => {
      batch = takeUnlike(take);
      const statements = new Map<unknown, Collected>();
      collecting.set(tx, statements);
      const done = await Promise.all(
        batch.map(({ item, caller }) => runAs(caller, () => item.work(tx, defer))),
      );
      // The commit must not overtake them.
      while (statements.size > 0) await nextTick();
      return done;
    });
    for (const [index, { item }] of (batch ?? []).entries()) item.done.resolve(results[index]);
  } catch (error) {
    // Those that came meanwhile would wait for the same lock.
    if (isLocked(error) || batch === undefined) batch = [...(batch ?? []), ...take()];
    const isOwn = batch.length === 1 || retryAfterOf(error) !== undefined;
    for (const { item } of batch) {
      item.done.reject(isOwn ? error : new NeedsPoolError(undefined, { cause: error }));
    }
  }
}

/** Takes work with different keys. */
function takeUnlike(take: () => readonly Batched<Waiting>[]): readonly Batched<Waiting>[] {
  const keys = new Set<string>();
  return take().filter(({ item }) => {
    if (keys.has(item.key)) item.done.reject(new NeedsPoolError());
    else return keys.add(item.key);
    return false;
  });
}

/** Runs a statement for an item. In a shared transaction, other work that runs it at the same time has one with it. */
export async function runForOne<Item, T>(
  tx: Database,
  runForAll: RunForAll<Item, T>,
  item: Item,
): Promise<T> {
  const statements = collecting.get(tx);
  if (statements === undefined) return (await runForAll(tx, [item]))[0] as T;
  const collected = statements.get(runForAll) ?? collect(tx, runForAll, statements);
  const index = collected.items.push(item) - 1;
  return (await collected.results)[index] as T;
}

function collect<Item>(
  tx: Database,
  runForAll: RunForAll<Item, unknown>,
  statements: Map<unknown, Collected>,
): Collected {
  const items: Item[] = [];
  const results = nextTick().then(() => {
    statements.delete(runForAll);
    return runForAll(tx, items);
  });
  const collected = { items, results };
  statements.set(runForAll, collected);
  return collected;
}

const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve));
