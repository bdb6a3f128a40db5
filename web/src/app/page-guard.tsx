import { operations } from 'virtual:operations';
import { Outlet, useChildMatches, useNavigate } from '@tanstack/react-router';
import { pages } from '../../../src/contract/pages.ts';
import type { Role } from '../../../src/contract/vocabulary.ts';
import { Note } from '../parts/note.tsx';
import { Page } from '../parts/page/page.tsx';
import { useMay } from './session/permissions.ts';

/** Shows the page of the address, or says who may see it. */
export function PageGuard() {
  // Not the address, which changes before the page does.
  const path = useChildMatches({ select: ([match]) => match?.fullPath });
  const may = useMay();
  const page = Object.values(pages).find((known) => known.path === path);
  if (page === undefined || may(page.needs)) return <Outlet />;
  return <NoPermission title={page.title} roles={operations[page.needs].roles} />;
}

interface NoPermissionProps {
  readonly title: string;
  readonly roles: readonly Role[];
}

function NoPermission({ title, roles }: NoPermissionProps) {
  const navigate = useNavigate();
  const who = new Intl.ListFormat('en').format(roles.map((role) => `${role}s`));
  return (
    <Page title={title}>
      <Note
        title={`You may not see ${title}`}
        action={{ label: 'Go to the overview', run: () => void navigate({ to: '/' }) }}
      >
        Only {who} can. Ask one of them for what you need, or for another role.
      </Note>
    </Page>
  );
}
