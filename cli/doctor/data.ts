import { storedEmail } from '../../src/contract/schemas/stored-email.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { hasSearchIndexes } from '../../src/db/lists/search-indexes.ts';
import { OldSchemaError, upgradeFirst } from '../../src/db/migrate/former-schema.ts';
import { type MigrationStatus, migrationStatus } from '../../src/db/migrate/status.ts';
import { selectPublicationState } from '../../src/db/outbox/record-changes.ts';
import { connectDatabases } from '../../src/db/replica/databases.ts';
import { countActiveAdmins, countActiveSuperadmins } from '../../src/db/tables/accounts/admins.ts';
import { selectIntakeLikeTokens } from '../../src/db/tables/accounts/api-tokens.ts';
import { selectEmails } from '../../src/db/tables/accounts/emails.ts';
import { selectGeneratedPasswords } from '../../src/db/tables/accounts/passwords.ts';
import { selectClashingLabels } from '../../src/db/tables/labels.ts';
import { type Derived, derivedData } from '../operate/derived-data.ts';
import { counted } from '../terminal/text.ts';
import {
  type Checks,
  contractRoles,
  type Finding,
  failed,
  type Judgement,
  notChecked,
  ok,
  runChecks,
  warning,
} from './finding.ts';
import { mailChecks } from './mail.ts';
import { secretChecks, settingChecks } from './settings.ts';

/** The checks that need an up-to-date schema. */
export type DataChecks = Checks<[db: Database, known: Known]>;

/** What the checks know besides the data. */
interface Known {
  readonly encryptionKeys: readonly Buffer[];
  readonly strictRoles: boolean;
  readonly imapUrl: string | undefined;
}

/** An instance that works publishes a change within milliseconds, and within seconds what a killed process left. */
const maxWaitSeconds = 10;

const checks: DataChecks = {
  async superadmin(db) {
    const count = await countActiveSuperadmins(db);
    if (count > 0) return ok(`${count} active`);
    const fix = 'Run `backoffice admins create --role superadmin --email <email>`, or activate one.';
    return failed('there is no active superadmin', fix);
  },

  // Says what the API contract allows the roles.
  async roles(db, { strictRoles }) {
    if (strictRoles) return ok('strict');
    const count = await countActiveAdmins(db);
    if (count <= 1) return ok(contractRoles);
    return warning(
      `each of the ${count} active admins can set the password of every other, also of a superadmin`,
      'Start the service with BACKOFFICE_STRICT_ROLES=1, unless every one of them may have all rights.',
    );
  },

  async 'first password'(db) {
    const emails = await selectGeneratedPasswords(db);
    if (emails.length === 0) return ok('no generated password is in use');
    return warning(
      `${emails.join(', ')} still has the password that was generated at the first start`,
      `Run \`backoffice admins reset-password ${emails[0]}\`.`,
    );
  },

  // Whether each has the form in which the service stores it. Older versions and plain SQL may have written others.
  async 'e-mails'(db) {
    const accounts = await selectEmails(db);
    const clashes = [...Map.groupBy(accounts, ({ email }) => storedEmail(email)).values()]
      .filter((same) => same.length > 1)
      .map((same) => same.map(({ id, email }) => `${email} (${id})`).join(' = '));
    if (clashes.length > 0) {
      const fix = 'Delete one account of each with `backoffice admins delete <id>`, or change its e-mail.';
      return warning(`accounts with the same address: ${clashes.join(', ')}`, fix);
    }
    const others = accounts
      .filter(({ email }) => email !== storedEmail(email))
      .map(({ id, email }) => `${email} (${id}), now ${storedEmail(email)}`);
    if (others.length === 0) return ok('each has one account');
    const fix = 'Run `backoffice admins update <id> --email <e-mail>` for each.';
    return warning(`not in the form of new e-mails: ${others.join('; ')}`, fix);
  },

  // Whether one is there twice, as with é as one character and as two.
  async labels(db) {
    const clashes = await selectClashingLabels(db);
    const [first] = clashes;
    if (first === undefined) return ok('each is there once');
    const fix = `Make each one label: \`backoffice labels rename ${escaped(first.name)} ${escaped(first.other)}\`.`;
    const names = clashes.map(({ other }) => other).join(', ');
    return warning(`there twice, in letters that look the same: ${names}`, fix);
  },

  ...Object.fromEntries(
    Object.entries(derivedData).map(([name, data]) => [`${data.one}s`, derivedCheck(name, data)] as const),
  ),

  ...settingChecks,

  // Whether recorded changes become events and audit records.
  async publication(db) {
    const { changes, oldest_seconds } = await selectPublicationState(db, maxWaitSeconds);
    if (changes === 0) return ok('all changes are events and audit records');
    const age = counted(Math.floor(oldest_seconds), 'second');
    const detail = `${counted(changes, 'change')} not yet published as events and audit records, the oldest for ${age}`;
    const fix =
      'Start an instance. If one runs, look for "changes cannot be published" in its log, which says why.';
    return warning(detail, fix);
  },

  async search(db) {
    if (await hasSearchIndexes(db)) return ok('finds rows by indexes');
    return failed(
      'the extension pg_trgm or an index of it is missing',
      'Have an administrator run `create extension pg_trgm` in this database (on Debian, the package postgresql-contrib ' +
        'brings it), then run `backoffice migrate up`.',
    );
  },

  ...mailChecks,

  ...secretChecks,

  // Which could do more than they ever did.
  async tokens(db) {
    const [first, ...others] = await selectIntakeLikeTokens(db);
    if (first === undefined) return ok('none has more rights than it used');
    const names = [first, ...others].map(({ id, name }) => `${name} (${id})`).join(', ');
    const fix =
      'Create one with `backoffice tokens create --scope intake --name <name>` for each, use it instead, then run ' +
      `\`backoffice tokens revoke ${first.id}\`.`;
    return warning(`only ever sent data in, and may do more: ${names}`, fix);
  },
};

