import type { Access } from '../access/access.ts';
import { confirm } from '../input/prompts.ts';
import { emit } from '../output/emit.ts';
import { print } from '../terminal/terminal.ts';
import { counted } from '../terminal/text.ts';
import { addUp, emitBulk, nothing, remarkUnknown, requireEnd } from './batches.ts';
import { emitDone, yes } from './change.ts';
import { filter } from './filter.ts';
import { changeMany, findMany, inBatches, type ManyRows, readSelection } from './many-rows.ts';
import { flag, type Given, givenTo, type Parameter, type Parameters } from './parameters.ts';
import { type Call, calling, type Manual, type Verb } from './verb.ts';

/** More deletions than this have progress. */
const quickDeletions = 100;

/** Returns what a verb of many rows takes, around what it takes itself. */
function many<Id, Fields, P extends Parameters>(of: ManyRows<Id, Fields>, own: P) {
  return {
    ids: wordsOf(of),
    ...own,
    filter: filter(of.noun, 'instead: all that match'),
    dryRun: flag('only show how many it would be'),
    yes,
  };
}

const wordsOf = <Id, Fields>({
  noun: { one, many },
  idsName,
}: ManyRows<Id, Fields>): Parameter<readonly string[]> => ({
  place: 'words',
  about: `the ${idsName} of the ${many}; - for those of standard input`,
  term: one,
  source: many,
});

type ManyCall = Call<ReturnType<typeof many<unknown, unknown, Parameters>>>;

/** A change of many rows, which sets the same in each. */
interface BulkVerb<Id, Fields, P extends Parameters> extends Manual {
  readonly of: ManyRows<Id, Fields>;
  readonly params: P;
  /**
   * Checks what is given, and may do something else.
   *
   * @param ids - those that the user named; none with a filter
   * @returns whether everything is done
   */
  instead?(ids: readonly Id[], given: Given<P>, call: ManyCall): Promise<boolean>;
  set(given: Given<P>, access: Access): NoInfer<Fields> | Promise<NoInfer<Fields>>;
  /** Returns the question for so many rows. */
  ask(rows: string, given: Given<P>): string;
  /** Says what was done to the only row that the user named. By default, the count is said. */
  done?(id: Id, given: Given<P>): string;
}

/** Declares a verb that changes many rows. */
export function bulk<Id, Fields, const P extends Parameters>(declared: BulkVerb<Id, Fields, P>): Verb {
  const { of, params, instead, set, ask, done, ...manual } = declared;
  return calling(`${of.noun.id}.update`, {
    ...manual,
    params: many(of, params as Parameters),
    async run(call) {
      const { given, format, access } = call;
      const own = givenTo(params, given);
      const { dryRun: dry_run, yes } = given;
      const selection = await readSelection(of, given);
      const ids = 'ids' in selection ? selection.ids : [];
      if (await instead?.(ids, own, call)) return;
      const change = { set: await set(own, access), ask: (rows: string) => ask(rows, own), dry_run, yes };
      const bulk = await changeMany(access, of, selection, change);
      const only = onlyOf(ids, call);
      if (done === undefined || only === undefined) return await emitBulk(bulk, format, of.noun.one, dry_run);
      await emitDone(bulk.answer, format, { text: done(only, own), undo: bulk.changes });
    },
  });
}

/** Returns the only row that a change is made of, if the user named it on the command line. */
export function onlyOf<Id>(ids: readonly Id[], { given }: ManyCall): Id | undefined {
  const { ids: words, dryRun } = given;
  return words.length === 1 && words[0] !== '-' && !dryRun ? ids[0] : undefined;
}

/** A verb that deletes many rows. */
interface RemoveMany<Id, Fields> extends Manual {
  readonly of: ManyRows<Id, Fields>;
  /** Returns the question for so many rows, or for the only one. */
  ask(rows: string, count: number): string;
}

/** Declares a verb that deletes many rows. */
export function removeMany<Id, Fields>({ of, ask, ...manual }: RemoveMany<Id, Fields>): Verb {
  const { one } = of.noun;
  return calling(`${of.noun.id}.delete`, {
    ...manual,
    params: many(of, {}),
    async run({ given, format, access }) {
      const selection = await readSelection(of, given);
      const { ids, unknown } = await findMany(access, of, selection, given.dryRun);
      const matched = ids.length;
      remarkUnknown(unknown);
      const [only] = ids;
      const name = matched === 1 && only !== undefined ? await of.nameOf?.(access, only) : undefined;
      const what = name ?? counted(matched, one);
      if (given.dryRun)
        return await emit({ matched, unknown }, format, undefined, () => print(`Would delete ${what}.`));
      if (matched > 0) await confirm(ask(what, matched), given.yes);
      const size = of.deletesAtOnce;
      const quick = Math.max(size, quickDeletions);
      const bulk = await addUp(
        { noun: one, done: 'Deleted', total: matched, quick },
        inBatches(ids, size, async (batch) => ({
          ...nothing.answer,
          changed: await of.remove(access, batch),
        })),
      );
      const { changed: deleted } = bulk.answer;
      const named = bulk.stop === undefined ? name : undefined;
      await emitDone({ success: true, deleted }, format, `Deleted ${named ?? counted(deleted, one)}.`);
      requireEnd(bulk, 'deleted');
    },
  });
}
