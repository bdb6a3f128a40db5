import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import {
  devicePath,
  invitationPath,
  pages,
  resetPasswordPath,
  signInPath,
} from '../../../src/contract/pages.ts';
import { firstFilter } from '../kit/view-queries.ts';
import { PageError, PageNotFound } from '../parts/page-error.tsx';
import {
  adminSearch,
  auditSearch,
  conversationSearch,
  issueSearch,
  savedReplySearch,
  sessionSearch,
  tokenSearch,
  unresolved,
  webhookSearch,
} from './addresses/lists.ts';
import {
  chartSearch,
  formAddress,
  profileSearch,
  scrapingSearch,
  settingSearch,
  signInSearch,
  usageSearch,
} from './addresses/others.ts';
import { parseSearch, type RawSearch, stringifySearch, textOf } from './addresses/search-params.ts';
import { basePath } from './data/client.ts';
import { queryClient } from './data/query-client.ts';
import { lastKnownSession, sessionQuery } from './session/session.ts';
import { Shell } from './shell/shell.tsx';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: signInPath,
  validateSearch: signInSearch,
  component: lazyRouteComponent(() => import('../session/sign-in-page.tsx'), 'SignInPage'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: invitationPath,
  component: lazyRouteComponent(() => import('../account-links/link-pages.tsx'), 'InvitationPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: resetPasswordPath,
  component: lazyRouteComponent(() => import('../account-links/link-pages.tsx'), 'ResetPasswordPage'),
});

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

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: pages.overview.path,
  component: lazyRouteComponent(() => import('../overview/overview-page.tsx'), 'OverviewPage'),
});

const issues = createRoute({
  getParentRoute: () => signedIn,
  path: pages.issues.path,
  validateSearch: issueSearch,
  async beforeLoad({ search }) {
    if (Object.values(search).some((value) => value !== undefined)) return;
    throw redirect({ to: pages.issues.path, search: await firstFilter('issues', unresolved), replace: true });
  },
  component: lazyRouteComponent(() => import('../issues/issues-page.tsx'), 'IssuesPage'),
});

const charts = createRoute({
  getParentRoute: () => signedIn,
  path: pages.charts.path,
  validateSearch: chartSearch,
  component: lazyRouteComponent(() => import('../charts/charts-page.tsx'), 'ChartsPage'),
});

const conversations = createRoute({
  getParentRoute: () => signedIn,
  path: pages.conversations.path,
  validateSearch: conversationSearch,
  beforeLoad({ search }) {
    // Old links lead to what once was a dialog of this page.
    if (search.show === 'saved-replies') throw redirect({ to: '/saved-replies' });
  },
  component: lazyRouteComponent(() => import('../conversations/conversations-page.tsx'), 'ConversationsPage'),
});

const savedReplies = createRoute({
  getParentRoute: () => signedIn,
  path: pages.savedReplies.path,
  validateSearch: savedReplySearch,
  component: lazyRouteComponent(() => import('../saved-replies/saved-replies-page.tsx'), 'SavedRepliesPage'),
});

const connect = createRoute({
  getParentRoute: () => signedIn,
  path: pages.connect.path,
  component: lazyRouteComponent(() => import('../connect/connect-page.tsx'), 'ConnectPage'),
});

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: pages.settings.path,
  validateSearch: settingSearch,
  component: lazyRouteComponent(() => import('../settings/settings-page.tsx'), 'SettingsPage'),
});

const usage = createRoute({
  getParentRoute: () => signedIn,
  path: pages.usage.path,
  validateSearch: usageSearch,
  beforeLoad({ search: { edit, model } }) {
    if (edit)
      throw redirect({
        to: pages.settings.path,
        search: formAddress(edit, model),
        replace: true,
      });
  },
  component: lazyRouteComponent(() => import('../usage/usage-page.tsx'), 'UsagePage'),
});

const scraping = createRoute({
  getParentRoute: () => signedIn,
  path: pages.scraping.path,
  validateSearch: scrapingSearch,
  component: lazyRouteComponent(() => import('../scraping/scraping-page.tsx'), 'ScrapingPage'),
});

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: pages.audit.path,
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../audit/audit-page.tsx'), 'AuditPage'),
});

const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: pages.webhooks.path,
  validateSearch: webhookSearch,
  component: lazyRouteComponent(() => import('../webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const tokens = createRoute({
  getParentRoute: () => signedIn,
  path: pages.tokens.path,
  validateSearch: tokenSearch,
  component: lazyRouteComponent(() => import('../tokens/tokens-page.tsx'), 'TokensPage'),
});

const device = createRoute({
  getParentRoute: () => signedIn,
  path: devicePath,
  validateSearch: (search: RawSearch): { code?: string | undefined } => ({ code: textOf(search.code) }),
  component: lazyRouteComponent(() => import('../device/device-page.tsx'), 'DevicePage'),
});

const admins = createRoute({
  getParentRoute: () => signedIn,
  path: pages.admins.path,
  validateSearch: adminSearch,
  component: lazyRouteComponent(() => import('../admins/admins-page.tsx'), 'AdminsPage'),
});

const sessions = createRoute({
  getParentRoute: () => signedIn,
  path: pages.sessions.path,
  validateSearch: sessionSearch,
  component: lazyRouteComponent(() => import('../sessions/sessions-page.tsx'), 'SessionsPage'),
});

const profile = createRoute({
  getParentRoute: () => signedIn,
  path: pages.profile.path,
  validateSearch: profileSearch,
  component: lazyRouteComponent(() => import('../profile/profile-page.tsx'), 'ProfilePage'),
});

const unknown = createRoute({ getParentRoute: () => signedIn, path: '$', component: PageNotFound });

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    invitation,
    resetPassword,
    signedIn.addChildren([
      overview,
      issues,
      charts,
      conversations,
      savedReplies,
      usage,
      scraping,
      connect,
      settings,
      admins,
      audit,
      webhooks,
      tokens,
      sessions,
      profile,
      device,
      unknown,
    ]),
  ]),
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
