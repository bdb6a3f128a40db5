import { Skeleton } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useShortcuts } from '../app/commands/shortcuts.ts';
import { useEscape, useReturnFocus } from '../form/dialog-keys.ts';
import { IconButton } from '../parts/buttons.tsx';
import { Failure, Note } from '../parts/note.tsx';
import sheet from '../parts/sheet.module.css';
import { capital } from '../parts/words.ts';
import { useGo } from './go.ts';
import { type List, useRow } from './list.ts';
import styles from './record.module.css';
import type { AnyRow } from './rows.ts';

interface RecordDrawerProps<Row extends AnyRow> {
  readonly list: List<Row>;
  readonly id: Row['id'];
  /** The part of the address that has the id. */
  readonly at: string;
  /** What edits the row, in place of showing it: while the address has `edit`. */
  readonly form?: ((row: Row) => ReactNode) | undefined;
  readonly children: (row: Row) => ReactNode;
}

/**
 * One row beside its list, which stays usable: it is no modal dialog. j and k lead to its neighbours, Escape closes it. What
 * is typed in it asks before the address leads away.
 */
export function RecordDrawer<Row extends AnyRow>(props: RecordDrawerProps<Row>) {
  const { list, id, at, form, children } = props;
  const { noun } = list.resource;
  const isEditing = form !== undefined;
  const { row, error, retry } = useRow(list.resource, id, isEditing);
  const title = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  const go = useGo();
  useReturnFocus();
  useEffect(() => title.current?.focus({ preventScroll: true }), [id]);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isEditing) return undefined;
    // The form that had the focus is gone then.
    return () => body.current?.querySelector<HTMLElement>('[data-edit]')?.focus();
  }, [isEditing]);

  const close = () => go({ [at]: undefined, edit: undefined, tab: undefined });
  const index = list.rows.indexOf(id);
  const [previous, next] = index === -1 ? [] : [list.rows.at(index - 1), list.rows.at(index + 1)];
  const show = (neighbour: Row | undefined) => neighbour && go({ [at]: neighbour.id, edit: undefined }, true);
  const showPrevious = () => show(previous);
  const showNext = () => (next === undefined ? list.loadNext() : show(next));
  const [previousTitle, nextTitle] = [`Previous ${noun.one}`, `Next ${noun.one}`];
  useShortcuts(capital(noun.one), [
    { keys: 'j', title: nextTitle, run: showNext },
    { keys: 'k', title: previousTitle, run: showPrevious },
  ]);
  useEscape(() => (isEditing ? go({ edit: undefined }, true) : close()));

  return (
    <section className={styles.drawer} data-drawer role="dialog" aria-modal="false" aria-labelledby={titleId}>
      <header className={styles.head}>
        <h2 ref={title} id={titleId} tabIndex={-1} className={styles.name}>
          {capital(noun.one)} {id}
        </h2>
        <IconButton
          icon="chevron"
          label={previousTitle}
          title={previousTitle}
          style={{ rotate: '180deg' }}
          disabled={!previous}
          onClick={showPrevious}
        />
        <IconButton icon="chevron" label={nextTitle} title={nextTitle} disabled={!next} onClick={showNext} />
        <span className={sheet.grow} />
        <IconButton icon="close" label="Close" title="Close" onClick={close} />
      </header>
      <div className={styles.body} key={id} ref={body}>
        {row === undefined && error && <Failure error={error} retry={retry} />}
        {row === undefined && !error && <Skeleton height={320} />}
        {row === null && <Note title={`There is no such ${noun.one}`}>It may have been deleted.</Note>}
        {row && (form ?? children)(row)}
      </div>
    </section>
  );
}
