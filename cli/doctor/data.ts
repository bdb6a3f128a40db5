import type { Database } from '../../src/db/connection/database.ts';
import { countWaitingMails } from '../../src/db/job-queue/jobs.ts';
import { hasSearchIndexes } from '../../src/db/lists/search-indexes.ts';
import { OldSchemaError, upgradeFirst } from '../../src/db/migrate/former-schema.ts';
import { type MigrationStatus, migrationStatus } from '../../src/db/migrate/status.ts';
import { selectPublicationState } from '../../src/db/outbox/record-changes.ts';
import { connectDatabases } from '../../src/db/replica/databases.ts';
import { countActiveAdmins, countActiveSuperadmins } from '../../src/db/tables/accounts/admins.ts';
import { selectIntakeLikeTokens } from '../../src/db/tables/accounts/api-tokens.ts';
import { selectGeneratedPasswords } from '../../src/db/tables/accounts/passwords.ts';
import { selectWaitingDeliveries } from '../../src/db/tables/conversations/message-deliveries.ts';
import { countFailedMails } from '../../src/db/tables/failed-mails.ts';
import { countSecrets } from '../../src/db/tables/sealed-columns.ts';
import { createSecretBox } from '../../src/services/secrets/secret-box.ts';
import { sentenceOf } from '../failures.ts';
import { contractRoles } from '../operate/warnings.ts';
import { counted } from '../output/number.ts';
import { printable } from '../output/text.ts';
import { derivedDataChecks } from './derived-data.ts';
import { type Finding, failed, notChecked, ok, warning } from './finding.ts';
import { checkEmails, checkLabels } from './forms.ts';
import { checkMailbox } from './mail.ts';
import {
  checkBranding,
  checkRetention,
  checkSecondFactor,
  checkTimeZone,
  checkTokenSettings,
} from './settings.ts';

/** What the checks know besides the data. */
interface Known {
  readonly encryptionKeys: readonly Buffer[];
  readonly strictRoles: boolean;
  readonly imapUrl: string | undefined;
}

/** The checks that need an up-to-date schema. */
const checks: readonly (readonly [check: string, work: (db: Database, known: Known) => Promise<Finding>])[] =
  [
    ['superadmin', checkSuperadmin],
    ['roles', checkRoles],
    ['first password', checkGeneratedPasswords],
    ['e-mails', checkEmails],
    ['labels', checkLabels],
    ...derivedDataChecks,
    ['prices and budgets', checkTokenSettings],
    ['timezone', checkTimeZone],
    ['retention', checkRetention],
    ['branding', checkBranding],
    ['publication', checkPublication],
    ['search', checkSearch],
    ['mails', checkMails],
    ['visitor mails', checkReplies],
    ['mailbox', checkMailbox],
    ['secrets', checkSecrets],
    ['second factor', checkSecondFactor],
    ['tokens', checkTokens],
  ];

/** The names of the checks of `checkData`. */
export const dataChecks = ['migrations', ...checks.map(([check]) => check)];

/** Checks the schema and the data. */
export async function checkData(databaseUrl: string, known: Known): Promise<Finding[]> {
  const migrations = await tried('migrations', () => checkMigrations(databaseUrl));
  if (migrations.state !== 'ok') {
    const because = 'the schema does not match this build';
    return [migrations, ...checks.map(([check]) => notChecked(check, because))];
  }
  const databases = connectDatabases({ databaseUrl, maxConnections: 1 });
  try {
    const findings = [migrations];
    for (const [check, work] of checks)
      findings.push(await tried(check, () => work(databases.primary, known)));
    return findings;
  } finally {
    await databases.close();
  }
}

async function checkSuperadmin(db: Database): Promise<Finding> {
  const count = await countActiveSuperadmins(db);
  if (count > 0) return ok('superadmin', `${count} active`);
  const advice = 'Run `backoffice admins create --role superadmin --email <email>`, or activate one.';
  return failed('superadmin', 'there is no active superadmin', advice);
}

/** Says what the API contract allows the roles. */
async function checkRoles(db: Database, { strictRoles }: Known): Promise<Finding> {
  if (strictRoles) return ok('roles', 'strict');
  const count = await countActiveAdmins(db);
  if (count <= 1) return ok('roles', contractRoles);
  return warning(
    'roles',
    `each of the ${count} active admins can set the password of every other, also of a superadmin`,
    'Start the service with BACKOFFICE_STRICT_ROLES=1, unless every one of them may have all rights.',
  );
}

async function checkGeneratedPasswords(db: Database): Promise<Finding> {
  const check = 'first password';
  const emails = await selectGeneratedPasswords(db);
  if (emails.length === 0) return ok(check, 'no generated password is in use');
  return warning(
    check,
    `${emails.join(', ')} still has the password that was generated at the first start`,
    `Run \`backoffice admins reset-password ${emails[0]}\`.`,
  );
}

async function checkSearch(db: Database): Promise<Finding> {
  const check = 'search';
  if (await hasSearchIndexes(db)) return ok(check, 'finds rows by indexes');
  return failed(
    check,
    'the extension pg_trgm or an index of it is missing',
    'Have an administrator run `create extension pg_trgm` in this database (on Debian, the package postgresql-contrib ' +
      'brings it), then run `backoffice migrate up`.',
  );
}

/** A mail server that works takes a reply within seconds. It is tried again after seconds, then minutes. */
const maxReplyWaitSeconds = 15 * 60;

