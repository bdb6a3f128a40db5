import { Button, Textarea } from '@mantine/core';
import { infiniteQueryOptions, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { newIdempotencyKey } from '../../../src/contract/client/retry.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { cutText } from '../../../src/shared/text.ts';
import { commandKey } from '../app/commands/keys.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { receivers, reloadSoon } from '../app/data/reload.ts';
import { useKept } from '../app/kept.ts';
import { useSession } from '../app/session/session.ts';
import { confirm } from '../form/confirm.tsx';
import { Form } from '../form/form.tsx';
import { MoreButton } from '../parts/buttons.tsx';
import { Entries, Entry, EntryNote, Written } from '../parts/entries.tsx';
import { submitOnCtrlEnter } from '../parts/inputs.ts';
import { Moment } from '../parts/moment.tsx';
import { Failure, sentenceOf } from '../parts/note.tsx';
import sheet from '../parts/sheet.module.css';

const commentsPerPage = 50;

/** What comments are on. */
type CommentSubject = { readonly issue_id: number } | { readonly conversation_id: string };

/** The comments on something; the first page has the newest ones, and the last page the oldest. */
function commentsQuery(subject: CommentSubject) {
  return infiniteQueryOptions({
    queryKey: ['comments', subject],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      client.call('comments.list', { ...subject, limit: commentsPerPage, cursor }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

const reloadComments = (subject: CommentSubject) =>
  queryClient.invalidateQueries({ queryKey: ['comments', subject] });

receivers.add((event) => {
  switch (event.type) {
    case 'comment.created':
    case 'comment.updated':
    case 'comment.deleted': {
      const { issue_id, conversation_id } = event.data;
      reloadSoon(['comments', issue_id === null ? { conversation_id } : { issue_id }]);
    }
  }
});

interface CommentsProps {
  /** A component for another subject needs a `key`. */
  readonly subject: CommentSubject;
}

/** The comments of the team on an issue or a conversation, oldest first, with a field for another one. */
export function Comments({ subject }: CommentsProps) {
  const list = useInfiniteQuery(commentsQuery(subject));
  const comments = (list.data?.pages ?? []).toReversed().flatMap((page) => page.comments);
  return (
    <section className={sheet.stack} aria-label="Comments">
      {list.isPending && <EntryNote>Loading the comments…</EntryNote>}
      {list.isError && comments.length === 0 && (
        <Failure error={list.error} retry={() => void list.refetch()} />
      )}
      <MoreButton list={list}>Show earlier comments</MoreButton>
      {comments.length > 0 && (
        <Entries>
          {comments.map((comment) => (
            <li key={comment.id}>
              <CommentView comment={comment} subject={subject} />
            </li>
          ))}
        </Entries>
      )}
      {/* After them, so that it does not move when they come. */}
      {!list.isPending && <CommentForm subject={subject} />}
    </section>
  );
}

/** The field for a new comment, whose text the browser keeps until it is added. Ctrl and Enter add it. */
function CommentForm({ subject }: CommentsProps) {
  const [text = '', keep] = useKept<string>(`comment.${Object.values(subject)[0]}`);
  // The same comment has the same key, so that one whose answer was lost is not there twice.
  const key = useMemo(newIdempotencyKey, [text]);
  const add = useMutation({
    mutationFn: (content: string) => client.call('comments.create', { ...subject, content }, undefined, key),
    onSuccess: async (_answer, content) => {
      // In another tab one may go on writing meanwhile.
      if (text === content) keep(undefined);
      await reloadComments(subject);
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() !== '' && !add.isPending) add.mutate(text);
  }

  return (
    <form className={sheet.stack} onSubmit={submit}>
      <Textarea
        label="Comment"
        description="Only the team sees comments."
        placeholder={`Write a comment. ${commandKey}+Enter adds it.`}
        autosize
        minRows={2}
        maxRows={10}
        value={text}
        error={add.error && sentenceOf(add.error)}
        disabled={add.isPending}
        onChange={({ currentTarget: { value } }) => {
          keep(value || undefined);
          add.reset();
        }}
        onKeyDown={submitOnCtrlEnter}
      />
      <Button type="submit" size="compact-md" mr="auto" loading={add.isPending} disabled={text.trim() === ''}>
        Add comment
      </Button>
    </form>
  );
}

const shownLength = 200;
const small = { size: 'compact-xs', variant: 'subtle', color: 'gray' } as const;

interface CommentProps extends CommentsProps {
  readonly comment: OutputOf<'comments.list'>['comments'][number];
}

/** A comment, with what its author or an admin may do with it. */
function CommentView({ comment, subject }: CommentProps) {
  const { id, author, content, created_at: created, updated_at: updated } = comment;
  const { admin } = useSession();
  const [isEditing, setIsEditing] = useState(false);
  const isOwn = author !== null && author.id === admin.id;
  const name = author?.username || author?.email;

  function remove(): void {
    void confirm({
      title: name === undefined ? 'Delete the comment?' : `Delete the comment of ${name}?`,
      text: <Written>{cutText(content, shownLength)}</Written>,
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

function EditComment({
  comment: { id, content },
  subject,
  onClose,
}: CommentProps & { readonly onClose: () => void }) {
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
      onCancel={onClose}
    />
  );
}
