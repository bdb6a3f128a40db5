import { VisuallyHidden } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { commandKey } from '../app/commands/command-key.ts';
import { useShortcuts } from '../app/commands/shortcuts.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useTitle } from '../app/use-title.ts';
import { Note } from '../parts/note.tsx';
import styles from './conversations-page.module.css';
import { ConversationList } from './list/conversation-list.tsx';
import { useSendWaiting } from './reply/outbox.ts';
import { ThreadPlaceholder } from './thread/thread-placeholder.tsx';

const loadThread = () => import('./thread/thread.tsx');
const ThreadPane = lazyPart(loadThread, 'ThreadPane');
// Before one chooses a conversation. If that fails, the choice tries again.
loadThread().catch(() => undefined);

const route = getRouteApi('/signed-in/conversations');

const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus();
/** The conversation that is open, or the first of the list. */
const focusList = () =>
  focus(document.querySelector('[data-item][data-active]') ? '[data-item][data-active]' : '[data-item]');

const shortcuts = [
  { keys: 'j', title: 'Next conversation', run: focusList },
  { keys: 'k', title: 'Previous conversation', run: focusList },
  { keys: 'x', title: 'Select the conversation' },
  { keys: 'Enter', title: 'Open the conversation' },
  { keys: 'r', title: 'Write a reply', run: () => focus('[aria-label="Reply"]') },
  { keys: `${commandKey} Enter`, title: 'Send the reply' },
];

/** The list, the thread and the visitor side by side; on a phone, one after the other. */
export function ConversationsPage() {
  const { id } = route.useSearch();
  useTitle('Conversations');
  useSendWaiting();
  useShortcuts('Conversations', shortcuts);
  return (
    <div className={styles.panes} data-thread={id !== undefined || undefined}>
      <VisuallyHidden component="h1">Conversations</VisuallyHidden>
      <div className={styles.listPane}>
        <ConversationList />
      </div>
      {id === undefined ? (
        <div className={styles.empty}>
          <Note title="Choose a conversation" />
        </div>
      ) : (
        <Suspense fallback={<ThreadPlaceholder />}>
          <ThreadPane key={id} id={id} />
        </Suspense>
      )}
    </div>
  );
}
