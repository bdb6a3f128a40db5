import { useRef, useState } from 'react';
import { changeAll, partsOf } from '../../../src/contract/client/many-rows.ts';
import { maxChangedRows, maxDeletedRows } from '../../../src/contract/fields/bounds.ts';
import { confirm } from '../form/confirm.tsx';
import { offerUndo, tell, tellError } from '../parts/tell.tsx';
import { countOf, formatCount } from '../parts/words.ts';
import { boundsOf, type Filter } from './address.ts';
import { allRows } from './csv.ts';
import type { List } from './list.ts';
import type { Resource } from './resource.ts';
import type { AnyRow, Changed, Values } from './rows.ts';
import { undo } from './use-change.ts';

/** Changes and deletes the selected rows, says how far it is, and can be cancelled between two calls. */
export function useChangeMany<Row extends AnyRow>(list: List<Row>) {
  const { resource, selection } = list;
  const { noun } = resource;
  const [done, setDone] = useState<number>();
  const running = useRef<AbortController>(undefined);

  /**
   * Runs parts until they end or are cancelled. What is done stays, also if a later part fails. Resolves with how many rows
   * that is; undefined if it failed before it did anything.
   */
  async function run(parts: AsyncIterable<number>): Promise<number | undefined> {
    const controller = new AbortController();
    running.current = controller;
    const show = () => (selection.isAll ? resource.reload() : resource.refresh([...selection.ids]));
    let sum = 0;
    setDone(0);
    try {
      for await (const count of parts) {
        sum += count;
        setDone(sum);
        if (controller.signal.aborted) break;
      }
      setDone(undefined);
      await show();
      return sum;
    } catch (error) {
      setDone(undefined);
      tellError(error as Error);
      // What is shown follows when the service can be reached again.
      void show();
      return sum === 0 ? undefined : sum;
    }
  }

  /** Sets fields of the selected rows. */
  async function change(set: Values, onDone: () => void): Promise<void> {
    const changeIds = new Set<number>();
    const gone = new Set<unknown>();
    const changed = await run(changesOf(list, set, changeIds, gone));
    // They stay selected, to try again.
    if (changed === undefined) return;
    const lost = gone.size > 0 && `${countOf(gone.size, noun)} deleted meanwhile`;
    if (changeIds.size === 0) tell(`Nothing changed: ${lost || 'all have that value already'}.`);
    else offerUndo(`${countOf(changed, noun)} changed`, () => undo(resource, [...changeIds]));
    onDone();
  }

  /** Reads which rows it is about before it asks, and deletes exactly those. */
  async function remove(lost: string, onDone: () => void): Promise<void> {
    setDone(0);
    const ids = await selectedIds(list)
      .catch(tellError)
      .finally(() => setDone(undefined));
    if (ids === undefined) return;
    const what = ids.length === 1 ? `${noun.one} ${ids[0]}` : countOf(ids.length, noun);
    const isSure = await confirm({
      title: `Delete ${what}?`,
      text: `${lost} This cannot be undone.`,
      action: `Delete ${what}`,
      typed: selection.isAll ? formatCount(ids.length) : undefined,
    });
    if (!isSure) return;
    const deleted = await run(deletionsOf(resource, ids));
    if (deleted === undefined) return;
    tell(`${countOf(deleted, noun)} deleted.`);
    onDone();
  }

  /** `done` is how many rows are done, while it runs. */
  return { change, remove, done, cancel: () => running.current?.abort() };
}

type Selected<Row extends AnyRow> = Pick<List<Row>, 'resource' | 'selection' | 'filter'>;

async function selectedIds<Row extends AnyRow>({ resource, selection, filter }: Selected<Row>) {
  const ids: Row['id'][] = [];
  if (!selection.isAll) ids.push(...selection.ids);
  else for await (const rows of allRows(resource, filter)) ids.push(...rows.map(({ id }) => id));
  return ids;
}

/** Changes the selected rows: by their ids, or by the filter. */
async function* changesOf<Row extends AnyRow>(
  { resource, selection, filter }: Selected<Row>,
  set: Values,
  changeIds: Set<number>,
  gone: Set<unknown>,
): AsyncGenerator<number> {
  const { updateMany } = resource;
  if (updateMany === undefined) return;
  const note = ({ changed, change_id, unknown }: Changed) => {
    if (change_id !== null) changeIds.add(change_id);
    for (const id of unknown) gone.add(id);
    return changed;
  };
  // The API changes by no filter of assignees.
  if (!selection.isAll || resource.isChangedByIds || filter.assignee !== undefined) {
    const ids = await selectedIds({ resource, selection, filter });
    for (const part of partsOf(ids, maxChangedRows)) yield note(await updateMany({ ids: part }, set));
    return;
  }
  const { sort: _sort, ...conditions }: Filter = { ...filter, ...boundsOf(filter) };
  const answers = changeAll((continued) => updateMany({ filter: conditions, ...continued }, set));
  for await (const answer of answers) yield note(answer);
}

async function* deletionsOf<Row extends AnyRow>({ remove }: Resource<Row>, ids: readonly Row['id'][]) {
  for (const part of partsOf(ids, maxDeletedRows)) yield (await remove?.(part)) ?? 0;
}
