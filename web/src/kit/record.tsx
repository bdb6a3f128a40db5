import { ActionIcon, type ActionIconProps, Button, Group, Skeleton, Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useShortcuts } from '../app/commands/shortcuts.ts';
import { useEscape, useReturnFocus } from '../form/dialog-keys.ts';
import type { Suggestions } from '../form/field.tsx';
import { Facts, type FactsByName } from '../parts/entries.tsx';
import { Failure } from '../parts/failure.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Note } from '../parts/note.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import sheet from '../parts/sheet.module.css';
import { capital } from '../parts/words.ts';
import { useActions } from './actions.ts';
import { useGo } from './go.ts';
import { type List, useRow } from './list.ts';
import styles from './record.module.css';
import type { Resource } from './resource.ts';
import type { Action, AnyRow } from './rows.ts';
import { Setters } from './setters.tsx';

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
  useShortcuts(capital(noun.one), [
    { keys: 'j', title: `Next ${noun.one}`, run: showNext },
    { keys: 'k', title: `Previous ${noun.one}`, run: showPrevious },
  ]);
  useEscape(() => (isEditing ? go({ edit: undefined }, true) : close()));

  return (
    <section className={styles.drawer} data-drawer role="dialog" aria-modal="false" aria-labelledby={titleId}>
      <header className={styles.head}>
        <h2 ref={title} id={titleId} tabIndex={-1} className={styles.name}>
          {capital(noun.one)} {id}
        </h2>
        <IconButton
          label={`Previous ${noun.one}`}
          icon="chevron"
          style={{ rotate: '180deg' }}
          disabled={!previous}
          onClick={showPrevious}
        />
        <IconButton label={`Next ${noun.one}`} icon="chevron" disabled={!next} onClick={showNext} />
        <span className={sheet.grow} />
        <IconButton label="Close" icon="close" onClick={close} />
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

interface IconButtonProps extends ActionIconProps {
  readonly label: string;
  readonly icon: IconName;
  readonly onClick: () => void;
}

function IconButton({ label, icon, ...props }: IconButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      {...(props.disabled && { bg: 'transparent' })}
      {...props}
    >
      <Icon name={icon} />
    </ActionIcon>
  );
}

interface RecordViewProps<Row extends AnyRow> {
  readonly of: Resource<Row>;
  readonly row: Row;
  readonly title: string;
  readonly suggest?: Readonly<Record<string, Suggestions>>;
  readonly actions: readonly Action<Row>[];
  /** The fields that are shown as they are, with their labels. */
  readonly facts: FactsByName;
  /** What belongs to the row, by its name in the address. */
  readonly tabs: readonly {
    readonly name: string;
    readonly title: string;
    readonly content: (row: Row) => ReactNode;
  }[];
  readonly tab: string | undefined;
  /** Leads to the form. */
  readonly onEdit?: () => void;
}

/** A row as its catalogue describes it: what many rows are set to is set at once, and the texts are below. */
export function RecordView<Row extends AnyRow>(props: RecordViewProps<Row>) {
  const { of, row, title, suggest = {}, actions, facts, tabs, tab = tabs[0]?.name, onEdit } = props;
  const { noun } = of;
  const actionsOf = useActions(of, actions);
  useShortcuts(capital(noun.one), onEdit ? [{ keys: 'e', title: `Edit the ${noun.one}`, run: onEdit }] : []);
  const go = useGo();
  const tabsPart = useRef<HTMLDivElement>(null);
  const asked = useRef(props.tab);
  useEffect(() => {
    // A link to a tab leads to what is below a long text.
    if (asked.current !== undefined) tabsPart.current?.scrollIntoView();
  }, [row.id]);
  const texts = Object.entries(noun.fields).flatMap(([name, { kind, label }]) => {
    const text = row[name as keyof Row] as string;
    const isShown = kind === 'text' && name !== 'title' && (text !== '' || name === 'description');
    return isShown ? [{ label, text }] : [];
  });
  return (
    <article className={sheet.stack}>
      <div className={sheet.between}>
        <h3 className={sheet.title} dir="auto">
          {title}
        </h3>
        <Group gap={4} wrap="nowrap">
          {onEdit && (
            <Button size="compact-md" variant="default" data-edit onClick={onEdit}>
              Edit
            </Button>
          )}
          <RowMenu name={`${noun.one} ${row.id}`} actions={actionsOf(row)} />
        </Group>
      </div>
      <Setters of={of} row={row} suggest={suggest} />
      <Facts facts={facts} />
      {texts.map(({ label, text }) => (
        <section key={label} className={sheet.lines}>
          <h4 className={sheet.heading}>{label}</h4>
          <p className={sheet.text} dir="auto">
            {text || <span className={sheet.quiet}>None</span>}
          </p>
        </section>
      ))}
      <Tabs
        ref={tabsPart}
        value={tab ?? null}
        onChange={(name) => go({ tab: name ?? undefined }, true)}
        keepMounted={false}
      >
        <Tabs.List>
          {tabs.map(({ name, title }) => (
            <Tabs.Tab key={name} value={name}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ name, content }) => (
          <Tabs.Panel key={name} value={name} pt="md">
            {content(row)}
          </Tabs.Panel>
        ))}
      </Tabs>
    </article>
  );
}
