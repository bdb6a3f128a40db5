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
import { parseSearch, type RawSearch, stringifySearch } from './addresses/search-params.ts';
import * as searches from './addresses/searches.ts';
import { basePath } from './data/client.ts';
import { queryClient } from './data/query-client.ts';
import { lastKnownSession, sessionQuery } from './session/session.ts';
import { Shell } from './shell/shell.tsx';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet });

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

/** Returns a component whose file is loaded when one goes there. What it returns depends on the type of the routes. */
const loaded = <Name extends string>(load: () => Promise<Record<Name, () => void>>, name: Name) =>
  lazyRouteComponent(load as () => Promise<Record<Name, () => ReactNode>>, name);

/** Returns the route of a page behind the sign-in. */
const page = <Key extends keyof typeof pages, Name extends string, Search>(
  key: Key,
  load: () => Promise<Record<Name, () => void>>,
  name: Name,
  validateSearch: (search: RawSearch) => Search,
) => {
  const path: (typeof pages)[Key]['path'] = pages[key].path;
  return createRoute({ getParentRoute: () => signedIn, path, component: loaded(load, name), validateSearch });
};

const pagesOutside = [
  createRoute({
    getParentRoute: () => root,
    path: signInPath,
    component: loaded(() => import('../session/sign-in-page.tsx'), 'SignInPage'),
    validateSearch: searches.signInSearch,
  }),
  createRoute({
    getParentRoute: () => root,
    path: invitationPath,
    component: loaded(() => import('../account-links/link-pages.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: resetPasswordPath,
    component: loaded(() => import('../account-links/link-pages.tsx'), 'ResetPasswordPage'),
  }),
] as const;

const isEmpty = (search: object) => Object.values(search).every((value) => value === undefined);

/** The pages whose addresses may lead to other ones. An address without a filter opens the view that the admin has put first. */
const pagesThatLeadOn = [
  createRoute({
    getParentRoute: () => signedIn,
    path: pages.issues.path,
    component: loaded(() => import('../issues/issues-page.tsx'), 'IssuesPage'),
    validateSearch: searches.issueSearch,
    async beforeLoad({ search }) {
      if (!isEmpty(search)) return;
      const filter = await firstFilter('issues', searches.unresolved);
      throw redirect({ to: pages.issues.path, search: filter, replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: pages.conversations.path,
    component: loaded(() => import('../conversations/conversations-page.tsx'), 'ConversationsPage'),
    validateSearch: searches.conversationSearch,
    async beforeLoad({ search }) {
      // Old links lead to what once was a dialog of this page.
      if (search.show === 'saved-replies') throw redirect({ to: '/saved-replies' });
      if (!isEmpty(search)) return;
      const filter = searches.conversationSearch(await firstFilter('conversations', {}));
      if (!isEmpty(filter)) throw redirect({ to: pages.conversations.path, search: filter, replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: pages.usage.path,
    component: loaded(() => import('../usage/usage-page.tsx'), 'UsagePage'),
    validateSearch: searches.usageSearch,
    beforeLoad({ search: { edit, model } }) {
      if (!edit) return;
      const search = searches.formAddress(edit, model);
      throw redirect({ to: pages.settings.path, search, replace: true });
    },
  }),
] as const;

const pagesInside = [
  page('overview', () => import('../overview/overview-page.tsx'), 'OverviewPage', searches.noSearch),
  page('charts', () => import('../charts/charts-page.tsx'), 'ChartsPage', searches.chartSearch),
  page(
    'savedReplies',
    () => import('../saved-replies/saved-replies-page.tsx'),
    'SavedRepliesPage',
    searches.savedReplySearch,
  ),
  page('connect', () => import('../connect/connect-page.tsx'), 'ConnectPage', searches.noSearch),
  page('settings', () => import('../settings/settings-page.tsx'), 'SettingsPage', searches.settingSearch),
  page('scraping', () => import('../scraping/scraping-page.tsx'), 'ScrapingPage', searches.scrapingSearch),
  page('audit', () => import('../audit/audit-page.tsx'), 'AuditPage', searches.auditSearch),
  page('webhooks', () => import('../webhooks/webhooks-page.tsx'), 'WebhooksPage', searches.webhookSearch),
  page('tokens', () => import('../tokens/tokens-page.tsx'), 'TokensPage', searches.tokenSearch),
  page('admins', () => import('../admins/admins-page.tsx'), 'AdminsPage', searches.adminSearch),
  page('sessions', () => import('../sessions/sessions-page.tsx'), 'SessionsPage', searches.sessionSearch),
  page('profile', () => import('../profile/profile-page.tsx'), 'ProfilePage', searches.profileSearch),
  createRoute({
    getParentRoute: () => signedIn,
    path: devicePath,
    component: loaded(() => import('../device/device-page.tsx'), 'DevicePage'),
    validateSearch: searches.deviceSearch,
  }),
  createRoute({ getParentRoute: () => signedIn, path: '$', component: PageNotFound }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([...pagesOutside, signedIn.addChildren([...pagesThatLeadOn, ...pagesInside])]),
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
