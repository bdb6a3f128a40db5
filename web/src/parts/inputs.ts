import type { KeyboardEvent } from 'react';

/** The properties of a field for an e-mail. Not `type="email"`: browsers refuse or rewrite letters that are not ASCII in it. */
export const emailInput = {
  inputMode: 'email',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
} as const;

/** Sends the form of a field with several lines, in which Enter alone begins another line. */
export function submitOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
}
