import { undoChange } from '../changes/undo.ts';
import type { HandlersOf } from './handler-types.ts';

export const changeHandlers = {
  'changes.undo': async ({ change, actor }, { change_id }) =>
    await change((tx, record) => undoChange(tx, record, change_id, actor)),
} satisfies HandlersOf<'changes'>;
