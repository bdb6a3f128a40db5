import { Select, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { maxSearchLength } from '../../../src/contract/fields/bounds.ts';
import { leadingFields, type Noun } from '../../../src/contract/fields/field.ts';
import { useSession } from '../app/session/session.ts';
import { FieldInput, fieldOf } from '../form/field.tsx';
import sheet from '../parts/sheet.module.css';
import { propertyOf } from './address.ts';
import { type Assignee, assigneesQuery, nameOf } from './admins.ts';
import type { Resource } from './resource.ts';
import type { AnyRow } from './rows.ts';
import { type OneChange, useChange } from './use-change.ts';

interface SettersProps<Row extends AnyRow> {
  readonly of: Resource<Row>;
  readonly row: Row;
}

/** The fields of a row that are set at once. */
export function Setters<Row extends AnyRow>({ of, row }: SettersProps<Row>) {
  const { change } = useChange(of, row.id);
  const set = (name: string, to: unknown, seen: unknown) =>
    change({ set: { [name]: to }, expected: { [name]: seen } });
  const setters = leadingFields<Noun, 'edit'>(of.noun, 'edit').map(([name, field]) => {
    // A word of one's own is written in the form, and not saved at each letter.
    const isSetAtOnce = field.kind === 'admin' || field.kind === 'labels' || field.words !== undefined;
    if (field.edit !== 'many' || !isSetAtOnce) return null;
    const value = row[propertyOf(name, field) as keyof Row] as unknown;
    const assignee = (value ?? null) as Assignee | null;
    const current = field.kind === 'labels' ? ((value ?? []) as readonly string[]) : String(value);
    return (
      <div key={name} className={`${sheet.list} ${sheet.half}`}>
        {field.kind === 'admin' ? (
          <AssigneeSelect
            assignee={assignee}
            onChange={(to) => set(name, to?.id ?? null, assignee?.id ?? null)}
          />
        ) : (
          <FieldInput
            field={fieldOf(field)}
            value={current}
            onChange={(next) => {
              if (Array.isArray(current)) change(labelsChange(name, current, next as readonly string[]));
              else if (next !== current) set(name, next, current);
            }}
          />
        )}
      </div>
    );
  });
  return <div className={sheet.fields}>{setters}</div>;
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

const typingMs = 200;

interface AssigneeSelectProps {
  readonly assignee: Assignee | null;
  readonly onChange: (assignee: Assignee | null) => void;
}

/** Chooses who works on something, oneself first. Typing finds admins by their name, e-mail or role. */
function AssigneeSelect({ assignee, onChange }: AssigneeSelectProps) {
  const { admin: me } = useSession();
  const [typed, setTyped] = useState('');
  const isChosenName = assignee !== null && typed === nameOf(assignee);
  const [q] = useDebouncedValue(isChosenName ? '' : typed.trim(), typingMs);
  const { data: found = [] } = useQuery(assigneesQuery(q));
  const self = found.filter(({ id }) => id === me.id);
  const inOrder = [...self, ...(assignee ? [assignee] : []), ...found];
  const offered = [...new Map(inOrder.map((admin) => [admin.id, admin])).values()];
  return (
    <>
      <Select
        label="Assignee"
        placeholder="Nobody"
        data={offered.map((admin) => ({ value: admin.id, label: nameOf(admin) }))}
        // The service has searched already.
        filter={({ options }) => options}
        renderOption={({ option }) => (option.value === me.id ? `${option.label} (you)` : option.label)}
        value={assignee?.id ?? null}
        searchable
        maxLength={maxSearchLength}
        searchValue={typed}
        onSearchChange={setTyped}
        clearable
        clearButtonProps={{ 'aria-label': 'Assign to nobody' }}
        nothingFoundMessage="Nobody found"
        onChange={(id) => onChange(offered.find((admin) => admin.id === id) ?? null)}
      />
      {assignee?.id !== me.id && (
        <UnstyledButton
          fz="sm"
          c="var(--accent)"
          style={{ justifySelf: 'start' }}
          onClick={() => onChange(me)}
        >
          Assign to me
        </UnstyledButton>
      )}
    </>
  );
}
