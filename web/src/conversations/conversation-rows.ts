import { useQuery } from '@tanstack/react-query';
import { createContext, use, useEffect, useMemo, useRef, useState } from 'react';
import { useSession } from '../app/session/session.ts';
import { useGo } from '../kit/go.ts';
import { type List, Rows, useList, useSelection } from '../kit/list.ts';
import { type Conversation, type ConversationFilter, conversations } from './conversation-resource.ts';

/** What the list shows, in its order. */
export const ConversationRows = createContext<Rows<Conversation>>(new Rows([]));

/**
 * Loads the list of a filter, what changed last first. While it is at its top, a conversation comes there as soon as it
 * changes; while one reads further below, nothing moves, and `newRows` says how many have changed.
 *
 * @param open - the open conversation, which stays where it is when it leaves the filter, such as by being read
 */
export function useConversationList(
  filter: ConversationFilter,
  open: string | undefined,
): List<Conversation> & { readonly onScroll: (isAtTop: boolean) => void } {
  const { id: me } = useSession().admin;
  const list = useList(conversations, filter);
  const [below, setBelow] = useState<string>();
  const { data: newest } = useQuery(conversations.countQuery(filter));
  const shown = useRef<Shown>({ name: '', ids: [], latest: '' });
  const { name, isPending } = list;
  // Another list is shown from its top.
  const isAtTop = below !== name;
  const { rows, newRows } = useMemo(() => {
    const isShown = (row: Conversation) => row.id === open || isFound(row, filter, me);
    const isHeld = !isAtTop && shown.current.name === name;
    return arranged(
      list.rows.all(),
      isPending ? [] : (newest?.rows ?? []),
      isHeld ? shown.current : undefined,
      isShown,
    );
  }, [list.rows, newest, isPending, name, isAtTop, open, me]);
  useEffect(() => {
    const isHeld = !isAtTop && shown.current.name === name;
    shown.current = {
      name,
      ids: rows.map(({ id }) => id),
      latest: isHeld ? shown.current.latest : (rows[0]?.updated_at ?? ''),
    };
  }, [rows, name, isAtTop]);
  const inOrder = useMemo(() => new Rows([{ rows }]), [rows]);
  const selection = useSelection(inOrder, name);
  return {
    ...list,
    rows: inOrder,
    newRows,
    onScroll: (isTop) => setBelow(isTop ? undefined : name),
    // What left the list is not changed unseen.
    selection: { ...selection, ids: selection.ids.intersection(new Set(inOrder.ids())) },
  };
}

interface Shown {
  readonly name: string;
  readonly ids: readonly string[];
  /** When the first one changed when the order was made. */
  readonly latest: string;
}

function arranged(
  loaded: readonly Conversation[],
  newest: readonly Conversation[],
  held: Shown | undefined,
  isShown: (row: Conversation) => boolean,
) {
  // Loaded rows are read again sooner than the newest ones.
  const all = new Map([...newest, ...loaded].map((row) => [row.id, row]));
  if (held === undefined) {
    const rows = [...all.values()].filter(isShown).sort(byChange);
    return { rows, newRows: 0 };
  }
  const ids = new Set([...held.ids, ...loaded.map(({ id }) => id)]);
  const rows = [...ids].flatMap((id) => all.get(id) ?? []).filter(isShown);
  const newRows = [...all.values()].filter((row) => row.updated_at > held.latest && isShown(row)).length;
  return { rows, newRows };
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

/**
 * Returns a function that finds what comes after a conversation in the list, or before the last one. It returns what goes
 * there: to be called when the conversation is done, which may have left the list by then.
 */
export function useNextConversation(): (id: string) => () => void {
  const rows = use(ConversationRows);
  const go = useGo();
  return (id) => {
    const index = rows.indexOf(id);
    const next = index === -1 ? undefined : (rows.at(index + 1) ?? rows.at(index - 1));
    return () => go({ id: next?.id, show: undefined });
  };
}
