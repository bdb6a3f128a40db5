import { VisuallyHidden } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useTitle } from '../app/use-title.ts';
import { Note } from '../parts/note.tsx';
import { ConversationList } from './conversation-list.tsx';
import styles from './conversations-page.module.css';
import { ThreadPane } from './thread.tsx';

const route = getRouteApi('/signed-in/conversations');

/** The list, the thread and the visitor side by side; on a phone, one after the other. */
export function ConversationsPage() {
  const { id } = route.useSearch();
  useTitle('Conversations');
  return (
    <div className={styles.panes} data-thread={id !== undefined || undefined}>
      <VisuallyHidden component="h1">Conversations</VisuallyHidden>
      <ConversationList />
      {id === undefined ? (
        <div className={styles.empty}>
          <Note title="Choose a conversation" />
        </div>
      ) : (
        <ThreadPane key={id} id={id} />
      )}
    </div>
  );
}
