import { undoChange } from '../changes/undo.ts';
import type { HandlersOf } from './handler-types.ts';

export const changeHandlers = {
  'changes.undo': async ({ change, actor }, { change_id }) =>
    await change((tx, touch) => undoChange(tx, touch, change_id, actor)),
} satisfies HandlersOf<'changes'>;
