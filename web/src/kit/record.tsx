import { ActionIcon, Button, Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { leadingFields, type Noun } from '../../../src/contract/fields/field.ts';
import { useShortcuts } from '../app/commands/shortcuts.ts';
import { useSession } from '../app/session/session.ts';
import { useEscape, useReturnFocus } from '../form/dialog-keys.ts';
import { FieldInput, fieldOf, type Suggestions } from '../form/field.tsx';
import { Facts } from '../parts/entries.tsx';
import { Failure } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import { Note } from '../parts/note.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import sheet from '../parts/sheet.module.css';
import { capital } from '../parts/words.ts';
import { useActions } from './actions.ts';
import { parameterOf } from './address.ts';
import { AssigneeSelect } from './admin-select.tsx';
import type { Assignee } from './admins.ts';
import { type Address, useGo } from './go.ts';
import type { List } from './list.ts';
import styles from './record.module.css';
import type { Resource } from './resource.ts';
import type { Action, AnyRow } from './rows.ts';
import { type OneChange, useChange } from './use-change.ts';

/** What belongs to a row, by its name in the address. */
export interface Tab<Row> {
  readonly name: string;
  readonly title: string;
  readonly content: (row: Row) => ReactNode;
}

interface RecordDrawerProps<Row extends AnyRow> {
  readonly list: List<Row>;
  readonly id: Row['id'];
  /** What takes the row and what is open of it out of the address, and what shows another one. */
  readonly closed: Address;
  readonly href: (row: Row) => Address;
  /** What edits the row, in place of showing it: while the address has `edit`. */
  readonly form?: ((row: Row) => ReactNode) | undefined;
  readonly children: (row: Row) => ReactNode;
}

/**
 * One row beside its list, which stays usable: it is no modal dialog. j and k lead to its neighbours, Escape closes it. What
 * is typed in it asks before the address leads away.
 */
export function RecordDrawer<Row extends AnyRow>(props: RecordDrawerProps<Row>) {
  const { list, id, closed, href, form, children } = props;
  const { noun, oneQuery } = list.resource;
  const { data: row, error, refetch } = useQuery(oneQuery(id));
  const title = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  const go = useGo();
  useReturnFocus();
  useEffect(() => title.current?.focus({ preventScroll: true }), [id]);
  const body = useRef<HTMLDivElement>(null);
  const isEditing = form !== undefined;
  /** Somebody may delete the row while it is edited. What is typed stays, and saving it says so. */
  const last = useRef<Row>(undefined);
  useEffect(() => {
    if (row) last.current = row;
  }, [row]);
  const edited = row === null && isEditing && last.current?.id === id ? last.current : row;
  const wasEditing = useRef(false);
  useEffect(() => {
    // The form that had the focus is gone.
    if (wasEditing.current && !isEditing) body.current?.querySelector<HTMLElement>('[data-edit]')?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  const index = list.rows.indexOf(id);
  const previous = index === -1 ? undefined : list.rows.at(index - 1);
  const next = index === -1 ? undefined : list.rows.at(index + 1);
  const show = (neighbour: Row | undefined) => neighbour && go(href(neighbour), true);
  const showPrevious = () => show(previous);
  const showNext = () => (next === undefined ? list.loadNext() : show(next));
  useShortcuts(capital(noun.one), [
    { keys: 'j', title: `Next ${noun.one}`, run: showNext },
    { keys: 'k', title: `Previous ${noun.one}`, run: showPrevious },
  ]);
  useEscape(() => (isEditing ? go({ edit: undefined }, true) : go(closed)));

  return (
    <section className={styles.drawer} data-drawer role="dialog" aria-modal="false" aria-labelledby={titleId}>
      <header className={styles.head}>
        <h2 ref={title} id={titleId} tabIndex={-1} className={styles.name}>
          {capital(noun.one)} {id}
        </h2>
        <IconButton label={`Previous ${noun.one}`} icon="up" isOff={!previous} onClick={showPrevious} />
        <IconButton label={`Next ${noun.one}`} icon="chevron" isOff={!next} onClick={showNext} />
        <span className={sheet.grow} />
        <IconButton label="Close" icon="close" onClick={() => go(closed)} />
      </header>
      <div className={styles.body} key={id} ref={body}>
        {row === undefined && error && <Failure error={error} retry={() => void refetch()} />}
        {row === undefined && !error && <Skeleton height={320} />}
        {edited === null && <Note title={`There is no such ${noun.one}`}>It may have been deleted.</Note>}
        {edited && (form ? form(edited) : children(edited))}
      </div>
    </section>
  );
}

interface IconButtonProps {
  readonly label: string;
  readonly icon: 'up' | 'chevron' | 'close';
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

function IconButton({ label, icon, isOff = false, onClick }: IconButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      disabled={isOff}
      className={icon === 'up' ? styles.up : undefined}
      onClick={onClick}
    >
      <Icon name={icon === 'close' ? 'close' : 'chevron'} />
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
  readonly facts: readonly (readonly [label: string, value: ReactNode])[];
  readonly tabs: readonly Tab<Row>[];
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
  const texts = Object.entries(noun.fields).filter(([name, { kind }]) => kind === 'text' && name !== 'title');
  return (
    <article className={sheet.stack}>
      <div className={sheet.between}>
        <h3 className={sheet.title} dir="auto">
          {title}
        </h3>
        <span className={styles.buttons}>
          {onEdit && (
            <Button size="compact-md" variant="default" data-edit onClick={onEdit}>
              Edit
            </Button>
          )}
          <RowMenu name={`${noun.one} ${row.id}`} actions={actionsOf(row)} />
        </span>
      </div>
      <Setters of={of} row={row} suggest={suggest} />
      <Facts facts={facts} />
      {texts.map(([name, { label }]) => {
        const text = row[name as keyof Row] as string;
        return (
          <section key={name} className={styles.section} hidden={text === '' && name !== 'description'}>
            <h4 className={sheet.heading}>{label}</h4>
            <p className={sheet.text} dir="auto">
              {text || <span className={sheet.quiet}>None</span>}
            </p>
          </section>
        );
      })}
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

interface SettersProps<Row extends AnyRow> {
  readonly of: Resource<Row>;
  readonly row: Row;
  readonly suggest: Readonly<Record<string, Suggestions>>;
}

/** The fields of a row that are set at once. */
export function Setters<Row extends AnyRow>({ of, row, suggest }: SettersProps<Row>) {
  const { change } = useChange(of, row.id);
  const { admin: me } = useSession();
  const set = (name: string, to: unknown, seen: unknown) =>
    change({ set: { [name]: to }, expected: { [name]: seen } });
  return (
    <div className={sheet.fields}>
      {leadingFields<Noun, 'edit'>(of.noun, 'edit').map(([name, field]) => {
        if (field.edit !== 'many') return null;
        const value = row[
          (field.kind === 'labels' ? name : parameterOf(name, field)) as keyof Row
        ] as unknown;
        if (field.kind === 'admin') {
          const assignee = (value ?? null) as Assignee | null;
          const assign = (to: Assignee | null) => set(name, to?.id ?? null, assignee?.id ?? null);
          return (
            <div key={name} className={sheet.half}>
              <AssigneeSelect assignee={assignee} onChange={assign} />
              {assignee?.id !== me.id && (
                <button type="button" className={styles.hint} onClick={() => assign(me)}>
                  Assign to me
                </button>
              )}
            </div>
          );
        }
        // A word of one's own is written in the form, and not saved at each letter.
        if (field.kind !== 'labels' && field.words === undefined) return null;
        const shown = { ...fieldOf(field), ...(suggest[name] && { suggest: suggest[name] }) };
        const current = field.kind === 'labels' ? ((value ?? []) as readonly string[]) : String(value);
        return (
          <div key={name} className={sheet.half}>
            <FieldInput
              field={shown}
              value={current}
              onChange={(next) => {
                if (Array.isArray(current)) change(labelsChange(name, current, next as readonly string[]));
                else if (next !== current) set(name, next, current);
              }}
            />
          </div>
        );
      })}
    </div>
  );
}

/** Returns the change that gives a row these labels. It adds and removes, so that it does not undo what others do meanwhile. */
export function labelsChange(name: string, before: readonly string[], after: readonly string[]): OneChange {
  const added = after.filter((label) => !before.includes(label));
  const removed = before.filter((label) => !after.includes(label));
  return {
    set: {
      ...(added.length > 0 && { [`add_${name}`]: added }),
      ...(removed.length > 0 && { [`remove_${name}`]: removed }),
    },
    expected: {},
  };
}
