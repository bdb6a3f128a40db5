import {
  readBudgets,
  readPrices,
  timeZoneKey,
  usageKeys,
} from '../../src/contract/known-settings/token-settings.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { hasSearchIndexes } from '../../src/db/lists/search-indexes.ts';
import { connectDatabases } from '../../src/db/replica/databases.ts';
import { countActiveSuperadmins } from '../../src/db/tables/accounts/admins.ts';
import { selectGeneratedPasswords } from '../../src/db/tables/accounts/passwords.ts';
import { selectSettings } from '../../src/db/tables/settings.ts';
import { readMonth } from '../../src/services/analytics/calendar.ts';
import { sentenceOf } from '../failures.ts';
import { counted } from '../output/number.ts';
import { checkBranding } from './branding.ts';
import { derivedDataChecks } from './derived-data.ts';
import { type Finding, failed, notChecked, ok, warning } from './finding.ts';
import { checkMails } from './mails.ts';
import { checkMigrations } from './migrations.ts';
import { checkPublication } from './publication.ts';
import { checkRetention } from './retention.ts';
import { checkSecondFactor } from './second-factor.ts';
import { checkSecrets } from './secrets.ts';

/** The checks that need an up-to-date schema. */
const checks: readonly (readonly [
  check: string,
  work: (db: Database, encryptionKeys: readonly Buffer[]) => Promise<Finding>,
])[] = [
  ['superadmin', checkSuperadmin],
  ['first password', checkGeneratedPasswords],
  ...derivedDataChecks,
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
  const migrations = await tried('migrations', () => checkMigrations(databaseUrl));
  if (migrations.state !== 'ok') {
    const because = 'the schema does not match this build';
    return [migrations, ...checks.map(([check]) => notChecked(check, because))];
  }
  const databases = connectDatabases({ databaseUrl, maxConnections: 1 });
  try {
    const findings = [migrations];
    for (const [check, work] of checks)
      findings.push(await tried(check, () => work(databases.primary, encryptionKeys)));
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
  return failed(
    check,
    'the extension pg_trgm or an index of it is missing',
    'Have an administrator run `create extension pg_trgm` in this database (on Debian, the package postgresql-contrib ' +
      'brings it), then run `backoffice migrate up`.',
  );
}

async function tried(check: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    return failed(check, sentenceOf(error), 'Check that the role in DATABASE_URL can read every table.');
  }
}
