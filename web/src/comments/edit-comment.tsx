import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../app/data/client.ts';
import { EntryNote } from '../parts/entries.tsx';
import { sentenceOf } from '../parts/failure.tsx';
import { submitOnCtrlEnter } from '../parts/inputs/submit-on-ctrl-enter.ts';
import { type Comment, type CommentSubject, reloadComments } from './comment-queries.ts';
import styles from './comments.module.css';

interface EditCommentProps {
  readonly comment: Comment;
  readonly subject: CommentSubject;
  readonly onClose: () => void;
}

/** Edits a comment, unless it was edited in another window since. */
export function EditComment({ comment, subject, onClose }: EditCommentProps) {
  const [text, setText] = useState(comment.content);
  const [seen, setSeen] = useState(comment.content);
  const save = useMutation({
    mutationFn: () =>
      client.call('comments.update', { id: comment.id, content: text, expected: { content: seen } }),
    onSuccess: async () => {
      await reloadComments(subject);
      onClose();
    },
    onError: () => reloadComments(subject),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (text === comment.content) onClose();
    else if (text.trim() !== '') save.mutate();
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      <Textarea
        aria-label="Comment"
        autosize
        autoFocus
        minRows={2}
        maxRows={10}
        value={text}
        error={save.error && sentenceOf(save.error)}
        onChange={({ currentTarget: { value } }) => setText(value)}
        onKeyDown={submitOnCtrlEnter}
      />
      {comment.content !== seen && (
        <div className={styles.now}>
          <EntryNote>The comment is now:</EntryNote>
          <p className={styles.text} dir="auto">
            {comment.content}
          </p>
          <Button size="compact-xs" variant="default" onClick={() => setSeen(comment.content)}>
            Replace it with mine
          </Button>
        </div>
      )}
      <div className={styles.buttons}>
        <Button type="submit" size="compact-sm" loading={save.isPending} disabled={text.trim() === ''}>
          Save
        </Button>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
