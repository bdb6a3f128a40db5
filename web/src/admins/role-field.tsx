import { Select, type SelectProps } from '@mantine/core';
import { lenientRoles, rolesHelp } from '../../../src/contract/roles.ts';
import { useSession } from '../app/session/session.ts';
import { rolesToGive } from './admin-rules.ts';

/** The field for the role of a new account. */
export function RoleField(props: SelectProps) {
  const session = useSession();
  const description = session.rules.strict_roles ? `${rolesHelp}.` : `${rolesHelp}. ${lenientRoles}`;
  return (
    <Select
      label="Role"
      description={description}
      data={rolesToGive(session)}
      allowDeselect={false}
      {...props}
    />
  );
}
