import { Button } from '@mantine/core';
import { useState } from 'react';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { useSession } from '../app/session/session.ts';
import { confirm } from '../form/confirm.tsx';
import { Form } from '../form/form.tsx';
import { Entry, Written } from '../parts/entries.tsx';
import { Moment } from '../parts/moment.tsx';
import { type Comment, type CommentSubject, commentsQuery, reloadComments } from './comment-queries.ts';

const shownLength = 200;
const small = { size: 'compact-xs', variant: 'subtle', color: 'gray' } as const;

interface CommentProps {
  readonly comment: Comment;
  readonly subject: CommentSubject;
}

/** A comment, with what its author or an admin may do with it. */
export function CommentView({ comment, subject }: CommentProps) {
  const { id, author, content, created_at: created, updated_at: updated } = comment;
  const { admin } = useSession();
  const [isEditing, setIsEditing] = useState(false);
  const isOwn = author !== null && author.id === admin.id;
  const name = author?.username || author?.email;

  function remove(): void {
    void confirm({
      title: name === undefined ? 'Delete the comment?' : `Delete the comment of ${name}?`,
      text: <Written>{content.length > shownLength ? `${content.slice(0, shownLength)}…` : content}</Written>,
      action: 'Delete comment',
      run: async () => {
        await client.call('comments.delete', { id });
        await reloadComments(subject);
      },
    });
  }

  return (
    <Entry
      author={name ?? 'Unknown'}
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
              <Button {...small} onClick={() => setIsEditing(true)}>
                Edit
              </Button>
            )}
            <Button {...small} onClick={remove}>
              Delete
            </Button>
          </>
        )
      }
    >
      {isEditing ? (
        <EditComment comment={comment} subject={subject} onClose={() => setIsEditing(false)} />
      ) : (
        <Written>{content}</Written>
      )}
    </Entry>
  );
}

const fields = { content: { label: 'Comment', kind: 'text', isRequired: true } } as const;

interface EditCommentProps extends CommentProps {
  readonly onClose: () => void;
}

function EditComment({ comment: { id, content }, subject, onClose }: EditCommentProps) {
  async function reread() {
    await reloadComments(subject);
    const list = queryClient.getQueryData(commentsQuery(subject).queryKey);
    const now = list?.pages.flatMap(({ comments }) => comments).find((comment) => comment.id === id);
    return now && { content: now.content };
  }
  return (
    <Form<{ readonly content: string }, unknown>
      fields={fields}
      start={{ content }}
      now={{ content }}
      reread={reread}
      keep={`comment.${id}`}
      what="the comment"
      at={['issue', 'tab', 'id', 'show']}
      send={async (set, expected) => {
        await client.call('comments.update', { id, content, ...set, expected });
        await reloadComments(subject);
      }}
      onDone={onClose}
      onCancel={onClose}
    />
  );
}
