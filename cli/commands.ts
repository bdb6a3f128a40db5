import type { LoadProgram } from './completion/answer.ts';
import type { Noun, Verb } from './verb/verb.ts';

/**
 * A noun or a verb of the program: its line of help, and its file, which is loaded only when needed. The file exports it
 * under its own name. Completion is made with what returns the program that a line needs.
 */
export type TopLevel = readonly [about: string, load: () => Promise<Readonly<Record<string, unknown>>>];

/** Loads a noun or a verb. */
export async function loadTopLevel(
  name: string,
  [, load]: TopLevel,
  loadProgram: LoadProgram,
): Promise<Noun | Verb> {
  const { [inCamelCase(name)]: loaded } = await load();
  return typeof loaded === 'function' ? loaded(loadProgram) : (loaded as Noun | Verb);
}

const inCamelCase = (name: string) => name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());

/** The commands under their headings in `backoffice --help`. */
export const groups: Readonly<Record<string, Readonly<Record<string, TopLevel>>>> = {
  'Dashboard:': {
    dashboard: ['open the dashboard in this terminal', () => import('./operate/dashboard.ts')],
  },
  'Data:': {
    issues: ['list, report and manage issues', () => import('./nouns/issues.ts')],
    conversations: ['read and answer messages from visitors', () => import('./nouns/conversations.ts')],
    changes: ['undo changes of issues and conversations', () => import('./nouns/changes.ts')],
    labels: [
      'list, rename and delete the labels of issues and conversations',
      () => import('./nouns/labels.ts'),
    ],
    comments: ['comment on issues and conversations, within the team', () => import('./nouns/comments.ts')],
    'saved-replies': ['manage texts that the team often sends', () => import('./nouns/saved-replies.ts')],
    views: ['save filters, orders and columns of lists under names', () => import('./nouns/views.ts')],
    settings: ['read and change the settings', () => import('./nouns/settings.ts')],
    admins: ['manage admin accounts', () => import('./nouns/admins.ts')],
    usage: ['see the usage of AI tokens, its cost and its budgets', () => import('./nouns/usage.ts')],
    scraping: ['see and record scraping runs', () => import('./nouns/scraping.ts')],
    connect: [
      'connect your website: what to do, and what it has sent so far',
      () => import('./nouns/connect.ts'),
    ],
    visitors: ["export or erase a visitor's data", () => import('./nouns/visitors.ts')],
    mail: ['take in mails of visitors, and test the mail servers', () => import('./nouns/mail.ts')],
  },
  'Access:': {
    login: ['sign in to a server; later commands run there', () => import('./nouns/login.ts')],
    logout: ['sign out of a server, and revoke the token for it', () => import('./nouns/login.ts')],
    whoami: ['show who commands run as, and where', () => import('./nouns/login.ts')],
    context: [
      'choose the server that commands use, or the local database',
      () => import('./nouns/context.ts'),
    ],
    sessions: ['list sign-in sessions and end them', () => import('./nouns/sessions.ts')],
    invitations: ['list open invitations and revoke them', () => import('./nouns/invitations.ts')],
    tokens: ['manage API tokens for scripts', () => import('./nouns/tokens.ts')],
    secrets: ['encrypt the stored secrets with a new key', () => import('./operate/secrets.ts')],
    audit: ['see who changed what, when and from where', () => import('./nouns/audit.ts')],
    events: ['follow events as they happen', () => import('./nouns/events.ts')],
    mcp: [
      'serve an AI agent over standard input and output, by the Model Context Protocol',
      () => import('./operate/mcp.ts'),
    ],
    api: ['call any operation of the API and print its JSON', () => import('./nouns/api.ts')],
    webhooks: ['send events to other services', () => import('./nouns/webhooks.ts')],
  },
  'Operation:': {
    up: [
      'start everything: the database, its schema, a first admin and the API',
      () => import('./operate/service.ts'),
    ],
    serve: ['serve the API on a database that is already migrated', () => import('./operate/service.ts')],
    migrate: ['apply database migrations', () => import('./operate/migrate.ts')],
    backup: ['write all data, as it is at one moment, into a file', () => import('./operate/backup.ts')],
    restore: ['fill an empty database with a backup', () => import('./operate/restore.ts')],
    seed: ['fill an empty database with realistic example data', () => import('./operate/seed.ts')],
    recompute: [
      'recompute counts, previews and sums that are kept beside their rows, then check them',
      () => import('./operate/recompute.ts'),
    ],
    doctor: [
      'check Node, configuration, database, schema, clock and disk, and say how to fix problems',
      () => import('./doctor/doctor.ts'),
    ],
    version: [
      'show the version of this program and the commit that it was built from',
      () => import('./operate/service.ts'),
    ],
    openapi: ['print the OpenAPI document of the API', () => import('./operate/service.ts')],
    completion: [
      'print the script that lets a shell complete commands and values',
      () => import('./completion/completion.ts'),
    ],
  },
};
