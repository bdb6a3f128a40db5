import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { adminFilter } from '../app/addresses/searches.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { refusalOf, useMay } from '../app/session/permissions.ts';
import { useSession } from '../app/session/session.ts';
import { Filters } from '../kit/filters.tsx';
import { useGo } from '../kit/go.ts';
import { useList } from '../kit/list.ts';
import { Table } from '../kit/table.tsx';
import { GuardedButton } from '../parts/buttons.tsx';
import { Page } from '../parts/page.tsx';
import { actionsOf } from './admin-actions.tsx';
import { type Admin, admins, invitations, managerColumns } from './admin-resource.tsx';

const Invitations = lazyPart(() => import('./admin-dialogs.tsx'), 'Invitations');
const InviteAdmin = lazyPart(() => import('./admin-dialogs.tsx'), 'InviteAdmin');
const EditAdmin = lazyPart(() => import('./admin-dialogs.tsx'), 'EditAdmin');
const ResetFactors = lazyPart(() => import('./admin-dialogs.tsx'), 'ResetFactors');

const route = getRouteApi('/signed-in/admins');

/** Lists who may sign in, and who is invited. */
export function AdminsPage() {
  const { dialog, edit, ...search } = route.useSearch();
  const list = useList(admins, adminFilter(search));
  const session = useSession();
  const isManager = useMay()('sessions.list');
  const [resetting, setResetting] = useState<Admin>();
  const invited = useInfiniteQuery({ ...invitations.listQuery({}), enabled: isManager });
  const go = useGo();
  const close = () => go({ dialog: undefined, edit: undefined });
  return (
    <Page
      title="Admins"
      action={
        <GuardedButton
          reason={isManager ? undefined : refusalOf('invitations.create')}
          onClick={() => go({ dialog: 'invite' })}
        >
          Invite
        </GuardedButton>
      }
      bar={<Filters list={list} />}
    >
      <Table
        list={list}
        href={({ id }) => ({ edit: id })}
        current={edit}
        actions={actionsOf(session, setResetting)}
        {...(isManager && { columns: managerColumns })}
        nameOf={({ email }) => email}
        empty={{ title: 'No admins' }}
      />
      {(invited.data?.pages[0]?.rows.length ?? 0) > 0 && <Invitations />}
      {isManager && dialog === 'invite' && <InviteAdmin onClose={close} />}
      {edit !== undefined && <EditAdmin key={edit} id={edit} onClose={close} />}
      {resetting && <ResetFactors admin={resetting} onClose={() => setResetting(undefined)} />}
    </Page>
  );
}
