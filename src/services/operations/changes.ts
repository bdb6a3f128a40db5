import { runBulk } from '../changes/run-bulk.ts';
import { undoChange } from '../changes/undo.ts';
import type { HandlersOf } from './handler-types.ts';

export const changeHandlers = {
  'changes.undo': async (context, { change_id }) =>
    await runBulk(context, {}, () =>
      context.change((tx, touch) => undoChange(tx, touch, change_id, context.actor)),
    ),
} satisfies HandlersOf<'changes'>;
