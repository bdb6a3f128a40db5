import { Alert } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import styles from './card.module.css';
import sheet from './sheet.module.css';

/** A field that must be filled in. All of a card must, so that none is marked. */
export const required = { required: true, withAsterisk: false } as const;

export interface CardProps<Name extends string> {
  /** What is above the title. */
  readonly above?: ReactNode;
  readonly title: string;
  readonly text?: string | undefined;
  /** Why the last try has failed. */
  readonly problem?: ReactNode;
  readonly role?: 'status';
  /** Makes it a form, and gets what its fields contain by their names. */
  readonly onSubmit?: (values: Readonly<Record<Name, string>>) => void;
  readonly children?: ReactNode;
}

/** What is alone on a page, such as a short form. */
export function Card<Name extends string>(props: CardProps<Name>) {
  const { above, title, text, problem, role, onSubmit, children } = props;
  const Frame = onSubmit === undefined ? 'div' : 'form';
  function submit(event: FormEvent): void {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    onSubmit?.(Object.fromEntries(given) as Record<Name, string>);
  }
  return (
    <Frame className={styles.card} role={role} onSubmit={submit}>
      {above}
      <h1 className={styles.title}>{title}</h1>
      {text && <p className={sheet.text}>{text}</p>}
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      {children}
    </Frame>
  );
}
