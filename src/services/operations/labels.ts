import { maxChangedRows } from '../../contract/fields/bounds.ts';
import { labelOfTooMany } from '../../contract/operations/labels.ts';
import { type BulkSet, lockRowsToChange } from '../../db/changes/updates.ts';
import type { Database } from '../../db/connection/database.ts';
import {
  deleteLabel,
  knownLabels,
  labelOfRows,
  lockLabels,
  renameLabel,
  selectLabel,
  selectLabels,
} from '../../db/tables/labels.ts';
import type { Actor } from '../call/actor.ts';
import type { RecordChange } from '../call/changes.ts';
import { refuse } from '../call/refuse.ts';
import { authorOf, changeRows } from '../changes/record.ts';
import { findShort } from '../streaming/list-answer.ts';
import type { HandlersOf } from './handler-types.ts';

export const labelHandlers = {
  'labels.list': async (context, { q }) => ({
    labels: await findShort(context, q, (db) => selectLabels(db, q)),
  }),

  'labels.rename': async ({ change, actor }, { name, new_name }) =>
    await change(async (tx, record) => {
      await lockLabels(tx, [name, new_name]);
      const before = await selectLabel(tx, name);
      if (before === null || before === new_name) return nothing;
      const isSame = (await selectLabel(tx, new_name)) === before;
      if (isSame) await renameLabel(tx, before, new_name);
      else await deleteLabel(tx, before);
      const [after = new_name] = await knownLabels(tx, [new_name]);
      record({ event: 'label.updated', id: null, before: { name: before }, after: { name: after } });
      return await relabelAll(tx, record, actor, before, { add_labels: [after], remove_labels: [before] });
    }),

  'labels.delete': async ({ change, actor }, { name }) =>
    await change(async (tx, record) => {
      await lockLabels(tx, [name]);
      const before = await selectLabel(tx, name);
      if (before === null) return nothing;
      await deleteLabel(tx, before);
      record({ event: 'label.deleted', id: null, before: { name: before } });
      return await relabelAll(tx, record, actor, before, { remove_labels: [before] });
    }),
} satisfies HandlersOf<'labels'>;

const nothing = { success: true, issues: 0, conversations: 0, change_ids: [] as number[] } as const;

/** Changes the labels of every row with a label: a change of issues and one of conversations, which can be undone. */
async function relabelAll(tx: Database, record: RecordChange, actor: Actor, label: string, set: BulkSet) {
  const counts = { issues: 0, conversations: 0 };
  const change_ids: number[] = [];
  for (const noun of ['issues', 'conversations'] as const) {
    const isLabelled = labelOfRows(noun, label);
    const ids = await lockRowsToChange(tx, noun, [isLabelled], set, undefined, maxChangedRows + 1);
    if (ids.length > maxChangedRows) refuse(labelOfTooMany);
    if (ids.length === 0) continue;
    change_ids.push(await changeRows(tx, record, noun, { noun, author: authorOf(actor) }, { ids, set }));
    counts[noun] = ids.length;
  }
  return { success: true, ...counts, change_ids } as const;
}
