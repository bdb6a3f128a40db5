import { useMemo, useState } from 'react';
import { admins as noun } from '../../../src/contract/fields/admins.ts';
import { lenientRoles, rolesHelp } from '../../../src/contract/roles.ts';
import { type Role, roles } from '../../../src/contract/vocabulary.ts';
import { client } from '../app/data/client.ts';
import { rolesUpTo } from '../app/session/permissions.ts';
import { type Session, useSession } from '../app/session/session.ts';
import { fieldsOf } from '../form/field.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { SecretOnce } from '../form/secret.tsx';
import { useList } from '../kit/list.ts';
import type { Action } from '../kit/rows.ts';
import { Table } from '../kit/table.tsx';
import { Section } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { tell } from '../parts/tell.ts';
import { capital } from '../parts/words.ts';
import { type Invitation, invitations } from './admin-resource.tsx';

interface Link {
  readonly email: string;
  readonly link: string;
}

/** Returns the roles that the signed-in admin may give to a new account. */
const rolesToGive = ({ admin, rules }: Session) => (rules.strict_roles ? rolesUpTo(admin.role) : roles);

/** Invites, by mail or with a link to pass on. Resolves with that link. */
async function invite(email: string, role: Role): Promise<Link | undefined> {
  const { invitation, link } = await client.call('invitations.create', { email, role });
  await invitations.reload();
  return link === null ? undefined : { email: invitation.email, link };
}

function actionsFor(session: Session, onLink: (link: Link) => void): readonly Action<Invitation>[] {
  const unless = ({ role }: Invitation) =>
    rolesToGive(session).includes(role) ? undefined : 'Only a superadmin may invite a superadmin.';
  return [
    {
      label: session.rules.sends_mail ? 'Send again' : 'Make a new link',
      unless,
      async run({ email, role }) {
        const link = await invite(email, role);
        if (link) onLink(link);
        else tell(`A new link was sent to ${email}. The previous one no longer works.`);
      },
    },
    {
      label: 'Revoke',
      isDangerous: true,
      unless,
      ask: ({ email }) => ({
        title: `Revoke the invitation of ${email}?`,
        text: 'Its link stops working. You can invite them again.',
        action: 'Revoke',
      }),
      run: ({ id }) => client.call('invitations.revoke', { id }),
    },
  ];
}

const nothing = {};

/** The invitations that nobody has accepted yet. */
export function Invitations() {
  const session = useSession();
  const list = useList(invitations, nothing);
  const [link, setLink] = useState<Link>();
  const actions = useMemo(() => actionsFor(session, setLink), [session]);
  return (
    <div className={sheet.below}>
      <Section isPlain title="Invitations">
        <Table
          isInline
          list={list}
          actions={actions}
          nameOf={({ email }) => email}
          empty={{ title: 'No invitations' }}
        />
        {link && <InvitationLink {...link} onClose={() => setLink(undefined)} />}
      </Section>
    </div>
  );
}

/** Shows the link of an invitation that was not sent by mail. */
function InvitationLink({ email, link, onClose }: Link & { readonly onClose: () => void }) {
  return (
    <SecretOnce title={`Invitation for ${email}`} label="Link" secret={link} onClose={onClose}>
      <p>Pass it on to {email} in a way that nobody else reads. It works once, for 7 days.</p>
    </SecretOnce>
  );
}

/** Invites somebody, by mail or with a link to pass on. */
export function InviteAdmin({ onClose }: { readonly onClose: () => void }) {
  const session = useSession();
  const { sends_mail: sendsMail, strict_roles: isStrict } = session.rules;
  const [link, setLink] = useState<Link>();
  if (link) return <InvitationLink {...link} onClose={onClose} />;
  return (
    <FormDialog
      title="Invite"
      action={sendsMail ? 'Send invitation' : 'Create link'}
      fields={fieldsOf(noun, {
        email: {
          kind: 'email',
          about: sendsMail
            ? 'They get a link to choose their password. It works once, for 7 days.'
            : 'You get a link to pass on: this service sends no mails. It works once, for 7 days.',
        },
        role: {
          words: rolesToGive(session).map((role) => ({ value: role, label: capital(role) })),
          about: isStrict ? `${rolesHelp}.` : `${rolesHelp}. ${lenientRoles}`,
        },
      })}
      start={{ email: '', role: 'user' }}
      at={['dialog']}
      send={({ email = '', role }) => invite(email, role as Role)}
      onDone={(made) => {
        if (made) return setLink(made);
        tell('The invitation was sent.');
        onClose();
      }}
      onCancel={onClose}
    />
  );
}
