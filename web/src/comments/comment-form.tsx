import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import { newIdempotencyKey } from '../../../src/contract/client/retry.ts';
import { commandKey } from '../app/commands/command-key.ts';
import { client } from '../app/data/client.ts';
import { useKept } from '../app/kept/use-kept.ts';
import { sentenceOf } from '../parts/failure.tsx';
import { submitOnCtrlEnter } from '../parts/inputs/submit-on-ctrl-enter.ts';
import { type CommentSubject, reloadComments } from './comment-queries.ts';
import styles from './comments.module.css';

/** The field for a new comment, whose text the browser keeps until it is added. Ctrl and Enter add it. */
export function CommentForm({ subject }: { readonly subject: CommentSubject }) {
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
    <form className={styles.form} onSubmit={submit}>
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
      <Button type="submit" size="compact-md" loading={add.isPending} disabled={text.trim() === ''}>
        Add comment
      </Button>
    </form>
  );
}
