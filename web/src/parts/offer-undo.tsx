import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { tell, tellError } from './tell.ts';

const undoMs = 10_000;
let offers = 0;
/** The message that is shown, and what undoes it, for a shortcut. */
let latest: { readonly id: string; readonly undo: () => void } | undefined;

/** Undoes what the latest message says, if it is still shown. */
export function undoLatest(): void {
  latest?.undo();
}

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
  latest = { id, undo: run };
  notifications.show({
    id,
    autoClose: undoMs,
    onClose() {
      if (latest?.id === id) latest = undefined;
    },
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
