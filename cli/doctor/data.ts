import {
  readBudgets,
  readPrices,
  timeZoneKey,
  usageKeys,
} from '../../src/contract/known-settings/token-settings.ts';
import { checkIssueCounters, hasMoreIssuesThan } from '../../src/db/analytics/issue-counters.ts';
import { checkTokenUsageSums, hasMoreTokenUsageThan } from '../../src/db/analytics/token-usage-sums.ts';
import { connectDatabases } from '../../src/db/connection/connect.ts';
import type { Database } from '../../src/db/connection/pool.ts';
import { hasSearchIndexes } from '../../src/db/lists/search-indexes.ts';
import { type MigrationStatus, migrationStatus } from '../../src/db/migrate/index.ts';
import { selectGeneratedPasswords } from '../../src/db/tables/accounts/admins.ts';
import { countActiveSuperadmins } from '../../src/db/tables/accounts/superadmins.ts';
import {
  checkConversationPreviews,
  hasMoreConversationsThan,
} from '../../src/db/tables/conversations/conversation-previews.ts';
import { selectSettings } from '../../src/db/tables/settings.ts';
import { readMonth } from '../../src/services/analytics/calendar.ts';
import { sentenceOf } from '../failures.ts';
import { counted } from '../output/number.ts';
import { checkBranding } from './branding.ts';
import { type Finding, failed, notChecked, ok, warning } from './finding.ts';
import { checkMails } from './mails.ts';
import { checkPublication } from './publication.ts';
import { checkRetention } from './retention.ts';
import { checkSecondFactor } from './second-factor.ts';
import { checkSecrets } from './secrets.ts';

/** Up to this many rows, counting all of them again takes no longer than the other checks. */
const maxRowsToCount = 100_000;

/** The checks that need an up-to-date schema. */
const checks: readonly (readonly [
  check: string,
  work: (db: Database, encryptionKeys: readonly Buffer[]) => Promise<Finding>,
])[] = [
  ['superadmin', checkSuperadmin],
  ['first password', checkGeneratedPasswords],
  ['issue counts', checkCounts],
  ['token usage sums', checkSums],
  ['conversation previews', checkPreviews],
  ['prices and budgets', checkTokenSettings],
  ['timezone', checkTimeZone],
  ['retention', checkRetention],
  ['branding', checkBranding],
  ['publication', checkPublication],
  ['search', checkSearch],
  ['mails', checkMails],
  ['secrets', checkSecrets],
  ['second factor', checkSecondFactor],
];

/** The names of the checks of `checkData`. */
export const dataChecks = ['migrations', ...checks.map(([check]) => check)];

/** Checks the schema and the data. */
export async function checkData(databaseUrl: string, encryptionKeys: readonly Buffer[]): Promise<Finding[]> {
  const migrations = await tried('migrations', async () =>
    judgeMigrations(await migrationStatus({ databaseUrl })),
  );
  if (migrations.state !== 'ok') {
    const because = 'the schema does not match this build';
    return [migrations, ...checks.map(([check]) => notChecked(check, because))];
  }
  const databases = connectDatabases({ databaseUrl, poolSize: 1 });
  try {
    const findings = [migrations];
    for (const [check, work] of checks)
      findings.push(await tried(check, () => work(databases.primary, encryptionKeys)));
    return findings;
  } finally {
    await databases.close();
  }
}

function judgeMigrations(found: readonly MigrationStatus[]): Finding {
  const check = 'migrations';
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

async function checkSuperadmin(db: Database): Promise<Finding> {
  const count = await countActiveSuperadmins(db);
  if (count > 0) return ok('superadmin', `${count} active`);
  const advice = 'Run `backoffice admins create --role superadmin --email <email>`, or activate one.';
  return failed('superadmin', 'there is no active superadmin', advice);
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

async function checkCounts(db: Database): Promise<Finding> {
  const check = 'issue counts';
  if (await hasMoreIssuesThan(db, maxRowsToCount)) {
    return ok(check, 'not checked: too many issues. Run `backoffice issues recount --check`.');
  }
  const differences = await checkIssueCounters(db);
  if (differences.length === 0) return ok(check, 'all counts are correct');
  return failed(
    check,
    counted(differences.length, 'count is wrong', 'counts are wrong'),
    'Run `backoffice issues recount`.',
  );
}

async function checkSums(db: Database): Promise<Finding> {
  const check = 'token usage sums';
  if (await hasMoreTokenUsageThan(db, maxRowsToCount)) {
    return ok(check, 'not checked: too many records. Run `backoffice usage recompute --check`.');
  }
  const differences = await checkTokenUsageSums(db);
  if (differences.length === 0) return ok(check, 'all sums are correct');
  return failed(
    check,
    counted(differences.length, 'sum is wrong', 'sums are wrong'),
    'Run `backoffice usage recompute`.',
  );
}

async function checkPreviews(db: Database): Promise<Finding> {
  const check = 'conversation previews';
  if (await hasMoreConversationsThan(db, maxRowsToCount)) {
    return ok(
      check,
      'not checked: too many conversations. Run `backoffice conversations recompute --check`.',
    );
  }
  const differences = await checkConversationPreviews(db);
  if (differences.length === 0) return ok(check, 'all previews are correct');
  return failed(
    check,
    counted(differences.length, 'preview is wrong', 'previews are wrong'),
    'Run `backoffice conversations recompute`.',
  );
}

async function checkTokenSettings(db: Database): Promise<Finding> {
  const check = 'prices and budgets';
  const settings = await selectSettings(db, usageKeys);
  const [prices, budgets] = [readPrices(settings), readBudgets(settings)];
  const problems = [...prices.problems, ...budgets.problems];
  if (problems.length === 0)
    return ok(check, counted(prices.value.size, 'model has a price', 'models have a price'));
  const advice = 'Set them again with `backoffice usage prices set` or `backoffice usage budget set`.';
  return warning(check, problems.join(' '), advice);
}

async function checkTimeZone(db: Database): Promise<Finding> {
  const check = 'timezone';
  const settings = await selectSettings(db, [timeZoneKey]);
  const { timezone } = await readMonth(db, settings, undefined);
  const { [timeZoneKey]: value = '' } = settings;
  const days = `months and days are in ${timezone}`;
  if (value === '') return ok(check, `not set: ${days}`);
  // Postgres returns the name with the usual capitals.
  if (timezone.toLowerCase() === value.toLowerCase()) return ok(check, timezone);
  return warning(
    check,
    `unknown time zone ${JSON.stringify(value)}: ${days}`,
    `Run \`backoffice settings set ${timeZoneKey}\` with a name such as Europe/Paris.`,
  );
}

async function checkSearch(db: Database): Promise<Finding> {
  const check = 'search';
  if (await hasSearchIndexes(db)) return ok(check, 'finds rows by indexes');
  return warning(
    check,
    'the extension pg_trgm or its indexes are missing: searches read every text',
    'Have an administrator run `create extension pg_trgm` in this database, then run `backoffice migrate up`.',
  );
}

async function tried(check: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    return failed(check, sentenceOf(error), 'Check that the role in DATABASE_URL can read every table.');
  }
}
