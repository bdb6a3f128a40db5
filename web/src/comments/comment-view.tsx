import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../app/session/session.ts';
import { Entry } from '../parts/entries.tsx';
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
    <Entry
      author={author?.username || author?.email || 'Unknown'}
      authorTitle={author?.email}
      at={created}
      note={
        updated !== created && (
          <>
            edited <Moment at={updated} />
          </>
        )
      }
      actions={
        !isEditing &&
        (isOwn || admin.role !== 'user') && (
          <>
            {isOwn && (
              <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setIsEditing(true)}>
                Edit
              </Button>
            )}
            <DeleteComment comment={comment} subject={subject} />
          </>
        )
      }
    >
      {isEditing ? (
        <EditComment comment={comment} subject={subject} onClose={() => setIsEditing(false)} />
      ) : (
        <p className={styles.text} dir="auto">
          {content}
        </p>
      )}
    </Entry>
  );
}
