import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../../app/data/client.ts';
import { offerUndo } from '../../parts/changes/offer-undo.tsx';
import { Mark } from '../../parts/mark.tsx';
import { tellError } from '../../parts/tell.ts';
import { reloadConversations, type Thread } from '../conversation-queries.ts';
import styles from './visitor.module.css';

interface LinkedIssueProps {
  readonly issue: Thread['issues'][number];
  readonly conversationId: string;
}

/** An issue that came of the conversation, with a button that unlinks it. */
export function LinkedIssue({ issue: { id, title, status }, conversationId }: LinkedIssueProps) {
  const ends = { issue_id: id, conversation_id: conversationId };
  const unlink = useMutation({
    mutationFn: () => client.call('links.delete', ends),
    onSuccess: () =>
      offerUndo(`Issue ${id} is no longer linked`, async () => {
        await client.call('links.create', ends);
        await reloadConversations(conversationId);
      }),
    onError: tellError,
    onSettled: () => reloadConversations(conversationId),
  });
  return (
    <div className={styles.issue}>
      <Link to="/issues" search={{ issue: id }} className={styles.link}>
        {id} <bdi>{title}</bdi>
      </Link>
      <span className={styles.issueFacts}>
        <Mark word={status} />
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          loading={unlink.isPending}
          aria-label={`Unlink issue ${id}`}
          onClick={() => unlink.mutate()}
        >
          Unlink
        </Button>
      </span>
    </div>
  );
}
