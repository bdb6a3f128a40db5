import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { newIdempotencyKey } from '../../../src/contract/client/retry.ts';
import { client } from '../app/client.ts';
import { useKept } from '../app/use-kept.ts';
import { sentenceOf } from '../parts/failure.tsx';
import { type CommentSubject, reloadComments } from './comment-queries.ts';
import styles from './comments.module.css';

/** The field for a new comment, whose text the browser keeps until it is added. Ctrl and Enter add it. */
export function CommentForm({ subject }: { readonly subject: CommentSubject }) {
  const [text = '', keep] = useKept<string>(`comment.${Object.values(subject)[0]}`);
  // The same comment has the same key, so that one whose answer was lost is not there twice.
  const [key, setKey] = useState(newIdempotencyKey);
  const add = useMutation({
    mutationFn: () => client.call('comments.create', { ...subject, content: text }, undefined, key),
    onSuccess: async () => {
      keep(undefined);
      setKey(newIdempotencyKey());
      await reloadComments(subject);
    },
  });

  function write(next: string): void {
    keep(next === '' ? undefined : next);
    setKey(newIdempotencyKey());
    if (add.isError) add.reset();
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() !== '' && !add.isPending) add.mutate();
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      <Textarea
        label="Comment"
        description="Only the team sees comments."
        placeholder="Write a comment. Ctrl+Enter adds it."
        autosize
        minRows={2}
        maxRows={10}
        value={text}
        error={add.error && sentenceOf(add.error)}
        disabled={add.isPending}
        onChange={({ currentTarget: { value } }) => write(value)}
        onKeyDown={submitOnCtrlEnter}
      />
      <Button type="submit" size="compact-md" loading={add.isPending} disabled={text.trim() === ''}>
        Add comment
      </Button>
    </form>
  );
}

/** Sends the form of a field. */
export function submitOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
}
