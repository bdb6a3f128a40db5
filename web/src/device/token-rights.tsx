import { Checkbox, Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { rolesHelp } from '../../../src/contract/roles.ts';
import { rolesUpTo } from '../app/session/permissions.ts';
import { useSession } from '../app/session/session.ts';

/** What a token may do, and for how many days, as a form has it. */
export interface TokenRights {
  readonly role: string;
  readonly days: string;
  readonly isReadOnly: boolean;
}

interface TokenRightsFieldsProps<Values extends TokenRights> {
  readonly form: UseFormReturnType<Values>;
  /** What the days can be. */
  readonly periods: readonly { readonly value: string; readonly label: string }[];
  /** What to know about the role besides what each role may do. */
  readonly roleText?: string;
}

/** The fields for the rights of a token, which are at most those of its owner. */
export function TokenRightsFields<Values extends TokenRights>(props: TokenRightsFieldsProps<Values>) {
  const { form, periods, roleText = '' } = props;
  const { admin } = useSession();
  return (
    <>
      <Select
        label="Role"
        description={`${rolesHelp}. ${roleText}`.trim()}
        data={rolesUpTo(admin.role)}
        allowDeselect={false}
        {...form.getInputProps('role')}
        key={form.key('role')}
      />
      <Select
        label="Expires after"
        data={periods}
        allowDeselect={false}
        {...form.getInputProps('days')}
        key={form.key('days')}
      />
      <Checkbox
        label="Read only"
        description="It can read, but change nothing."
        {...form.getInputProps('isReadOnly', { type: 'checkbox' })}
        key={form.key('isReadOnly')}
      />
    </>
  );
}
