import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../app/session/session.ts';
import { type Assignee, assigneesQuery, nameOf } from './admins.ts';

const typingMs = 200;

interface AssigneeSelectProps {
  readonly assignee: Assignee | null;
  readonly onChange: (assignee: Assignee | null) => void;
  readonly label?: string;
  readonly className?: string;
}

/** Chooses who works on something, oneself first. Typing finds admins by their name, e-mail or role. */
export function AssigneeSelect({
  assignee,
  onChange,
  label = 'Assignee',
  className = '',
}: AssigneeSelectProps) {
  const { admin: me } = useSession();
  const [typed, setTyped] = useState('');
  const isChosenName = assignee !== null && typed === nameOf(assignee);
  const [q] = useDebouncedValue(isChosenName ? '' : typed.trim(), typingMs);
  const { data: found = [] } = useQuery(assigneesQuery(q));
  const self = found.filter(({ id }) => id === me.id);
  const others = found.filter(({ id }) => id !== me.id && id !== assignee?.id);
  const offered = [...self, ...(assignee === null || assignee.id === me.id ? [] : [assignee]), ...others];
  return (
    <Select
      label={label}
      placeholder="Nobody"
      className={className}
      data={offered.map((admin) => ({
        value: admin.id,
        label: nameOf(admin),
      }))}
      // The service has searched already.
      filter={({ options }) => options}
      renderOption={({ option }) => (option.value === me.id ? `${option.label} (you)` : option.label)}
      value={assignee?.id ?? null}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      clearable
      clearButtonProps={{ 'aria-label': 'Assign to nobody' }}
      nothingFoundMessage="Nobody found"
      onChange={(id) => onChange(offered.find((admin) => admin.id === id) ?? null)}
    />
  );
}
