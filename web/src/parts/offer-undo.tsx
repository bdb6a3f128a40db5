import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { forgetUndo, setLatestUndo } from './latest-undo.ts';
import { tell, tellError } from './tell.ts';

const undoMs = 10_000;
let offers = 0;

/**
 * Says what was done, and offers to undo it for as long as the message is shown.
 *
 * @param undo - undoes it, and may return what to say then
 */
export function offerUndo(text: string, undo: () => Promise<unknown>): void {
  const id = `undo-${++offers}`;
  const run = () => {
    notifications.hide(id);
    undo().then((said) => tell(typeof said === 'string' ? said : 'Undone.'), tellError);
  };
  setLatestUndo(id, run);
  notifications.show({
    id,
    autoClose: undoMs,
    onClose: () => forgetUndo(id),
    message: (
      <>
        {text}{' '}
        <Button size="compact-sm" variant="default" onClick={run}>
          Undo
        </Button>
      </>
    ),
  });
}
