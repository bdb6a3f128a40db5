import { useEffect, useRef } from 'react';
import type { Conversation, ConversationFilter } from '../conversation-queries.ts';

/**
 * Returns the loaded conversations, each once, with the open one where it was: reading the first of the unread
 * conversations would otherwise remove it from their list, and the next one would be under the pointer.
 */
export function useWithOpen(
  loaded: readonly Conversation[],
  open: string | undefined,
  filter: ConversationFilter,
): readonly Conversation[] {
  const before = useRef({ name: '', rows: loaded });
  const name = JSON.stringify(filter);
  const rows = [...new Map(loaded.map((row) => [row.id, row])).values()];
  const index = before.current.name === name ? before.current.rows.findIndex(({ id }) => id === open) : -1;
  const row = before.current.rows[index];
  const hasLeft = row !== undefined && !rows.some(({ id }) => id === open);
  const byFilter = filter.unread === 'true' || filter.status !== undefined;
  const shown = hasLeft && byFilter ? rows.toSpliced(index, 0, { ...row, unread_count: 0 }) : rows;
  useEffect(() => {
    before.current = { name, rows: shown };
  });
  return shown;
}
