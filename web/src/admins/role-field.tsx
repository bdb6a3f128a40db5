import { Select, type SelectProps } from '@mantine/core';
import { useSession } from '../app/session/session.ts';
import { rolesToGive } from './admin-rules.ts';

/** The field for the role of a new account. */
export function RoleField(props: SelectProps) {
  return <Select label="Role" data={rolesToGive(useSession())} allowDeselect={false} {...props} />;
}
