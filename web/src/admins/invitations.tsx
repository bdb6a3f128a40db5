import { useMutation, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { client } from '../app/data/client.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useSession } from '../app/session/session.ts';
import { confirm } from '../form/confirm.tsx';
import { Section } from '../parts/page/section.tsx';
import { type ShortColumn, ShortTable } from '../parts/table/short-table.tsx';
import { timeColumn } from '../parts/table/time-column.tsx';
import { tell, tellError } from '../parts/tell.ts';
import { type Invitation, invitationsQuery, reloadAdmins } from './admin-queries.ts';
import { rolesToGive } from './admin-rules.ts';

const InvitationLink = lazyPart(() => import('./invitation-link.tsx'), 'InvitationLink');

const columns: readonly ShortColumn<Invitation>[] = [
  { title: 'Email', phone: 'title', cell: ({ email }) => <span title={email}>{email}</span> },
  { title: 'Role', phone: 'start', width: '120px', cell: ({ role }) => role },
  { title: 'Invited by', phone: 'hidden', cell: ({ invited_by: by }) => <span title={by}>{by}</span> },
  timeColumn({ title: 'Invited', phone: 'hidden', width: '136px', at: ({ created_at }) => created_at }),
  timeColumn({ title: 'Expires', phone: 'end', width: '136px', at: ({ expires_at }) => expires_at }),
];

/** The invitations that nobody has accepted yet. */
export function Invitations() {
  const session = useSession();
  const { data, error, refetch } = useQuery(invitationsQuery);
  const [link, setLink] = useState<{ readonly email: string; readonly link: string }>();
  const resend = useMutation({
    mutationFn: ({ email, role }: Invitation) => client.call('invitations.create', { email, role }),
    onSuccess: ({ invitation: { email }, link }) =>
      link === null
        ? tell(`A new link was sent to ${email}. The one before no longer works.`)
        : setLink({ email, link }),
    onError: tellError,
    onSettled: reloadAdmins,
  });
  // Most of the time there is none.
  if (data === undefined && !error) return null;
  if (data?.length === 0) return null;
  const again = session.rules.sends_mail ? 'Send again' : 'Make a new link';
  return (
    <Section isPlain title="Invitations">
      <ShortTable
        label="Invitations"
        columns={columns}
        rows={data}
        error={error}
        retry={() => void refetch()}
        nameOf={({ email }) => email}
        actions={(invitation) => {
          const reason = rolesToGive(session).includes(invitation.role)
            ? undefined
            : 'Only a superadmin may invite a superadmin.';
          return [
            { label: again, run: () => resend.mutate(invitation), disabled: reason },
            { label: 'Revoke…', run: () => void revoke(invitation), disabled: reason, isDangerous: true },
          ];
        }}
      />
      <Suspense>{link && <InvitationLink {...link} onClose={() => setLink(undefined)} />}</Suspense>
    </Section>
  );
}

async function revoke({ id, email }: Invitation): Promise<void> {
  await confirm({
    title: `Revoke the invitation of ${email}?`,
    text: 'Its link stops working. You can invite them again.',
    action: 'Revoke',
    run: async () => {
      await client.call('invitations.revoke', { id });
      await reloadAdmins();
    },
  });
}