/** How many checks `checkData` makes. */
export const dataCheckCount = 1 + Object.keys(checks).length;

const ifItThrows = 'Check that the role in DATABASE_URL can read every table.';

/** Checks the schema and the data. */
export async function checkData(databaseUrl: string, known: Known): Promise<Finding[]> {
  const migrations = await runChecks({ migrations: checkMigrations }, ifItThrows, databaseUrl);
  if (migrations.some(({ state }) => state !== 'ok')) {
    const because = 'the schema does not match this build';
    return [...migrations, notChecked(because, Object.keys(checks).length)];
  }
  const databases = connectDatabases({ databaseUrl, maxConnections: 1 });
  try {
    return [...migrations, ...(await runChecks(checks, ifItThrows, databases.primary, known))];
  } finally {
    await databases.close();
  }
}

/** Up to this many rows, counting all of them again takes no longer than the other checks. */
const maxRowsToCount = 100_000;

/** Returns the check that derived data is what its rows say, unless there are too many to compute it again. */
function derivedCheck(name: string, { rows, hasMoreRowsThan, check }: Derived) {
  return async (db: Database): Promise<Judgement> => {
    const command = `backoffice recompute ${name}`;
    if (await hasMoreRowsThan(db, maxRowsToCount))
      return ok(`not checked: too many ${rows}. Run \`${command} --check\`.`);
    const { length } = await check(db);
    if (length === 0) return ok('all are correct');
    return failed(counted(length, 'is wrong', 'are wrong'), `Run \`${command}\`.`);
  };
}

/** Returns a text in the syntax of shells, with the letters that are not ASCII as numbers. */
function escaped(text: string): string {
  const letters = [...text].map((letter) =>
    /[a-z0-9 _.-]/i.test(letter)
      ? letter
      : `\\U${(letter.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  );
  return `$'${letters.join('')}'`;
}

/** Checks that the migrations of this build, and no others, are applied. */
async function checkMigrations(databaseUrl: string): Promise<Judgement> {
  const found = await migrationStatus({ databaseUrl }).catch((error: unknown) => {
    if (error instanceof OldSchemaError) return undefined;
    throw error;
  });
  if (found === undefined) return failed('older than those of Backoffice 0.2.0', upgradeFirst);
  const names = (state: MigrationStatus['state']) =>
    found.filter((migration) => migration.state === state).map(({ name }) => name);
  const edited = names('edited');
  const missing = names('missing');
  const pending = names('pending');
  if (edited.length > 0) {
    const fix = 'Restore these files as they were applied, and put the change into a new migration.';
    return failed(`edited after they were applied: ${edited.join(', ')}`, fix);
  }
  if (missing.length > 0) {
    const fix = 'Install the build that applied them, or a newer one.';
    return failed(`applied, but unknown to this build: ${missing.join(', ')}`, fix);
  }
  if (pending.length > 0) return failed(`pending: ${pending.join(', ')}`, 'Run `backoffice migrate up`.');
  return ok(`all ${found.length} are applied`);
}
