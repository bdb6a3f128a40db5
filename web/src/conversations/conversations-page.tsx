import { Skeleton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { commandKey } from '../app/commands/keys.ts';
import { useShortcuts } from '../app/commands/shortcuts.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useTitle } from '../app/use-title.ts';
import { Note } from '../parts/note.tsx';
import { undoLatest } from '../parts/offer-undo.tsx';
import sheet from '../parts/sheet.module.css';
import { ConversationList } from './conversation-list.tsx';
import { ConversationRows, useConversationList } from './conversation-rows.ts';
import styles from './conversations.module.css';

const loadThread = () => import('./thread.tsx');
// Before one chooses a conversation. If that fails, the choice tries again.
loadThread().catch(() => undefined);

const route = getRouteApi('/signed-in/conversations');
const focusReply = () => document.querySelector<HTMLElement>('[aria-label="Reply"]')?.focus();
const shortcuts = [
  { keys: 'r', title: 'Write a reply', run: focusReply },
  { keys: `${commandKey} Enter`, title: 'Send the reply' },
  { keys: 'z', title: 'Undo the last change', run: undoLatest, inDialogs: true },
];

/** Stands for a conversation that is being loaded. */
const placeholder = (
  <div className={sheet.stack} aria-hidden="true" data-loading>
    <Skeleton height={36} width="50%" m="md" mb={0} />
    <Skeleton height={64} width="60%" mx="md" />
    <Skeleton height={64} width="60%" ml="auto" mr="md" />
    <Skeleton height={64} width="40%" mx="md" />
  </div>
);

const ThreadPane = lazyPart(loadThread, 'ThreadPane', ({ placeholder }) => placeholder);

/** The list, the thread and the visitor side by side; on a phone, one after the other. */
export function ConversationsPage() {
  const { id, show: _show, ...filter } = route.useSearch();
  const list = useConversationList(filter, id);
  useTitle('Conversations');
  useShortcuts('Conversations', shortcuts);
  return (
    <ConversationRows value={list.rows}>
      <div className={styles.panes} data-thread={id !== undefined || undefined}>
        <ConversationList list={list} open={id} />
        {id === undefined ? (
          <div className={styles.none}>{list.rows.length > 0 && <Note title="Choose a conversation" />}</div>
        ) : (
          <ThreadPane key={id} id={id} placeholder={placeholder} />
        )}
      </div>
    </ConversationRows>
  );
}
