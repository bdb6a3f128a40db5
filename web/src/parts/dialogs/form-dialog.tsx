import { Alert, Button, type ModalProps } from '@mantine/core';
import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ResponseError } from '../../../../src/contract/client/typed-client.ts';
import { Confirm } from '../../form/confirm.tsx';
import { Dialog } from '../../form/dialog.tsx';
import { useReturnFocus } from '../../form/use-return-focus.ts';
import { sentenceOf } from '../failure.tsx';
import styles from './dialog.module.css';
import { DialogButtons } from './dialog-layout.tsx';

interface FormDialogProps<Values extends object, Answer> {
  readonly title: string;
  /** The label of the button that sends, such as `Save`. */
  readonly action: string;
  /** Whether it takes something away, so that the button is red. */
  readonly isDangerous?: boolean;
  readonly initialValues: Values;
  readonly validate?: UseFormInput<Values>['validate'];
  /** Called with what is in the fields when that changes, such as to keep a draft. */
  readonly onChange?: (values: Values) => void;
  /** The fields. They get `form.getInputProps` and `form.key`. */
  readonly children: (form: UseFormReturnType<Values>) => ReactNode;
  /** Sends the values. An error that names a field is shown there, others above the fields. */
  readonly send: (values: Values) => Promise<Answer>;
  /** The fields that have other names in the API. */
  readonly params?: Readonly<Record<string, keyof Values & string>>;
  /** Called once it is sent. The caller takes the dialog away. */
  readonly onDone: (answer: Answer, values: Values) => void;
  /** Returns what to show below an error above the fields, such as what a colleague has changed. */
  readonly below?: (error: Error) => ReactNode;
  /** Called when the service refuses, such as to load what a colleague has changed. */
  readonly onError?: (error: Error) => Promise<void> | void;
  readonly onClose: () => void;
  readonly size?: ModalProps['size'];
}

/**
 * A dialog with a form, which exists only while it is open. What was typed is kept when the service fails, and closing
 * asks before it is lost. Load it on demand: a page can be seen without it.
 */
export function FormDialog<Values extends object, Answer>({
  title,
  action,
  isDangerous = false,
  initialValues,
  validate,
  onChange,
  children,
  send,
  params = {},
  onDone,
  below,
  onError,
  onClose,
  size = 'md',
}: FormDialogProps<Values, Answer>) {
  const [isLeaving, setIsLeaving] = useState(false);
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues,
    ...(validate === undefined ? {} : { validate }),
    ...(onChange === undefined ? {} : { onValuesChange: onChange }),
  });
  const sending = useMutation({
    mutationFn: send,
    onSuccess: onDone,
    onError: async (error) => {
      // Loading may fail for the same reason, which is told once.
      const loaded = Promise.resolve(onError?.(error)).catch(() => undefined);
      // The next try is for what a colleague has made of it, so it waits for that.
      if (error instanceof ResponseError && error.code === 'changed') await loaded;
      const field = fieldOf(error);
      if (field !== undefined) {
        form.setFieldError(field, sentenceOf(error));
        form.getInputNode(field)?.focus();
      }
    },
  });
  useReturnFocus();

  /** Returns the field at fault. The API names the one of a change `set.title`. */
  function fieldOf(error: Error | null): string | undefined {
    if (!(error instanceof ResponseError) || error.param === undefined) return undefined;
    const name = params[error.param] ?? error.param.replace(/^set\./, '');
    return Object.hasOwn(initialValues, name) ? name : undefined;
  }

  function close(): void {
    if (sending.isPending || isLeaving) return;
    if (form.isDirty()) setIsLeaving(true);
    else onClose();
  }

  return (
    <>
      <Dialog opened title={title} size={size} onClose={close}>
        <form
          className={styles.content}
          noValidate
          onSubmit={form.onSubmit((values, event) => {
            event?.stopPropagation();
            sending.mutate(values);
          })}
        >
          {sending.error && fieldOf(sending.error) === undefined && (
            <Alert color="red" role="alert">
              {sentenceOf(sending.error)}
              {below?.(sending.error)}
            </Alert>
          )}
          {children(form)}
          <DialogButtons>
            <Button variant="default" disabled={sending.isPending} onClick={close}>
              Cancel
            </Button>
            <Button type="submit" color={isDangerous ? 'red' : 'blue'} loading={sending.isPending}>
              {action}
            </Button>
          </DialogButtons>
        </form>
      </Dialog>
      <Confirm
        question={
          isLeaving
            ? {
                title: 'Discard what you typed?',
                text: 'It has not been saved.',
                action: 'Discard',
              }
            : undefined
        }
        onAnswer={(isConfirmed) => {
          setIsLeaving(false);
          if (isConfirmed) onClose();
        }}
      />
    </>
  );
}
