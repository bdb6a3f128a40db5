import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OutputOf } from '../../../src/contract/registry.ts';
import type { Role } from '../../../src/contract/vocabulary.ts';
import { client } from '../app/data/client.ts';
import { useSession } from '../app/session/session.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { emailInput } from '../parts/inputs/email-input.ts';
import { tell } from '../parts/tell.ts';
import { reloadAdmins } from './admin-queries.ts';
import { InvitationLink } from './invitation-link.tsx';
import { RoleField } from './role-field.tsx';

type Invited = OutputOf<'invitations.create'>;

/** Invites somebody, by mail or with a link to pass on. */
export function InviteAdmin({ onClose }: { readonly onClose: () => void }) {
  const session = useSession();
  const [invited, setInvited] = useState<Invited>();
  if (invited?.link)
    return <InvitationLink email={invited.invitation.email} link={invited.link} onClose={onClose} />;
  return (
    <FormDialog
      title="Invite"
      action={session.rules.sends_mail ? 'Send invitation' : 'Create link'}
      initialValues={{ email: '', role: 'user' as Role }}
      validate={{ email: (text) => (text.trim() === '' ? 'Enter the email.' : null) }}
      send={(values) => client.call('invitations.create', values)}
      onDone={(answer) => {
        void reloadAdmins();
        if (answer.link !== null) return setInvited(answer);
        tell(`The invitation to ${answer.invitation.email} was sent.`);
        onClose();
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label="Email"
            description={
              session.rules.sends_mail
                ? 'They get a link to choose their password. It works once, for 7 days.'
                : 'You get a link to pass on: this service sends no mails. It works once, for 7 days.'
            }
            {...emailInput}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('email')}
            key={form.key('email')}
          />
          <RoleField {...form.getInputProps('role')} key={form.key('role')} />
        </>
      )}
    </FormDialog>
  );
}
