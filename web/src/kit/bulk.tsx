import { Button, Progress } from '@mantine/core';
import { type Field, leadingFields, type Noun } from '../../../src/contract/fields/field.ts';
import type { OperationId } from '../../../src/contract/registry.ts';
import { useMay } from '../app/session/permissions.ts';
import { useSession } from '../app/session/session.ts';
import type { Suggestions } from '../form/field.tsx';
import { GuardedButton } from '../parts/buttons.tsx';
import { Icon } from '../parts/icon.tsx';
import sheet from '../parts/sheet.module.css';
import { countOf, formatCount } from '../parts/words.ts';
import { useChangeMany } from './change-many.ts';
import { FieldChoice } from './filter-choices.tsx';
import type { List } from './list.ts';
import type { AnyRow, Values } from './rows.ts';
import { focusTable } from './table-view.ts';

interface BulkBarProps<Row extends AnyRow> {
  readonly list: List<Row>;
  /** Changes that no field stands for. */
  readonly more?: readonly { readonly label: string; readonly set: Values }[];
  /** The operation that deletes rows, and what goes with them. */
  readonly remove?: { readonly needs: OperationId; readonly lost: string };
}

const small = { size: 'compact-sm', variant: 'default' } as const;

/** What can be done with the selected rows, or with all that the filter finds. */
export function BulkBar<Row extends AnyRow>(props: BulkBarProps<Row>) {
  const { list, more = [], remove } = props;
  const { selection, total } = list;
  const { noun, suggest } = list.resource;
  const { ids, isAll } = selection;
  const may = useMay();
  const { change, remove: removeMany, done, cancel } = useChangeMany(list);
  const count = isAll ? (total ?? ids.size) : ids.size;
  const clear = () => {
    selection.setAll(false);
    focusTable();
  };
  const apply = (set: Values) => void change(set, clear);
  return (
    <section className={`${sheet.row} ${sheet.foot}`} aria-label={`Selected ${noun.many}`}>
      <strong className={sheet.number}>{countOf(count, noun)} selected</strong>
      {done !== undefined ? (
        <>
          <Progress
            className={sheet.pick ?? ''}
            value={(100 * done) / Math.max(count, 1)}
            aria-label="Progress"
            animated
          />
          <span className={sheet.number} aria-live="polite">
            {formatCount(done)} of {formatCount(count)}
          </span>
          <Button {...small} onClick={cancel}>
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
              <Setter key={name} name={name} field={field} suggest={suggest?.[name]} onChoose={apply} />
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
              onClick={() => void removeMany(remove.lost, clear)}
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

/** What sets a field of many rows. Words of people's own are those in use: a new one is given in a row itself. */
function Setter({ name, field, suggest, onChoose }: SetterProps) {
  const { admin: me } = useSession();
  const ids: Readonly<Record<string, string | null>> = { me: me.id, none: null };
  const choice = (label: string, set: (value: string) => Values) => (
    <FieldChoice
      field={field}
      suggest={suggest}
      label={label}
      isOpen={false}
      button={{ ...small, rightSection: <Icon name="chevron" /> }}
      onChange={(value) => value !== undefined && onChoose(set(value))}
    />
  );
  if (field.kind === 'admin')
    return choice('Assign', (id) => ({ [name]: Object.hasOwn(ids, id) ? ids[id] : id }));
  if (field.kind !== 'labels')
    return choice(`Set ${field.label.toLowerCase()}`, (word) => ({ [name]: word }));
  return (
    <>
      {choice('Add label', (word) => ({ [`add_${name}`]: [word] }))}
      {choice('Remove label', (word) => ({ [`remove_${name}`]: [word] }))}
    </>
  );
}
