import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { tokens as noun } from '../../../src/contract/fields/tokens.ts';
import { devicePath } from '../../../src/contract/pages.ts';
import { rolesHelp } from '../../../src/contract/roles.ts';
import type { Role } from '../../../src/contract/vocabulary.ts';
import { basePath, client } from '../app/data/client.ts';
import { rolesUpTo } from '../app/session/permissions.ts';
import { useSession } from '../app/session/session.ts';
import { Dialog } from '../form/dialog.tsx';
import { fieldsOf } from '../form/field.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { SecretOnce } from '../form/secret.tsx';
import { CopiedText } from '../parts/copied-text.tsx';
import sheet from '../parts/sheet.module.css';
import { capital } from '../parts/words.ts';

const never = 'never';
const longer = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
];
/** For how many days a token, or a device, may act for its owner. */
const periods = {
  token: [{ value: '7', label: '7 days' }, ...longer, { value: never, label: 'Never' }],
  device: [{ value: '1', label: 'A day' }, ...longer],
};

/** Returns the fields for the rights of a token, which are at most those of its owner. */
export function rightsFields(owner: Role, of: keyof typeof periods) {
  return {
    ...fieldsOf(noun, {
      role: {
        words: rolesUpTo(owner).map((role) => ({ value: role, label: capital(role) })),
        about: `${rolesHelp}. At most your own. If you lose it, so does the token.`,
      },
    }),
    expires_days: { label: 'Expires after', kind: 'word', words: periods[of] },
    read_only: { label: 'Read only', kind: 'flag', about: 'It can read, but change nothing.' },
  } as const;
}

/** What these fields begin with. */
export const startRights = { role: 'user', expires_days: '90', read_only: false };

/** Returns the rights of a form for the API. */
export const rightsOf = ({ role, expires_days: days, read_only }: typeof startRights) => ({
  role: role as Role,
  expires_days: days === never ? null : Number(days),
  read_only,
});

const start = { name: '', ...startRights, is_intake: false };

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
      send={async (set, _seen, key) => {
        const { name, is_intake: isIntake, ...rights } = { ...start, ...set };
        const scope = isIntake ? 'intake' : 'all';
        const input = { name, ...rightsOf(rights), scope } as const;
        const { secret } = await client.call('tokens.create', input, undefined, key);
        return { secret, isIntake };
      }}
      onDone={setMade}
      onCancel={onClose}
    />
  );
}

/** How to use a token. */
function TokenUse({ secret, isIntake, onCopy }: Made & { readonly onCopy: () => void }) {
  const address = `${location.origin}${basePath}`;
  if (isIntake)
    return (
      <p>
        <Link to="/connect">Connect your website</Link> has samples of what it may send.
      </p>
    );
  return (
    <div className={sheet.stack}>
      <p>With curl:</p>
      <CopiedText
        label="Command for curl"
        text={`curl -H "Authorization: Bearer ${secret}" "${address}/api/admin/issues?limit=10"`}
        onCopy={onCopy}
      />
      <p>With the command line of Backoffice:</p>
      <CopiedText
        label="Commands for backoffice"
        text={`export BACKOFFICE_SERVER=${address}\nexport BACKOFFICE_TOKEN=${secret}\nbackoffice issues list`}
        onCopy={onCopy}
      />
    </div>
  );
}

/** How a person signs in from a shell, without copying a token. */
export function ShellHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Sign in from a shell" size="lg">
      <div className={sheet.stack}>
        <p>You need no token for your own shell. Sign in once, and the commands work through this server:</p>
        <CopiedText label="Command to sign in" text={`backoffice login ${location.origin}${basePath}`} />
        <p>
          It shows a code and opens <Link to={devicePath}>the page that approves it</Link>. There you choose
          its rights and for how long. The token that it gets is listed here, and can be revoked like any
          other.
        </p>
        <CopiedText label="Command to sign out" text="backoffice logout" />
      </div>
    </Dialog>
  );
}
