import { useState } from 'react';

/** Returns the reply that is being written, which the browser keeps for each conversation, and a function to change it. */
export function useDraft(conversationId: string): readonly [string, (text: string) => void] {
  const key = `backoffice.draft.${conversationId}`;
  const [draft, setDraft] = useState(() => localStorage.getItem(key) ?? '');
  function write(text: string): void {
    setDraft(text);
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  }
  return [draft, write];
}
