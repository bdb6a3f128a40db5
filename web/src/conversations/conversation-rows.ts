import { useQuery } from '@tanstack/react-query';
import { createContext, useMemo, useState } from 'react';
import { useSession } from '../app/session/session.ts';
import { Rows, useList, useSelection } from '../kit/list.ts';
import { type Conversation, type ConversationFilter, conversations } from './conversation-resource.ts';

/** What the list shows, in its order. */
export const ConversationRows = createContext<Rows<Conversation>>(new Rows([]));

/**
 * Loads the list of a filter, what changed last first. While it is at its top, a conversation comes there as soon as it
 * changes; while one reads further below, nothing moves, and `newRows` says how many have changed.
 *
 * @param open - the open conversation, which stays where it is when it leaves the filter, such as by being read
 */
export function useConversationList(filter: ConversationFilter, open: string | undefined) {
  const { id: me } = useSession().admin;
  const list = useList(conversations, filter);
  const { name, isPending } = list;
  const { data: newest } = useQuery(conversations.countQuery(filter));
  /** The list as it was when one left its top. */
  const [kept, hold] = useState<{ readonly name: string; readonly rows: Rows<Conversation> }>();
  // Another list is shown from its top.
  const held = kept?.name === name ? kept : undefined;
  const { rows, newRows } = useMemo(() => {
    const loaded = list.rows.all();
    // Loaded rows are read again sooner than the newest ones.
    const all = new Map([...(isPending ? [] : (newest?.rows ?? [])), ...loaded].map((row) => [row.id, row]));
    const isShown = (row: Conversation) => row.id === open || isFound(row, filter, me);
    const found = [...all.values()].filter(isShown);
    if (held === undefined) return { rows: new Rows([{ rows: found.sort(byChange) }]), newRows: 0 };
    const ids = new Set([...held.rows.ids(), ...loaded.map(({ id }) => id)]);
    const latest = held.rows.at(0)?.updated_at ?? '';
    const inPlace = [...ids].flatMap((id) => all.get(id) ?? []).filter(isShown);
    return {
      rows: new Rows([{ rows: inPlace }]),
      newRows: found.filter((row) => row.updated_at > latest).length,
    };
  }, [list.rows, newest, isPending, held, open, me]);
  const selection = useSelection(rows, name);
  return {
    ...list,
    rows,
    newRows,
    onScroll(isAtTop: boolean): void {
      hold(isAtTop ? undefined : (held ?? { name, rows }));
    },
    // What left the list is not changed unseen.
    selection: { ...selection, ids: selection.ids.intersection(new Set(rows.ids())) },
  };
}

/** What changed last comes first, as the API sorts. Its times compare as texts. */
function byChange(one: Conversation, other: Conversation): number {
  if (one.updated_at !== other.updated_at) return one.updated_at < other.updated_at ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}

/** Reports whether a conversation that has changed since it was loaded still belongs to the list of a filter. */
function isFound(row: Conversation, filter: ConversationFilter, me: string): boolean {
  const { status, unread, assignee, label } = filter;
  if (row.isDeleted || (unread !== undefined && row.unread_count === 0)) return false;
  if (status !== undefined && !status.split(',').includes(row.status)) return false;
  const wanted = assignee === 'none' ? undefined : assignee === 'me' ? me : assignee;
  if (assignee !== undefined && row.assignee?.id !== wanted) return false;
  if (label === undefined) return true;
  const has = new Set((row.labels ?? []).map((one) => one.toLowerCase()));
  return label
    .toLowerCase()
    .split(',')
    .some((one) => has.has(one) || (one === 'none' && has.size === 0));
}
