import { parentPort, workerData } from 'node:worker_threads';
import { readConfig } from '../../src/config.ts';
import { operations } from '../../src/contract/registry.ts';
import { runningPostgresUrl } from '../../src/db/embedded/server.ts';
import type { Access, Named } from '../access/access.ts';
import { findTarget, readContexts } from '../access/contexts.ts';
import { existingEncryptionKeys, quietLog } from '../access/database.ts';
import { readAllSettings } from '../access/settings.ts';
import {
  comment,
  conversation,
  invitation,
  issue,
  label,
  savedReply,
  token,
  webhook,
} from '../nouns/kinds.ts';
import type { IssueStatistics } from '../terminal/chart.ts';
import { counted } from '../terminal/text.ts';
import type { Candidate, Source } from '../verb/parameters.ts';
import { admin } from '../verb/people.ts';
import type { RowKind } from '../verb/rows.ts';

/** What to look up, and what the command line says about the server. */
export interface LookupTask {
  readonly source: Exclude<Source, 'files'>;
  readonly named: Named;
}

type LookUp = (access: Access) => Promise<readonly Candidate[]>;

/** Offers the rows that commands name one by one. */
const rowsOf =
  <Row, Key>({ read, candidate }: RowKind<Row, Key>): LookUp =>
  async (access) =>
    (await read(access)).map(candidate);

/** Offers words that issues have, each with their number. */
const wordsOfIssues =
  (count: (statistics: IssueStatistics) => readonly (readonly [word: string, count: number])[]): LookUp =>
  async (access) => {
    const found = await access.call('issues.list', { period: 'all' });
    const counts = 'totalIssues' in found ? count(found) : [];
    return counts.map(([value, issues]) => ({ value, description: counted(issues, 'issue') }));
  };

const lookups: Readonly<Partial<Record<Source, LookUp>>> = {
  admins: rowsOf(admin),
  comments: rowsOf(comment),
  conversations: rowsOf(conversation),
  invitations: rowsOf(invitation),
  issues: rowsOf(issue),
  labels: rowsOf(label),
  'saved replies': rowsOf(savedReply),
  tokens: rowsOf(token),
  webhooks: rowsOf(webhook),
  async 'setting keys'(access) {
    const { settings, secrets } = await readAllSettings(access);
    // Without their values: other people may see the screen.
    return [...Object.keys(settings), ...secrets].map((value) => ({ value }));
  },
  assignees: async (access) => [
    { value: 'me', description: 'you' },
    { value: 'none', description: 'nobody' },
    ...(await rowsOf(admin)(access)),
  ],
  async 'signed-in admins'(access) {
    const { sessions } = await access.call('sessions.list');
    const roles = new Map(sessions.map(({ email, role }) => [email, role]));
    return Array.from(roles, ([value, description]) => ({ value, description }));
  },
  categories: wordsOfIssues(({ categoryCounts }) =>
    categoryCounts.map(({ category, count }) => [category, count]),
  ),
  severities: wordsOfIssues(({ severityTotals }) =>
    severityTotals.map(({ severity, count }) => [severity, count]),
  ),
};

/**
 * Finds the access like `withAccess`, but without side effects: it neither starts nor joins the embedded Postgres, because
 * the last process to leave stops it. It closes nothing, because the end of the thread closes the connections.
 */
async function findAccess(named: Named): Promise<Access | undefined> {
  const config = readConfig();
  const target = await findTarget(named, config);
  if (target !== undefined) {
    const { remoteAccess } = await import('../access/remote.ts');
    return remoteAccess(target.server, target.token);
  }
  const databaseUrl = config.databaseUrl ?? (await runningPostgresUrl(config.dataDirectory));
  if (databaseUrl === undefined) return undefined;
  const encryptionKeys = await existingEncryptionKeys(config);
  const { localAccess } = await import('../access/local.ts');
  const { openServices } = await import('../../src/services/open.ts');
  return localAccess(openServices({ ...config, databaseUrl, encryptionKeys, log: quietLog }));
}

async function candidates({ source, named }: LookupTask): Promise<readonly Candidate[]> {
  if (source === 'operations')
    return operations.map(({ id, summary }) => ({ value: id, description: summary }));
  if (source === 'contexts') {
    const { contexts } = await readContexts();
    return Object.entries(contexts).map(([value, { server }]) => ({ value, description: server }));
  }
  const access = await findAccess(named);
  return access === undefined ? [] : ((await lookups[source]?.(access)) ?? []);
}

parentPort?.postMessage(await candidates(workerData as LookupTask));
