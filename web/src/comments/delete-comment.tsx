import { Button } from '@mantine/core';
import { client } from '../app/data/client.ts';
import { confirm } from '../form/confirm.tsx';
import { type Comment, type CommentSubject, reloadComments } from './comment-queries.ts';
import styles from './comments.module.css';

const shownLength = 200;

interface DeleteCommentProps {
  readonly comment: Comment;
  readonly subject: CommentSubject;
}

/** Deletes a comment, which cannot be undone. */
export function DeleteComment({ comment: { id, author, content }, subject }: DeleteCommentProps) {
  function ask(): void {
    void confirm({
      title: `Delete the comment of ${author?.username || author?.email || 'an unknown author'}?`,
      text: <p className={styles.text}>{content.slice(0, shownLength)}</p>,
      action: 'Delete comment',
      run: async () => {
        await client.call('comments.delete', { id });
        await reloadComments(subject);
      },
    });
  }
  return (
    <Button size="compact-xs" variant="subtle" color="gray" onClick={ask}>
      Delete
    </Button>
  );
}
