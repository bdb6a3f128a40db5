import { Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import { client } from '../app/client.ts';
import { Icon } from '../parts/icon.tsx';
import { tellError } from '../parts/tell.ts';
import { reloadConversations, type ThreadConversation } from './conversation-queries.ts';
import styles from './conversations-page.module.css';

/** The subject and the status, and on a phone the way back to the list. */
export function ThreadHead({ conversation }: { readonly conversation: ThreadConversation }) {
  const { id, subject, visitor_name: name, status } = conversation;
  const change = useMutation({
    mutationFn: (to: string) =>
      client.call('conversations.changeStatus', { id, status: to, expected: { status } }),
    onError: tellError,
    onSettled: () => reloadConversations(id),
  });
  return (
    <header className={styles.threadHead}>
      <Link to="/conversations" search={(before) => ({ ...before, id: undefined })} className={styles.back}>
        <Icon name="back" /> All
      </Link>
      <h2 className={styles.threadTitle}>{subject || name}</h2>
      <Select
        aria-label="Status of the conversation"
        data={conversationStatuses}
        value={status}
        allowDeselect={false}
        className={styles.status ?? ''}
        onChange={(to) => to && change.mutate(to)}
      />
    </header>
  );
}
