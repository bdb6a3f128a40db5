import {
  Alert,
  Button,
  type ButtonProps,
  type MantineColorScheme,
  SegmentedControl,
  useMantineColorScheme,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { ProfileSearch } from '../app/addresses/searches.ts';
import { client } from '../app/data/client.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useSession } from '../app/session/session.ts';
import { themes } from '../app/theme/theme.ts';
import { confirm } from '../form/confirm.tsx';
import { useGo } from '../kit/go.ts';
import { useList } from '../kit/list.ts';
import type { Action } from '../kit/rows.ts';
import { Table } from '../kit/table.tsx';
import { GuardedButton } from '../parts/buttons.tsx';
import { Facts } from '../parts/entries.tsx';
import { Page, PageContent, Section } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { counted } from '../parts/words.ts';
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

const route = getRouteApi('/signed-in/profile');

/** One's own account: who one is, how one signs in, and where one is signed in. */
export function ProfilePage() {
  const { dialog } = route.useSearch();
  const { admin, isLimited } = useSession();
  return (
    <Page title="Profile">
      <PageContent className={sheet.column}>
        {isLimited ? (
          <Alert color="blue" title="Set up a second factor to go on">
            Accounts with the role {admin.role} need one. Everything else opens once you have added it below.
          </Alert>
        ) : (
          <>
            <Section title="Account" bar={<Opener dialog="account">Edit account</Opener>}>
              <Facts facts={{ Name: admin.username, 'E-mail': admin.email, Role: admin.role }} />
            </Section>
            <Section
              title="Password"
              text="Changing it ends all of your other sessions."
              bar={<Opener dialog="password">Change password</Opener>}
            />
          </>
        )}
        <Factors />
        {!isLimited && <Below />}
      </PageContent>
      {dialog && <ProfileDialog key={dialog} dialog={dialog} />}
    </Page>
  );
}

interface OpenerProps extends ButtonProps {
  readonly dialog: ProfileSearch['dialog'];
  readonly children: string;
}

/** Opens a dialog, which is in the address. */
function Opener({ dialog, ...props }: OpenerProps) {
  const go = useGo();
  return <Button variant="default" {...props} onClick={() => go({ dialog })} />;
}

/** One's own second factors and recovery codes. */
function Factors() {
  const { admin } = useSession();
  const go = useGo();
  const list = useList(factors, {});
  const { data } = useQuery({ ...factorsQuery, enabled: false });
  const [removed, setRemoved] = useState<Factor>();
  const actions = [{ label: 'Remove…', isDangerous: true, run: setRemoved }];
  const left = data?.recovery_codes_left ?? 0;
  return (
    <Section
      title="Second factor"
      text={asksOf(admin.role)[data?.second_factor ?? 'optional']}
      bar={
        <>
          <Opener dialog="app">Add authenticator app</Opener>
          <GuardedButton
            variant="default"
            reason={
              'PublicKeyCredential' in window
                ? undefined
                : 'Passkeys need HTTPS or localhost, and a browser that supports them.'
            }
            onClick={() => go({ dialog: 'passkey' })}
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
          <Opener dialog="codes" size="compact-sm">
            Replace recovery codes
          </Opener>
        </div>
      )}
      {removed && <RemoveFactor factor={removed} onClose={() => setRemoved(undefined)} />}
    </Section>
  );
}

/** Returns what the service asks of the role. */
const asksOf = (role: string) => ({
  required: `Accounts with the role ${role} need one at each sign-in.`,
  off: 'Sign-ins do not ask for one now: second factors are switched off for your role.',
  optional: 'Asked for at each sign-in, once you have added one.',
});

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

const endOthers = (others: string) =>
  confirm({
    title: `End ${others}?`,
    text: 'You stay signed in here. What is not saved elsewhere may be lost.',
    action: 'End other sessions',
    run: () => client.call('sessions.revokeOwn', { others: '1' }).then(ownSessions.reload),
  });

/** What is below the factors: where one is signed in, and how it looks. It waits for what is above it, so that nothing moves. */
function Below() {
  const { isPending } = useList(factors, {});
  const list = useList(ownSessions, {});
  const others = list.rows.length - 1;
  if (isPending) return null;
  return (
    <>
      <Section
        title="Sessions"
        text="Where you are signed in. End what you do not recognize, and change your password."
        bar={
          others > 0 && (
            <Button variant="default" onClick={() => void endOthers(counted(others, 'other session'))}>
              End all others
            </Button>
          )
        }
      >
        <Table
          isInline
          list={list}
          nameOf={({ device, address }) => `${device || 'the session'} at ${address || 'an unknown address'}`}
          actions={sessionActions}
          empty={{ title: 'None' }}
        />
      </Section>
      {!list.isPending && <Theme />}
    </>
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
          data={Object.entries(themes).map(([value, label]) => ({ value, label }))}
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
        />
      }
    />
  );
}
