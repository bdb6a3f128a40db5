import { useState } from 'react';
import { admins as noun } from '../../../src/contract/fields/admins.ts';
import { lenientRoles, rolesHelp } from '../../../src/contract/roles.ts';
import { type Role, roles } from '../../../src/contract/vocabulary.ts';
import { client } from '../app/data/client.ts';
import { rolesUpTo } from '../app/session/permissions.ts';
import { type Session, useSession } from '../app/session/session.ts';
import { askAgain } from '../app/session/session-end.ts';
import { Dialog } from '../form/dialog.tsx';
import { type Field, fieldsOf, ownPassword } from '../form/field.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { SecretOnce } from '../form/secret.tsx';
import { RowDialog } from '../kit/edit-dialog.tsx';
import { useList } from '../kit/list.ts';
import type { Action } from '../kit/rows.ts';
import { Table } from '../kit/table.tsx';
import { formOfRow } from '../kit/use-change.ts';
import { Note } from '../parts/note.tsx';
import { Section } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { tell } from '../parts/tell.tsx';
import { capital, counted } from '../parts/words.ts';
import { limitsOf } from './admin-actions.tsx';
import { type Admin, admins, type Invitation, invitations } from './admin-resource.tsx';

interface DialogProps {
  readonly onClose: () => void;
}

/** Changes an admin, who may have been deleted since the list was loaded. */
export function EditAdmin({ id, onClose }: DialogProps & { readonly id: string }) {
  return (
    <RowDialog of={admins} id={id} onClose={onClose}>
      {(admin) => <EditForm admin={admin} onClose={onClose} />}
    </RowDialog>
  );
}

function EditForm({ admin, onClose }: DialogProps & { readonly admin: Admin }) {
  const session = useSession();
  const { above, email, role } = limitsOf(session, admin);
  if (above !== undefined)
    return (
      <Dialog title={admin.email} onClose={onClose}>
        <Note title="You may not change this admin">{above}</Note>
      </Dialog>
    );
  const isSelf = admin.id === session.admin.id;
  const fields = fieldsOf(noun, {
    username: { label: 'Name' },
    email: {
      kind: 'email',
      about: email ?? 'A new e-mail signs them out everywhere.',
      isFixed: email !== undefined,
      isRequired: false,
    },
    role: {
      about: role ?? `A new role signs them out everywhere. ${rolesHelp}.`,
      isFixed: role !== undefined,
    },
  });
  const about = 'Needed for a new e-mail only.';
  const proof: Readonly<Record<string, Field>> =
    isSelf && session.rules.strict_roles
      ? { current_password: { ...ownPassword, label: 'Your current password', about } }
      : {};
  const row = { ...admin, current_password: '' };
  const { send, ...form } = formOfRow(admins, row, { ...fields, ...proof });
  return (
    <FormDialog
      {...form}
      title={`Edit ${admin.email}`}
      at={['edit']}
      send={async (set, expected) => {
        await send(set, expected);
        if (isSelf) await askAgain();
        tell(`${admin.email} was changed.`);
      }}
      onCancel={onClose}
    />
  );
}

/** Removes all second factors of an admin who has lost them. */
export function ResetFactors({ admin, onClose }: DialogProps & { readonly admin: Admin }) {
  const { id, email, sign_in: signIn } = admin;
  const count = counted(signIn?.factors ?? 0, 'second factor');
  return (
    <FormDialog
      title={`Reset the second factor of ${email}?`}
      action="Reset"
      isDangerous
      text={`${count} and all recovery codes of this account are removed, and it is signed out everywhere. Make sure that the owner of the account has asked for this.`}
      fields={{ password: { ...ownPassword, label: 'Your own password', isRequired: true } }}
      start={{ password: '' }}
      send={async ({ password = '' }) => {
        const { removed } = await client.call('factors.reset', { id, password });
        tell(`${counted(removed, 'second factor')} of ${email} removed.`);
        await admins.refresh([id]);
      }}
      onCancel={onClose}
    />
  );
}

/** Returns the roles that the signed-in admin may give to a new account. */
const rolesToGive = ({ admin, rules }: Session) => (rules.strict_roles ? rolesUpTo(admin.role) : roles);

/** Invites, by mail or with a link to pass on. Resolves with that link. */
async function invite(email: string, role: Role) {
  const { invitation, link } = await client.call('invitations.create', { email, role });
  await invitations.reload();
  return link === null ? undefined : { email: invitation.email, link };
}

type Link = NonNullable<Awaited<ReturnType<typeof invite>>>;

/** Shows the link of an invitation that was not sent by mail. */
function LinkDialog({ email, link, onClose }: DialogProps & Link) {
  return (
    <SecretOnce title={`Invitation for ${email}`} label="Link" secret={link} onClose={onClose}>
      <p>Pass it on to {email} in a way that nobody else reads. It works once, for 7 days.</p>
    </SecretOnce>
  );
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

/** The invitations that nobody has accepted yet. */
export function Invitations() {
  const session = useSession();
  const list = useList(invitations, {});
  const [link, setLink] = useState<Link>();
  return (
    <div className={sheet.below}>
      <Section isPlain title="Invitations">
        <Table
          isInline
          list={list}
          actions={actionsFor(session, setLink)}
          nameOf={({ email }) => email}
          empty={{ title: 'No invitations' }}
        />
        {link && <LinkDialog {...link} onClose={() => setLink(undefined)} />}
      </Section>
    </div>
  );
}

/** Invites somebody, by mail or with a link to pass on. */
export function InviteAdmin({ onClose }: DialogProps) {
  const session = useSession();
  const { sends_mail: sendsMail, strict_roles: isStrict } = session.rules;
  const [link, setLink] = useState<Link>();
  if (link) return <LinkDialog {...link} onClose={onClose} />;
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
