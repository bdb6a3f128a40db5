import { changeAll, partsOf } from '../../../src/contract/client/many-rows.ts';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { capitalized, counted, grouped } from '../../terminal/text.ts';
import type { App } from '../app/app.ts';
import { keyHint } from '../app/keys.ts';
import type { Part } from '../app/types.ts';
import type { Key, Rows } from '../list/rows.ts';
import type { Selection, Targets } from './selecting.ts';

export type BulkOperation = 'issues.update' | 'conversations.update';
type Answer = OutputOf<BulkOperation>;

export interface Change<Row> {
  /** What it does, as in `3 issues: status Closed`. */
  readonly what: string;
  readonly set: Readonly<Record<string, unknown>>;
  /** What a row must still be, if it is only one. */
  readonly expected?: (row: Row) => Readonly<Record<string, unknown>>;
  /** What a row is afterwards, before the service says so. */
  readonly apply?: (row: Row) => Row;
}

export interface Changes<Row> extends Part {
  readonly operation: BulkOperation;
  /** Returns what a key does with the targets, if there are any and no change is running. */
  on(run: (targets: Targets<Row>) => unknown): () => unknown;
  /** What the targets are called. */
  nameOf(targets: Targets<Row>): string;
  change(targets: Targets<Row>, change: Change<Row>): Promise<unknown>;
  /** Rows are gone, and no longer selected. */
  forget(keys: Iterable<Key>): void;
}

const maxUnasked = 20;
/** One call takes this many, so that progress shows and Esc stops within a moment. */
const rowsPerCall = 2_000;

interface ChangingAbout<Row> {
  readonly operation: BulkOperation;
  readonly one: string;
  readonly nameOf: (row: Row) => string;
  /** Finds all that match, if the operation takes ids only. */
  readonly matching?: (filter: Readonly<Record<string, string>>) => Promise<readonly Row[]>;
}

/** Changes the selected rows, in one undo however many calls it takes. */
export function changing<Row>(
  app: App,
  rows: Rows<Row>,
  selection: Selection<Row>,
  { operation, one, nameOf, matching }: ChangingAbout<Row>,
): Changes<Row> {
  let running: { isStopped: boolean } | undefined;
  const namesOf = (targets: Targets<Row>) => {
    if (targets.kind === 'all') return `all matching ${one}s`;
    const [first] = targets.rows;
    return targets.rows.length === 1 && first !== undefined
      ? nameOf(first)
      : counted(targets.rows.length, one);
  };
  const sentences = (...all: readonly string[]) => capitalized(all.filter(Boolean).join(' '));
  const orStop = (sentence: string) => sentences(sentence, keyHint(app, 'back', 'stops it.'));
  const send = (input: object): Promise<Answer> => app.call(operation, input as InputOf<BulkOperation>);

  async function* answersOf(
    targets: Targets<Row>,
    { set, expected }: Change<Row>,
  ): AsyncGenerator<{ answer: Answer; keys: readonly Key[] }> {
    if (targets.kind === 'rows') {
      const [only] = targets.rows;
      const seen =
        targets.rows.length === 1 && only !== undefined && expected !== undefined
          ? { expected: expected(only) }
          : {};
      for (const ids of partsOf(targets.rows.map(rows.keyOf), rowsPerCall))
        yield { answer: await send({ ids, set, ...seen }), keys: ids };
      return;
    }
    const { filter } = targets;
    for await (const answer of changeAll((continued) => send({ filter, set, ...continued })))
      yield { answer, keys: [] };
  }

  async function run(targets: Targets<Row>, change: Change<Row>): Promise<void> {
    const mine = { isStopped: false };
    running = mine;
    const what = `${namesOf(targets)}: ${change.what}`;
    const ids = new Set<number>();
    let changed = 0;
    let gone = 0;
    app.setRunning(orStop(`${what}.`));
    try {
      for await (const { answer, keys } of answersOf(targets, change)) {
        changed += answer.changed;
        gone += answer.unknown.length;
        if (answer.change_id !== null) ids.add(answer.change_id);
        const unknown = new Set(answer.unknown.map(String));
        if (change.apply !== undefined)
          rows.patch(
            keys.filter((key) => !unknown.has(String(key))),
            change.apply,
          );
        selection.remove(keys);
        app.setRunning(orStop(`${what}. ${grouped(changed)} done.`));
        if (mine.isStopped) break;
      }
      if (targets.kind === 'all') selection.clear();
      const rest = [
        mine.isStopped ? 'Stopped.' : '',
        gone === 0 ? '' : `${counted(gone, `${one} no longer exists`, `${one}s no longer exist`)}.`,
        ids.size === 0 ? '' : keyHint(app, 'undo', 'undoes it.'),
      ];
      const outcome =
        changed === 0
          ? `${what}: nothing to change.`
          : targets.kind === 'rows' && targets.rows.length === 1
            ? `${what}.`
            : `${counted(changed, one)}: ${change.what}.`;
      app.say(sentences(outcome, ...rest));
    } catch (error) {
      const done = changed === 0 ? '' : `Changed ${grouped(changed)}, then it failed. `;
      app.say(`${done}${app.explain(error)}`, 'failed');
    } finally {
      running = undefined;
      app.setRunning(undefined);
      if (ids.size > 0) app.undo.push({ what, one, changeIds: [...ids] });
      app.refresh();
    }
  }

  return {
    operation,
    on: (use) => () => {
      if (running !== undefined) return app.say(orStop('A change is running.'), 'note');
      const targets = selection.targets();
      if (targets.kind === 'rows' && targets.rows.length === 0) return app.say('The list is empty.', 'note');
      return use(targets);
    },
    nameOf: namesOf,
    forget: selection.remove,
    async change(wanted, change) {
      const targets =
        wanted.kind === 'all' && matching !== undefined
          ? ({ kind: 'rows', rows: await matching(wanted.filter) } as const)
          : wanted;
      if (targets.kind === 'rows' && targets.rows.length <= maxUnasked) return run(targets, change);
      if (targets.kind === 'rows')
        return app.confirm(`Change ${namesOf(targets)}: ${change.what}?`, () => run(targets, change));
      const { matched } = await send({ filter: targets.filter, set: change.set, dry_run: true });
      app.confirm(`Change all ${counted(matched, one)} that match: ${change.what}?`, () =>
        run(targets, change),
      );
    },
    back() {
      if (running === undefined || running.isStopped) return false;
      running.isStopped = true;
      return true;
    },
  };
}
