import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../app/session.ts';
import { Moment } from '../parts/time/moment.tsx';
import type { Comment, CommentSubject } from './comment-queries.ts';
import styles from './comments.module.css';
import { DeleteComment } from './delete-comment.tsx';
import { EditComment } from './edit-comment.tsx';

interface CommentViewProps {
  readonly comment: Comment;
  readonly subject: CommentSubject;
}

/** A comment, with what its author or an admin may do with it. */
export function CommentView({ comment, subject }: CommentViewProps) {
  const { author, content, created_at: created, updated_at: updated } = comment;
  const { admin } = useSession();
  const [isEditing, setIsEditing] = useState(false);
  const isOwn = author !== null && author.id === admin.id;
  return (
    <article className={styles.comment}>
      <p className={styles.meta}>
        <span className={styles.author} title={author?.email ?? undefined}>
          {author === null ? 'Unknown' : author.username || author.email}
        </span>
        <Moment at={created} />
        {updated !== created && (
          <span>
            edited <Moment at={updated} />
          </span>
        )}
        <span className={styles.grow} />
        {isOwn && !isEditing && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setIsEditing(true)}>
            Edit
          </Button>
        )}
        {(isOwn || admin.role !== 'user') && !isEditing && (
          <DeleteComment comment={comment} subject={subject} />
        )}
      </p>
      {isEditing ? (
        <EditComment comment={comment} subject={subject} onClose={() => setIsEditing(false)} />
      ) : (
        <p className={styles.text}>{content}</p>
      )}
    </article>
  );
}
