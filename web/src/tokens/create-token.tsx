import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Role } from '../../../src/contract/vocabulary.ts';
import { client } from '../app/data/client.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { SecretOnce } from '../parts/dialogs/secret-once.tsx';
import { reloadTokens } from './token-queries.ts';
import { type TokenRights, TokenRightsFields } from './token-rights.tsx';
import { TokenUse } from './token-use.tsx';

const never = 'never';

/** For how long a token may be valid. */
const periods = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: never, label: 'Never' },
];

interface TokenForm extends TokenRights {
  readonly name: string;
  readonly isIntake: boolean;
}

/** Creates a token, then shows its secret for the only time. */
export function CreateToken({ onClose }: { readonly onClose: () => void }) {
  const [made, setMade] = useState<{ readonly secret: string; readonly isIntake: boolean }>();
  if (made !== undefined) {
    return (
      <SecretOnce title="The token was created" label="Secret" secret={made.secret} onClose={onClose}>
        {(onCopy) => <TokenUse {...made} onCopy={onCopy} />}
      </SecretOnce>
    );
  }
  return (
    <FormDialog<TokenForm, { readonly secret: string; readonly isIntake: boolean }>
      title="Create a token"
      action="Create"
      initialValues={{ name: '', role: 'user', days: '90', isReadOnly: false, isIntake: false }}
      params={{ expires_days: 'days', read_only: 'isReadOnly' }}
      send={async ({ name, role, days, isReadOnly, isIntake }) => {
        const { secret } = await client.call('tokens.create', {
          name,
          role: role as Role,
          expires_days: days === never ? null : Number(days),
          read_only: isReadOnly,
          scope: isIntake ? 'intake' : 'all',
        });
        return { secret, isIntake };
      }}
      onDone={(answer) => {
        setMade(answer);
        void reloadTokens();
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label="Name"
            description="The program that uses it, such as nightly report."
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
            key={form.key('name')}
          />
          <TokenRightsFields
            form={form}
            periods={periods}
            roleText="At most your own. If you lose it, so does the token."
          />
          <Checkbox
            label="Only sends data in"
            description="For a website: issues, messages of visitors, model usage and scraping runs. It reads nothing."
            {...form.getInputProps('isIntake', { type: 'checkbox' })}
            key={form.key('isIntake')}
          />
        </>
      )}
    </FormDialog>
  );
}
