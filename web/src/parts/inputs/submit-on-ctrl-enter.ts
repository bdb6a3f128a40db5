import type { KeyboardEvent } from 'react';

/** Sends the form of a field with several lines, in which Enter alone begins another line. */
export function submitOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
}
