import type { OperationId } from './registry.ts';

interface Page {
  readonly path: string;
  readonly title: string;
  /** The operation without which the page has nothing to show. */
  readonly needs: OperationId;
}

/** The pages of the web dashboard, in the order of its navigation. The server answers their paths, and links lead to them. */
export const pages = {
  overview: { path: '/', title: 'Overview', needs: 'issues.list' },
  issues: { path: '/issues', title: 'Issues', needs: 'issues.list' },
  charts: { path: '/charts', title: 'Charts', needs: 'issues.trend' },
  conversations: { path: '/conversations', title: 'Conversations', needs: 'conversations.list' },
  savedReplies: { path: '/saved-replies', title: 'Saved replies', needs: 'savedReplies.list' },
  usage: { path: '/usage', title: 'Usage', needs: 'settings.show' },
  scraping: { path: '/scraping', title: 'Scraping', needs: 'scrapingRuns.list' },
  connect: { path: '/connect', title: 'Connect', needs: 'connect.show' },
  settings: { path: '/settings', title: 'Settings', needs: 'settings.show' },
  admins: { path: '/admins', title: 'Admins', needs: 'admins.list' },
  audit: { path: '/audit', title: 'Audit', needs: 'audit.list' },
  webhooks: { path: '/webhooks', title: 'Webhooks', needs: 'webhooks.list' },
  tokens: { path: '/tokens', title: 'Tokens', needs: 'tokens.list' },
  sessions: { path: '/sessions', title: 'Sessions', needs: 'sessions.list' },
  profile: { path: '/profile', title: 'Profile', needs: 'session.show' },
} as const satisfies Readonly<Record<string, Page>>;

export const signInPath = '/sign-in';

/** The page where a person approves a device that wants to sign in (RFC 8628). */
export const devicePath = '/device';

/** The page where an invited person creates the account. The link of the mail leads to it. */
export const invitationPath = '/invitation';

/** The page where a person asks for a new password, or sets one with the link of a mail. */
export const resetPasswordPath = '/reset-password';

export const dashboardPaths: readonly string[] = [
  signInPath,
  devicePath,
  invitationPath,
  resetPasswordPath,
  ...Object.values(pages).map(({ path }) => path),
];
