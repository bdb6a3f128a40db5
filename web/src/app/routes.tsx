import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  devicePath,
  invitationPath,
  pages,
  resetPasswordPath,
  signInPath,
} from '../../../src/contract/pages.ts';
import { firstFilter } from '../kit/view-queries.ts';
import { PageError, PageNotFound } from '../parts/note.tsx';
import { parseSearch, stringifySearch } from './addresses/search-params.ts';
import * as searches from './addresses/searches.ts';
import { basePath } from './data/client.ts';
import { queryClient } from './data/query-client.ts';
import { lastKnownSession, sessionQuery } from './session/session.ts';
import { Shell } from './shell/shell.tsx';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet });

const outside = { getParentRoute: () => root };

/** The pages behind the sign-in, which leads back to where one wanted to go. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  async beforeLoad({ context, location }) {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (session === null) {
      const why = lastKnownSession() === null ? undefined : 'ended';
      throw redirect({ to: signInPath, search: { back: location.href, why } });
    }
    const isProfile = location.pathname === pages.profile.path;
    // Nothing else answers before the account has the second factor that it needs.
    if (session.isLimited && !isProfile) throw redirect({ to: pages.profile.path, search: {} });
  },
});

/**
 * Returns what a page behind the sign-in has: its path, and a component in a file that is loaded when one goes there. The type
 * of the component says nothing of what it returns, which depends on the type of the routes.
 */
const page = <Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Record<Name, () => void>>,
  name: Name,
) => ({
  getParentRoute: () => signedIn,
  path,
  component: lazyRouteComponent(load as () => Promise<Record<Name, () => ReactNode>>, name),
});

const pagesOutside = [
  createRoute({
    ...page(signInPath, () => import('../session/sign-in-page.tsx'), 'SignInPage'),
    ...outside,
    validateSearch: searches.signInSearch,
  }),
  createRoute({
    ...page(invitationPath, () => import('../account-links/link-pages.tsx'), 'InvitationPage'),
    ...outside,
  }),
  createRoute({
    ...page(resetPasswordPath, () => import('../account-links/link-pages.tsx'), 'ResetPasswordPage'),
    ...outside,
  }),
] as const;

const pagesInside = [
  createRoute(page(pages.overview.path, () => import('../overview/overview-page.tsx'), 'OverviewPage')),
  createRoute({
    ...page(pages.issues.path, () => import('../issues/issues-page.tsx'), 'IssuesPage'),
    validateSearch: searches.issueSearch,
    async beforeLoad({ search }) {
      if (Object.values(search).some((value) => value !== undefined)) return;
      throw redirect({
        to: pages.issues.path,
        search: await firstFilter('issues', searches.unresolved),
        replace: true,
      });
    },
  }),
  createRoute({
    ...page(pages.charts.path, () => import('../charts/charts-page.tsx'), 'ChartsPage'),
    validateSearch: searches.chartSearch,
  }),
  createRoute({
    ...page(
      pages.conversations.path,
      () => import('../conversations/conversations-page.tsx'),
      'ConversationsPage',
    ),
    validateSearch: searches.conversationSearch,
    beforeLoad({ search }) {
      // Old links lead to what once was a dialog of this page.
      if (search.show === 'saved-replies') throw redirect({ to: '/saved-replies' });
    },
  }),
  createRoute({
    ...page(
      pages.savedReplies.path,
      () => import('../saved-replies/saved-replies-page.tsx'),
      'SavedRepliesPage',
    ),
    validateSearch: searches.savedReplySearch,
  }),
  createRoute(page(pages.connect.path, () => import('../connect/connect-page.tsx'), 'ConnectPage')),
  createRoute({
    ...page(pages.settings.path, () => import('../settings/settings-page.tsx'), 'SettingsPage'),
    validateSearch: searches.settingSearch,
  }),
  createRoute({
    ...page(pages.usage.path, () => import('../usage/usage-page.tsx'), 'UsagePage'),
    validateSearch: searches.usageSearch,
    beforeLoad({ search: { edit, model } }) {
      if (edit)
        throw redirect({
          to: pages.settings.path,
          search: searches.formAddress(edit, model),
          replace: true,
        });
    },
  }),
  createRoute({
    ...page(pages.scraping.path, () => import('../scraping/scraping-page.tsx'), 'ScrapingPage'),
    validateSearch: searches.scrapingSearch,
  }),
  createRoute({
    ...page(pages.audit.path, () => import('../audit/audit-page.tsx'), 'AuditPage'),
    validateSearch: searches.auditSearch,
  }),
  createRoute({
    ...page(pages.webhooks.path, () => import('../webhooks/webhooks-page.tsx'), 'WebhooksPage'),
    validateSearch: searches.webhookSearch,
  }),
  createRoute({
    ...page(pages.tokens.path, () => import('../tokens/tokens-page.tsx'), 'TokensPage'),
    validateSearch: searches.tokenSearch,
  }),
  createRoute({
    ...page(devicePath, () => import('../device/device-page.tsx'), 'DevicePage'),
    validateSearch: searches.deviceSearch,
  }),
  createRoute({
    ...page(pages.admins.path, () => import('../admins/admins-page.tsx'), 'AdminsPage'),
    validateSearch: searches.adminSearch,
  }),
  createRoute({
    ...page(pages.sessions.path, () => import('../sessions/sessions-page.tsx'), 'SessionsPage'),
    validateSearch: searches.sessionSearch,
  }),
  createRoute({
    ...page(pages.profile.path, () => import('../profile/profile-page.tsx'), 'ProfilePage'),
    validateSearch: searches.profileSearch,
  }),
  createRoute({ getParentRoute: () => signedIn, path: '$', component: PageNotFound }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([...pagesOutside, signedIn.addChildren(pagesInside)]),
  basepath: basePath || '/',
  context: { queryClient },
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: PageNotFound,
  parseSearch,
  stringifySearch,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
