import { Button, Menu, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Field, leadingFields, type Noun } from '../../../src/contract/fields/field.ts';
import type { OperationId } from '../../../src/contract/registry.ts';
import { useMay } from '../app/session/permissions.ts';
import { useSession } from '../app/session/session.ts';
import { type Suggestions, useSuggestions } from '../form/field.tsx';
import { GuardedButton } from '../parts/guarded-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Mark } from '../parts/mark.tsx';
import { formatCount } from '../parts/numbers.ts';
import sheet from '../parts/sheet.module.css';
import { capital, countOf } from '../parts/words.ts';
import { assigneesQuery, nameOf } from './admins.ts';
import { useChangeMany } from './change-many.ts';
import type { List } from './list.ts';
import type { AnyRow, Values } from './rows.ts';
import { focusTable } from './table.tsx';

interface BulkBarProps<Row extends AnyRow> {
  readonly list: List<Row>;
  readonly suggest?: Readonly<Record<string, Suggestions>>;
  /** Changes that no field stands for. */
  readonly more?: readonly { readonly label: string; readonly set: Values }[];
  /** The operation that deletes rows, and what goes with them. */
  readonly remove?: { readonly needs: OperationId; readonly lost: string };
}

const small = { size: 'compact-sm', variant: 'default' } as const;

/** What can be done with the selected rows, or with all that the filter finds. */
export function BulkBar<Row extends AnyRow>(props: BulkBarProps<Row>) {
  const { list, suggest = {}, more = [], remove } = props;
  const { selection, total } = list;
  const { noun } = list.resource;
  const { ids, isAll } = selection;
  const may = useMay();
  const run = useChangeMany(list);
  const count = isAll ? (total ?? ids.size) : ids.size;
  const clear = () => {
    selection.setAll(false);
    focusTable();
  };
  const apply = (set: Values) => run.change(set, clear);
  return (
    <section className={`${sheet.row} ${sheet.foot}`} aria-label={`Selected ${noun.many}`}>
      <strong className={sheet.number}>{countOf(count, noun)} selected</strong>
      {run.isRunning ? (
        <>
          <Progress
            className={sheet.pick ?? ''}
            value={(100 * run.done) / Math.max(count, 1)}
            aria-label="Progress"
            animated
          />
          <span className={sheet.number} aria-live="polite">
            {formatCount(run.done)} of {formatCount(count)}
          </span>
          <Button {...small} onClick={run.cancel}>
            Cancel
          </Button>
        </>
      ) : (
        <>
          {!isAll && total !== undefined && total > ids.size && (
            <Button {...small} variant="subtle" onClick={() => selection.setAll(true)}>
              Select all {formatCount(total)}
            </Button>
          )}
          {leadingFields<Noun, 'edit'>(noun, 'edit').map(([name, field]) =>
            field.edit === 'many' ? (
              <Setter key={name} {...{ name, field, suggest: suggest[name] }} onChoose={apply} />
            ) : null,
          )}
          {more.map(({ label, set }) => (
            <Button key={label} {...small} onClick={() => apply(set)}>
              {label}
            </Button>
          ))}
          {remove && (
            <GuardedButton
              {...small}
              reason={may(remove.needs) ? undefined : `Only admins may delete ${noun.many}.`}
              onClick={() => void run.remove(remove.lost, clear)}
            >
              Delete
            </GuardedButton>
          )}
          <Button {...small} variant="subtle" color="gray" onClick={clear}>
            Clear
          </Button>
        </>
      )}
    </section>
  );
}

interface SetterProps {
  readonly name: string;
  readonly field: Field;
  readonly suggest: Suggestions | undefined;
  readonly onChoose: (set: Values) => void;
}

/** The menus that set a field of many rows. */
function Setter({ name, field: { kind, label, words }, suggest, onChoose }: SetterProps) {
  const menu = (label: string, items: ReactNode) => (
    <Menu position="top" shadow="md">
      <Menu.Target>
        <Button {...small} rightSection={<Icon name="chevron" />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{items}</Menu.Dropdown>
    </Menu>
  );
  const labels = (change: string) => (
    <Words suggest={suggest} onChoose={(word) => onChoose({ [`${change}_${name}`]: [word] })} />
  );
  if (kind === 'admin') return menu('Assign', <Assignees onChoose={(id) => onChoose({ [name]: id })} />);
  if (kind === 'labels')
    return (
      <>
        {menu('Add label', labels('add'))}
        {menu('Remove label', labels('remove'))}
      </>
    );
  const set = (word: string) => onChoose({ [name]: word });
  return menu(
    `Set ${label.toLowerCase()}`,
    words?.map((word) => (
      <Menu.Item key={word} onClick={() => set(word)}>
        <Mark word={capital(word)} />
      </Menu.Item>
    )) ?? <Words suggest={suggest} onChoose={set} />,
  );
}

interface ChoicesProps<Value> {
  readonly onChoose: (value: Value) => void;
}

/** The words in use. A new one is given in a row itself. */
function Words({ suggest, onChoose }: ChoicesProps<string> & Pick<SetterProps, 'suggest'>) {
  const used = useSuggestions(suggest ? { suggest } : {});
  if (used.length === 0) return <Menu.Label>None in use yet</Menu.Label>;
  return used.map((word) => (
    <Menu.Item key={word} onClick={() => onChoose(word)}>
      {word}
    </Menu.Item>
  ));
}

/** Oneself, nobody, and the other admins if there are any. Gives an id, or null for nobody. */
function Assignees({ onChoose }: ChoicesProps<string | null>) {
  const { admin: me } = useSession();
  const { data = [] } = useQuery(assigneesQuery(''));
  const others = data.filter(({ id }) => id !== me.id);
  return (
    <>
      <Menu.Item onClick={() => onChoose(me.id)}>Me</Menu.Item>
      <Menu.Item onClick={() => onChoose(null)}>Nobody</Menu.Item>
      {others.length > 0 && <Menu.Divider />}
      {others.map((admin) => (
        <Menu.Item key={admin.id} onClick={() => onChoose(admin.id)}>
          {nameOf(admin)}
        </Menu.Item>
      ))}
    </>
  );
}
