import { TextInput } from '@mantine/core';
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
}

/** Creates a token, then shows its secret for the only time. */
export function CreateToken({ onClose }: { readonly onClose: () => void }) {
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) {
    return (
      <SecretOnce title="The token was created" label="Secret" secret={secret} onClose={onClose}>
        {(onCopy) => <TokenUse secret={secret} onCopy={onCopy} />}
      </SecretOnce>
    );
  }
  return (
    <FormDialog<TokenForm, { readonly secret: string }>
      title="Create a token"
      action="Create"
      initialValues={{ name: '', role: 'user', days: '90', isReadOnly: false }}
      params={{ expires_days: 'days', read_only: 'isReadOnly' }}
      send={({ name, role, days, isReadOnly }) =>
        client.call('tokens.create', {
          name,
          role: role as Role,
          expires_days: days === never ? null : Number(days),
          read_only: isReadOnly,
        })
      }
      onDone={(answer) => {
        setSecret(answer.secret);
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
        </>
      )}
    </FormDialog>
  );
}
