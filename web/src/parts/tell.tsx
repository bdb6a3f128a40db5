import { Button } from '@mantine/core';
import { type NotificationData, notifications } from '@mantine/notifications';
import { sentenceOf } from './note.tsx';

/** Shows what was done, in a message that is read out. */
export function tell(message: string): void {
  notifications.show({ message });
}

/** Shows why something failed, in a message that is read out at once. */
export function tellError(error: Error): void {
  notifications.show({ color: 'red', message: sentenceOf(error), role: 'alert' });
}

const undoMs = 10_000;
let offers = 0;
/** Undoes what the message that is shown says, for a shortcut. */
let latest: (() => void) | undefined;

/** Undoes what the latest message says, if it is still shown. */
export function undoLatest(): void {
  latest?.();
}

/** Says something, with a button. Returns what the button does. */
export function offer(
  text: string,
  label: string,
  run: () => void,
  more?: Omit<NotificationData, 'message'>,
): () => void {
  const id = `offer-${++offers}`;
  const press = () => {
    notifications.hide(id);
    run();
  };
  const message = (
    <>
      {text}{' '}
      <Button size="compact-sm" variant="default" onClick={press}>
        {label}
      </Button>
    </>
  );
  notifications.show({ id, message, ...more });
  return press;
}

/**
 * Says what was done, and offers to undo it for as long as the message is shown.
 *
 * @param undo - undoes it, and may return what to say then
 */
export function offerUndo(text: string, undo: () => Promise<unknown>): void {
  const run = () => void undo().then((said) => tell(typeof said === 'string' ? said : 'Undone.'), tellError);
  const onClose = () => {
    if (latest === press) latest = undefined;
  };
  const press = offer(text, 'Undo', run, { autoClose: undoMs, onClose });
  latest = press;
}
