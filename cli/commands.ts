import type { LoadProgram } from './completion/answer.ts';
import type { Noun, Verb } from './verb/verb.ts';

/** A noun or a verb of the program. Each is loaded only when needed. */
export interface TopLevel {
  readonly about: string;
  /** @param loadProgram - returns the program with the commands that a line needs, for completion */
  readonly load: (loadProgram: LoadProgram) => Promise<Noun | Verb>;
}

/** The commands under their headings in `backoffice --help`. */
export const groups: Readonly<Record<string, Readonly<Record<string, TopLevel>>>> = {
  'Dashboard:': {
    dashboard: {
      about: 'open the dashboard in this terminal',
      load: async () => (await import('./operate/dashboard.ts')).dashboard,
    },
  },
  'Data:': {
    issues: {
      about: 'list, report and manage issues',
      load: async () => (await import('./nouns/issues.ts')).issues,
    },
    conversations: {
      about: 'read and answer messages from visitors',
      load: async () => (await import('./nouns/conversations.ts')).conversations,
    },
    changes: {
      about: 'undo changes of issues and conversations',
      load: async () => (await import('./nouns/changes.ts')).changes,
    },
    labels: {
      about: 'list, rename and delete the labels of issues and conversations',
      load: async () => (await import('./nouns/labels.ts')).labels,
    },
    comments: {
      about: 'comment on issues and conversations, within the team',
      load: async () => (await import('./nouns/comments.ts')).comments,
    },
    'saved-replies': {
      about: 'manage texts that the team often sends',
      load: async () => (await import('./nouns/saved-replies.ts')).savedReplies,
    },
    views: {
      about: 'save filters, orders and columns of lists under names',
      load: async () => (await import('./nouns/views.ts')).views,
    },
    settings: {
      about: 'read and change the settings',
      load: async () => (await import('./nouns/settings.ts')).settings,
    },
    admins: {
      about: 'manage admin accounts',
      load: async () => (await import('./nouns/admins.ts')).admins,
    },
    usage: {
      about: 'see the usage of AI tokens, its cost and its budgets',
      load: async () => (await import('./nouns/usage.ts')).usage,
    },
    scraping: {
      about: 'see and record scraping runs',
      load: async () => (await import('./nouns/scraping.ts')).scraping,
    },
    connect: {
      about: 'connect your website: what to do, and what it has sent so far',
      load: async () => (await import('./nouns/connect.ts')).connect,
    },
    visitors: {
      about: "export or erase a visitor's data",
      load: async () => (await import('./nouns/visitors.ts')).visitors,
    },
    mail: {
      about: 'take in mails of visitors, and test the mail servers',
      load: async () => (await import('./nouns/mail.ts')).mail,
    },
  },
  'Access:': {
    login: {
      about: 'sign in to a server; later commands run there',
      load: async () => (await import('./nouns/login.ts')).login,
    },
    logout: {
      about: 'sign out of a server, and revoke the token for it',
      load: async () => (await import('./nouns/login.ts')).logout,
    },
    whoami: {
      about: 'show who commands run as, and where',
      load: async () => (await import('./nouns/login.ts')).whoami,
    },
    context: {
      about: 'choose the server that commands use, or the local database',
      load: async () => (await import('./nouns/context.ts')).contexts,
    },
    sessions: {
      about: 'list sign-in sessions and end them',
      load: async () => (await import('./nouns/sessions.ts')).sessions,
    },
    invitations: {
      about: 'list open invitations and revoke them',
      load: async () => (await import('./nouns/invitations.ts')).invitations,
    },
    tokens: {
      about: 'manage API tokens for scripts',
      load: async () => (await import('./nouns/tokens.ts')).tokens,
    },
    secrets: {
      about: 'encrypt the stored secrets with a new key',
      load: async () => (await import('./operate/secrets.ts')).secrets,
    },
    audit: {
      about: 'see who changed what, when and from where',
      load: async () => (await import('./nouns/audit.ts')).audit,
    },
    events: {
      about: 'follow events as they happen',
      load: async () => (await import('./nouns/events.ts')).events,
    },
    mcp: {
      about: 'serve an AI agent over standard input and output, by the Model Context Protocol',
      load: async () => (await import('./operate/mcp.ts')).mcp,
    },
    api: {
      about: 'call any operation of the API and print its JSON',
      load: async () => (await import('./nouns/api.ts')).api,
    },
    webhooks: {
      about: 'send events to other services',
      load: async () => (await import('./nouns/webhooks.ts')).webhooks,
    },
  },
  'Operation:': {
    up: {
      about: 'start everything: the database, its schema, a first admin and the API',
      load: async () => (await import('./operate/service.ts')).up,
    },
    serve: {
      about: 'serve the API on a database that is already migrated',
      load: async () => (await import('./operate/service.ts')).serve,
    },
    migrate: {
      about: 'apply database migrations',
      load: async () => (await import('./operate/migrate.ts')).migrate,
    },
    backup: {
      about: 'write all data, as it is at one moment, into a file',
      load: async () => (await import('./operate/backup.ts')).backup,
    },
    restore: {
      about: 'fill an empty database with a backup',
      load: async () => (await import('./operate/restore.ts')).restore,
    },
    seed: {
      about: 'fill an empty database with realistic example data',
      load: async () => (await import('./operate/seed.ts')).seed,
    },
    recompute: {
      about: 'recompute counts, previews and sums that are kept beside their rows, then check them',
      load: async () => (await import('./operate/recompute.ts')).recompute,
    },
    doctor: {
      about: 'check Node, configuration, database, schema, clock and disk, and say how to fix problems',
      load: async () => (await import('./doctor/doctor.ts')).doctor,
    },
    version: {
      about: 'show the version of this program and the commit that it was built from',
      load: async () => (await import('./operate/service.ts')).version,
    },
    openapi: {
      about: 'print the OpenAPI document of the API',
      load: async () => (await import('./operate/service.ts')).openapi,
    },
    completion: {
      about: 'print the script that lets a shell complete commands and values',
      load: async (loadProgram) => (await import('./completion/completion.ts')).completionOf(loadProgram),
    },
  },
};
