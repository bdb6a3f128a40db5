import { tokens } from '../../../src/contract/fields/tokens.ts';
import { rolesHelp } from '../../../src/contract/roles.ts';
import type { Role } from '../../../src/contract/vocabulary.ts';
import { rolesUpTo } from '../app/session/permissions.ts';
import { fieldsOf } from '../form/field.tsx';
import { capital } from '../parts/words.ts';

const never = 'never';
/** For how many days a token, or a device, may act for its owner. */
const periods = {
  token: [
    { value: '7', label: '7 days' },
    { value: '30', label: '30 days' },
    { value: '90', label: '90 days' },
    { value: '365', label: 'A year' },
    { value: never, label: 'Never' },
  ],
  device: [
    { value: '1', label: 'A day' },
    { value: '30', label: '30 days' },
    { value: '90', label: '90 days' },
    { value: '365', label: 'A year' },
  ],
};

/** Returns the fields for the rights of a token, which are at most those of its owner. */
export function rightsFields(owner: Role, of: keyof typeof periods) {
  return {
    ...fieldsOf(tokens, {
      role: {
        words: rolesUpTo(owner).map((role) => ({ value: role, label: capital(role) })),
        about: `${rolesHelp}. At most your own. If you lose it, so does the token.`,
      },
    }),
    expires_days: {
      label: 'Expires after',
      kind: 'word',
      words: periods[of],
    },
    read_only: { label: 'Read only', kind: 'flag', about: 'It can read, but change nothing.' },
  } as const;
}

/** What a form has in these fields. */
export interface Rights {
  readonly role: string;
  readonly expires_days: string;
  readonly read_only: boolean;
}

/** Returns the rights of a form for the API. */
export const rightsOf = ({ role, expires_days: days, read_only }: Rights) => ({
  role: role as Role,
  expires_days: days === never ? null : Number(days),
  read_only,
});
