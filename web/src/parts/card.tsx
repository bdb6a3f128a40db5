import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
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
  const content = (
    <>
      {above}
      <h1 className={styles.title}>{title}</h1>
      {text && <p className={sheet.text}>{text}</p>}
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      {children}
    </>
  );
  if (onSubmit === undefined)
    return (
      <div className={styles.card} role={role}>
        {content}
      </div>
    );
  return (
    <form
      className={styles.card}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(Object.fromEntries(new FormData(event.currentTarget)) as Record<Name, string>);
      }}
    >
      {content}
    </form>
  );
}