/** Checks that replies are sent to visitors by mail, or wait for a moment only. */
async function checkReplies(db: Database): Promise<Finding> {
  const check = 'visitor mails';
  const { count, oldest_seconds, error } = await selectWaitingDeliveries(db);
  if (oldest_seconds < maxReplyWaitSeconds)
    return ok(check, count === 0 ? 'none waiting' : `${count} waiting`);
  const age = counted(Math.floor(oldest_seconds / 60), 'minute');
  return warning(
    check,
    `${counted(count, 'reply', 'replies')} to visitors not sent yet, the oldest for ${age}${error === null ? '' : ` (${printable(error)})`}`,
    'Check that an instance runs with SMTP_URL, and its log. They are sent when the mail server takes them.',
  );
}

/** Checks that the mails of the queue are sent. */
async function checkMails(db: Database): Promise<Finding> {
  const check = 'mails';
  const advice = 'Check SMTP_URL and the log of the service. What was in the mails is not sent again.';
  const waiting = await countWaitingMails(db);
  const failed = await countFailedMails(db);
  const problems = [
    ...(failed.count === 0
      ? []
      : [`${counted(failed.count, 'mail')} given up in the last week (${failed.error})`]),
    ...(waiting.retried === 0
      ? []
      : [`${counted(waiting.retried, 'mail')} failed and will be tried again (${waiting.last_error})`]),
  ];
  if (problems.length > 0) return warning(check, problems.join('; '), advice);
  return ok(check, waiting.count === 0 ? 'none waiting' : `${waiting.count} waiting`);
}

/** Names tokens that could do more than they ever did. */
async function checkTokens(db: Database): Promise<Finding> {
  const check = 'tokens';
  const [first, ...others] = await selectIntakeLikeTokens(db);
  if (first === undefined) return ok(check, 'none has more rights than it used');
  const names = [first, ...others].map(({ id, name }) => `${name} (${id})`).join(', ');
  const advice =
    'Create one with `backoffice tokens create --scope intake --name <name>` for each, use it instead, then run ' +
    `\`backoffice tokens revoke ${first.id}\`.`;
  return warning(check, `only ever sent data in, and may do more: ${names}`, advice);
}

/** An instance that works publishes a change within milliseconds, and within seconds what a killed process left. */
const maxWaitSeconds = 10;

/** Checks that recorded changes become events and audit records. */
async function checkPublication(db: Database): Promise<Finding> {
  const { changes, oldest_seconds } = await selectPublicationState(db, maxWaitSeconds);
  if (changes === 0) return ok('publication', 'all changes are events and audit records');
  const age = counted(Math.floor(oldest_seconds), 'second');
  const detail = `${counted(changes, 'change')} not yet published as events and audit records, the oldest for ${age}`;
  const advice =
    'Start an instance. If one runs, look for "changes cannot be published" in its log, which says why.';
  return warning('publication', detail, advice);
}

/** Checks that every stored secret can be decrypted, and shows how many secrets each key holds. */
async function checkSecrets(db: Database, { encryptionKeys: keys }: Known): Promise<Finding> {
  const check = 'secrets';
  const { keyId: newest, keyIds } = createSecretBox(keys);
  const counts = await countSecrets(db);
  const all = counts.map(({ key_id, count }) =>
    key_id === '' ? `${count} in clear text` : `${count} with the key ${key_id}`,
  );
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const detail = total === 0 ? 'none stored' : `${counted(total, 'secret')}: ${all.join(', ')}`;

  const missing = counts.flatMap(({ key_id }) => (key_id === '' || keyIds.includes(key_id) ? [] : [key_id]));
  if (missing.length > 0) {
    const names = `${missing.length === 1 ? 'the key' : 'the keys'} ${missing.join(', ')}`;
    return failed(
      check,
      `${detail}; BACKOFFICE_ENCRYPTION_KEY does not list ${names}`,
      `Add ${names} to BACKOFFICE_ENCRYPTION_KEY. Without it, set these secrets again; \`backoffice settings list\` shows ` +
        'which settings are secret.',
    );
  }
  if (counts.some(({ key_id }) => key_id === '')) {
    const advice =
      newest === undefined
        ? 'Set BACKOFFICE_ENCRYPTION_KEY (`openssl rand -base64 32` generates a key), then run `backoffice secrets rotate`.'
        : 'Run `backoffice secrets rotate`, which encrypts them.';
    return failed(check, `${detail}, which are not used`, advice);
  }
  if (counts.some(({ key_id }) => key_id !== newest)) {
    return warning(check, detail, 'Run `backoffice secrets rotate`, then remove the older keys.');
  }
  return ok(check, detail);
}

/** Checks that the migrations of this build, and no others, are applied. */
async function checkMigrations(databaseUrl: string): Promise<Finding> {
  const check = 'migrations';
  const found = await migrationStatus({ databaseUrl }).catch((error: unknown) => {
    if (error instanceof OldSchemaError) return undefined;
    throw error;
  });
  if (found === undefined) return failed(check, 'older than those of Backoffice 0.2.0', upgradeFirst);
  const names = (state: MigrationStatus['state']) =>
    found.filter((migration) => migration.state === state).map(({ name }) => name);
  const [edited, missing, pending] = [names('edited'), names('missing'), names('pending')];
  if (edited.length > 0) {
    const advice = 'Restore these files as they were applied, and put the change into a new migration.';
    return failed(check, `edited after they were applied: ${edited.join(', ')}`, advice);
  }
  if (missing.length > 0) {
    const advice = 'Install the build that applied them, or a newer one.';
    return failed(check, `applied, but unknown to this build: ${missing.join(', ')}`, advice);
  }
  if (pending.length > 0) {
    return failed(check, `pending: ${pending.join(', ')}`, 'Run `backoffice migrate up`.');
  }
  return ok(check, `all ${found.length} are applied`);
}

async function tried(check: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    return failed(check, sentenceOf(error), 'Check that the role in DATABASE_URL can read every table.');
  }
}
