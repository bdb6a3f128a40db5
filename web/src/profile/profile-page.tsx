import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { useSession } from '../app/session/session.ts';
import { Facts } from '../parts/facts.tsx';
import { Page, PageContent } from '../parts/page/page.tsx';
import { Section } from '../parts/page/section.tsx';
import { Factors } from './factors.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { Preferences } from './preferences.tsx';
import styles from './profile-page.module.css';
import { factorsQuery, ownSessionsQuery } from './profile-queries.ts';
import type { ProfileSearch } from './profile-search.ts';

const ProfileDialogs = lazyPart(() => import('./profile-dialogs.tsx'), 'ProfileDialogs');

const route = getRouteApi('/signed-in/profile');

/** One's own account: who one is, how one signs in, and where one is signed in. */
export function ProfilePage() {
  const { dialog } = route.useSearch();
  const navigate = route.useNavigate();
  const { admin, isLimited } = useSession();
  const open = (next: ProfileSearch['dialog']) => void navigate({ search: { dialog: next } });
  return (
    <Page title="Profile">
      <PageContent className={styles.content}>
        {isLimited && (
          <Alert color="blue" title="Set up a second factor to go on">
            Accounts with the role {admin.role} need one. Everything else opens once you have added it below.
          </Alert>
        )}
        {!isLimited && (
          <>
            <Section title="Account" bar={<Edit label="Edit account" onClick={() => open('account')} />}>
              <Facts
                facts={[
                  ['Name', admin.username],
                  ['Email', admin.email],
                  ['Role', admin.role],
                ]}
              />
            </Section>
            <Section
              title="Password"
              text="Changing it ends all of your other sessions."
              bar={<Edit label="Change password" onClick={() => open('password')} />}
            />
          </>
        )}
        <Factors onOpen={open} />
        {!isLimited && <Below />}
      </PageContent>
      <Suspense>
        {dialog && (
          <ProfileDialogs key={dialog} dialog={dialog} onClose={() => void navigate({ search: {} })} />
        )}
      </Suspense>
    </Page>
  );
}

/** What is below the factors, once it is known how many there are, so that nothing moves. */
function Below() {
  const factors = useQuery(factorsQuery);
  const sessions = useQuery(ownSessionsQuery);
  return (
    <>
      {!factors.isPending && <OwnSessions />}
      {!factors.isPending && !sessions.isPending && <Preferences />}
    </>
  );
}

function Edit({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <Button variant="default" onClick={onClick}>
      {label}
    </Button>
  );
}
