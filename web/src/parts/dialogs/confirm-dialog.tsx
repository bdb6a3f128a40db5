import { Alert, Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { sentenceOf } from '../failure.tsx';
import type { Question } from './confirm.tsx';
import styles from './dialog.module.css';
import { Dialog } from './dialog.tsx';
import { DialogButtons } from './dialog-layout.tsx';
import { useReturnFocus } from './use-return-focus.ts';

interface ConfirmDialogProps {
  readonly question: Question;
  readonly onAnswer: (isConfirmed: boolean) => void;
}

/** Asks before something that cannot be undone. The button that does nothing has the focus. */
export function ConfirmDialog({ question, onAnswer }: ConfirmDialogProps) {
  const { title, text, action, typed, isHarmless, run } = question;
  const [written, setWritten] = useState('');
  const confirm = useMutation({
    mutationFn: async () => await run?.(),
    onSuccess: () => onAnswer(true),
  });
  const isReady = typed === undefined || written.trim() === typed;
  useReturnFocus();

  function cancel(): void {
    if (!confirm.isPending) onAnswer(false);
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    // React also tells the form of the dialog below, which would be sent too.
    event.stopPropagation();
    if (isReady) confirm.mutate();
  }

  return (
    <Dialog
      opened
      title={title}
      onClose={cancel}
      withCloseButton={false}
      // Over the dialog or drawer that asks.
      zIndex={300}
    >
      <form className={styles.content} onSubmit={onSubmit}>
        {text !== undefined && <div className={styles.text}>{text}</div>}
        {confirm.error && (
          <Alert color="red" role="alert">
            {sentenceOf(confirm.error)}
          </Alert>
        )}
        {typed !== undefined && (
          <TextInput
            label={`Type ${typed} to confirm`}
            autoComplete="off"
            spellCheck={false}
            value={written}
            onChange={({ currentTarget }) => setWritten(currentTarget.value)}
            data-autofocus
          />
        )}
        <DialogButtons>
          <Button
            variant="default"
            disabled={confirm.isPending}
            onClick={cancel}
            data-autofocus={typed === undefined || undefined}
          >
            Cancel
          </Button>
          <Button
            type="submit"
            color={isHarmless ? 'blue' : 'red'}
            disabled={!isReady}
            loading={confirm.isPending}
          >
            {action}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
