import { Alert, Button, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import type { ProfileSearch } from '../app/addresses/searches.ts';
import { client } from '../app/data/client.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useSession } from '../app/session/session.ts';
import { themes } from '../app/theme/theme.ts';
import { confirm } from '../form/confirm.tsx';
import { useList } from '../kit/list.ts';
import type { Action } from '../kit/rows.ts';
import { Table } from '../kit/table.tsx';
import { Facts } from '../parts/entries.tsx';
import { GuardedButton } from '../parts/guarded-button.tsx';
import { counted } from '../parts/numbers.ts';
import { Page, PageContent, Section } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import {
  type Factor,
  factors,
  factorsQuery,
  nameOf,
  type OwnSession,
  ownSessions,
} from './profile-queries.tsx';

const ProfileDialog = lazyPart(() => import('./profile-dialogs.tsx'), 'ProfileDialog');
const RemoveFactor = lazyPart(() => import('./factor-dialogs.tsx'), 'RemoveFactor');

type Open = (dialog: ProfileSearch['dialog']) => void;

const route = getRouteApi('/signed-in/profile');
const nothing = {};

/** One's own account: who one is, how one signs in, and where one is signed in. */
export function ProfilePage() {
  const { dialog } = route.useSearch();
  const navigate = route.useNavigate();
  const { admin, isLimited } = useSession();
  const open: Open = (next) => void navigate({ search: { dialog: next } });
  return (
    <Page title="Profile">
      <PageContent className={sheet.column}>
        {isLimited ? (
          <Alert color="blue" title="Set up a second factor to go on">
            Accounts with the role {admin.role} need one. Everything else opens once you have added it below.
          </Alert>
        ) : (
          <Account onOpen={open} />
        )}
        <Factors onOpen={open} />
        {!isLimited && <Below />}
      </PageContent>
      <Suspense>
        {dialog && (
          <ProfileDialog key={dialog} dialog={dialog} onClose={() => void navigate({ search: {} })} />
        )}
      </Suspense>
    </Page>
  );
}

/** What is below the factors, once it is known how many there are, so that nothing moves. */
function Below() {
  const { isPending } = useList(factors, nothing);
  const { isPending: areSessionsPending } = useList(ownSessions, nothing);
  return (
    <>
      {!isPending && <OwnSessions />}
      {!isPending && !areSessionsPending && <Theme />}
    </>
  );
}

function Account({ onOpen }: { readonly onOpen: Open }) {
  const { admin } = useSession();
  return (
    <>
      <Section title="Account" bar={<Open label="Edit account" onClick={() => onOpen('account')} />}>
        <Facts
          facts={[
            ['Name', admin.username],
            ['E-mail', admin.email],
            ['Role', admin.role],
          ]}
        />
      </Section>
      <Section
        title="Password"
        text="Changing it ends all of your other sessions."
        bar={<Open label="Change password" onClick={() => onOpen('password')} />}
      />
    </>
  );
}

function Open({ label, onClick }: { readonly label: ReactNode; readonly onClick: () => void }) {
  return (
    <Button variant="default" onClick={onClick}>
      {label}
    </Button>
  );
}

/** One's own second factors and recovery codes. */
function Factors({ onOpen }: { readonly onOpen: Open }) {
  const { admin } = useSession();
  const list = useList(factors, nothing);
  const { data } = useQuery({ ...factorsQuery, enabled: false });
  const [removed, setRemoved] = useState<Factor>();
  const [actions] = useState<readonly Action<Factor>[]>(() => [
    { label: 'Remove…', isDangerous: true, run: setRemoved },
  ]);
  const left = data?.recovery_codes_left ?? 0;
  return (
    <Section
      title="Second factor"
      text={textOf(data?.second_factor, admin.role)}
      bar={
        <>
          <Open label="Add authenticator app" onClick={() => onOpen('app')} />
          <GuardedButton
            variant="default"
            reason={
              'PublicKeyCredential' in window
                ? undefined
                : 'Passkeys need HTTPS or localhost, and a browser that supports them.'
            }
            onClick={() => onOpen('passkey')}
          >
            Add passkey
          </GuardedButton>
        </>
      }
    >
      {list.total === 0 ? (
        <p className={sheet.quiet}>You have none. A stolen password would be enough to sign in as you.</p>
      ) : (
        <Table isInline list={list} nameOf={nameOf} actions={actions} empty={{ title: 'None' }} />
      )}
      {list.rows.length > 0 && data && (
        <div className={sheet.between}>
          <p className={left < 3 ? sheet.warning : sheet.quiet}>
            {left === 0
              ? 'You have no recovery code left. Without your factor, only a superadmin can let you in.'
              : `${counted(left, 'recovery code')} left, for when you do not have your factor.`}
          </p>
          <Button variant="default" size="compact-sm" onClick={() => onOpen('codes')}>
            Replace recovery codes
          </Button>
        </div>
      )}
      <Suspense>
        {removed && (
          <RemoveFactor
            factor={removed}
            isLast={list.rows.length === 1}
            onClose={() => setRemoved(undefined)}
          />
        )}
      </Suspense>
    </Section>
  );
}

/** Says what the service asks of the role. */
function textOf(mode: 'off' | 'optional' | 'required' | undefined, role: string): string {
  if (mode === 'required') return `Accounts with the role ${role} need one at each sign-in.`;
  if (mode === 'off')
    return 'Sign-ins do not ask for one now: second factors are switched off for your role.';
  return 'Asked for at each sign-in, once you have added one.';
}

/* One can sign in again, so that ending a session asks nothing. */
const sessionActions: readonly Action<OwnSession>[] = [
  {
    label: 'End session',
    isDangerous: true,
    unless: ({ is_current: isCurrent }) =>
      isCurrent ? 'This is your current session. Sign out instead.' : undefined,
    run: ({ id }) => client.call('sessions.revokeOwn', { id }),
  },
];

/** Where one is signed in. */
function OwnSessions() {
  const list = useList(ownSessions, nothing);
  const others = list.rows.length - 1;
  async function endOthers(): Promise<void> {
    await confirm({
      title: `End ${counted(others, 'other session')}?`,
      text: 'You stay signed in here. What is not saved elsewhere may be lost.',
      action: 'End other sessions',
      run: async () => {
        await client.call('sessions.revokeOwn', { others: '1' });
        await ownSessions.reload();
      },
    });
  }
  return (
    <Section
      title="Sessions"
      text="Where you are signed in. End what you do not recognize, and change your password."
      bar={others > 0 && <Open label="End all others" onClick={() => void endOthers()} />}
    >
      <Table
        isInline
        list={list}
        nameOf={({ device, address }) => `${device || 'the session'} at ${address || 'an unknown address'}`}
        actions={sessionActions}
        empty={{ title: 'None' }}
      />
    </Section>
  );
}

/** What this browser remembers of how the dashboard looks. */
function Theme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <Section
      title="Theme"
      text="This browser remembers it."
      bar={
        <SegmentedControl
          aria-label="Theme"
          data={themes.map(({ scheme, title }) => ({ value: scheme, label: title }))}
          value={colorScheme}
          onChange={(value) => {
            const theme = themes.find(({ scheme }) => scheme === value);
            if (theme) setColorScheme(theme.scheme);
          }}
        />
      }
    />
  );
}
