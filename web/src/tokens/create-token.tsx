import { useState } from 'react';
import { tokens as noun } from '../../../src/contract/fields/tokens.ts';
import { client } from '../app/data/client.ts';
import { useSession } from '../app/session/session.ts';
import { FormDialog } from '../form/edit-dialog.tsx';
import { fieldsOf } from '../form/field.tsx';
import { SecretOnce } from '../form/secret.tsx';
import { tokens } from './token-resource.tsx';
import { rightsFields, rightsOf } from './token-rights.ts';
import { TokenUse } from './token-use.tsx';

const start = { name: '', role: 'user', expires_days: '90', read_only: false, is_intake: false };

interface Made {
  readonly secret: string;
  readonly isIntake: boolean;
}

/** Creates a token, then shows its secret for the only time. */
export function CreateToken({ onClose }: { readonly onClose: () => void }) {
  const [made, setMade] = useState<Made>();
  const { role } = useSession().admin;
  if (made !== undefined)
    return (
      <SecretOnce title="The token was created" label="Secret" secret={made.secret} onClose={onClose}>
        {(onCopy) => <TokenUse {...made} onCopy={onCopy} />}
      </SecretOnce>
    );
  return (
    <FormDialog<typeof start, Made>
      title="Create a token"
      action="Create"
      fields={{
        ...fieldsOf(noun, { name: { about: 'The program that uses it, such as nightly report.' } }),
        ...rightsFields(role, 'token'),
        is_intake: {
          label: 'Only sends data in',
          kind: 'flag',
          about:
            'For a website: issues, messages of visitors, model usage and scraping runs. It reads nothing.',
        },
      }}
      start={start}
      send={async (set) => {
        const { name, is_intake: isIntake, ...rights } = { ...start, ...set };
        const scope = isIntake ? 'intake' : 'all';
        const { secret } = await client.call('tokens.create', { name, ...rightsOf(rights), scope });
        return { secret, isIntake };
      }}
      onDone={(answer) => {
        setMade(answer);
        void tokens.reload();
      }}
      onCancel={onClose}
    />
  );
}
