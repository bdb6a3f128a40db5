/** What undoes the message that is shown, for a shortcut. Apart from the messages, which are loaded later. */
let latest: { readonly id: string; readonly undo: () => void } | undefined;

/** Sets what undoes the message with that id. */
export function setLatestUndo(id: string, undo: () => void): void {
  latest = { id, undo };
}

/** Forgets what undoes a message that is gone. */
export function forgetUndo(id: string): void {
  if (latest?.id === id) latest = undefined;
}

/** Undoes what the latest message says, if it is still shown. */
export function undoLatest(): void {
  latest?.undo();
}
