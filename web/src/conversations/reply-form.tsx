import { Button, Textarea } from '@mantine/core';
import type { FormEvent, KeyboardEvent } from 'react';
import styles from './conversations-page.module.css';

interface ReplyFormProps {
  readonly text: string;
  readonly onWrite: (text: string) => void;
  readonly onSend: (text: string) => void;
}

/** The field for a reply. Ctrl and Enter send. */
export function ReplyForm({ text, onWrite, onSend }: ReplyFormProps) {
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() !== '') onSend(text);
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
  }
  return (
    <form className={styles.reply} onSubmit={submit}>
      <Textarea
        aria-label="Reply"
        placeholder="Write a reply. Ctrl+Enter sends it."
        autosize
        minRows={2}
        maxRows={8}
        value={text}
        onChange={({ currentTarget: { value } }) => onWrite(value)}
        onKeyDown={onKeyDown}
      />
      <Button type="submit" disabled={text.trim() === ''}>
        Send
      </Button>
    </form>
  );
}
