import { Button, Textarea } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import { newIdempotencyKey } from '../../../src/contract/client/retry.ts';
import { commandKey } from '../app/commands/keys.ts';
import { client } from '../app/data/client.ts';
import { useKept } from '../app/kept.ts';
import { Entries, EntryNote } from '../parts/entries.tsx';
import { Failure, sentenceOf } from '../parts/failure.tsx';
import { submitOnCtrlEnter } from '../parts/inputs.ts';
import { MoreButton } from '../parts/more-button.tsx';
import sheet from '../parts/sheet.module.css';
import { CommentView } from './comment.tsx';
import { type CommentSubject, commentsQuery, reloadComments } from './comment-queries.ts';

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
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  }, [text]);
  // The same comment has the same key, so that one whose answer was lost is not there twice.
  const tried = useRef<{ readonly content: string; readonly key: string }>(undefined);
  const add = useMutation({
    mutationFn: (content: string) => {
      if (tried.current?.content !== content) tried.current = { content, key: newIdempotencyKey() };
      return client.call('comments.create', { ...subject, content }, undefined, tried.current.key);
    },
    onSuccess: async (_answer, content) => {
      tried.current = undefined;
      // In another tab one may go on writing meanwhile.
      if (latest.current === content) keep(undefined);
      await reloadComments(subject);
    },
  });

  function write(next: string): void {
    keep(next === '' ? undefined : next);
    if (add.isError) add.reset();
  }

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
        onChange={({ currentTarget: { value } }) => write(value)}
        onKeyDown={submitOnCtrlEnter}
      />
      <Button type="submit" size="compact-md" mr="auto" loading={add.isPending} disabled={text.trim() === ''}>
        Add comment
      </Button>
    </form>
  );
}
