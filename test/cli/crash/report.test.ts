import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unexpectedError } from '../../../cli/crash/is-unexpected.ts';
import { safeStack } from '../../../cli/crash/safe-stack.ts';
import { FailedError } from '../../../cli/errors.ts';
import { ConfigError } from '../../../src/config.ts';
import { ForeignAnswerError } from '../../../src/contract/client/typed-client.ts';
import { BackofficeError } from '../../../src/contract/errors.ts';
import { BackupError } from '../../../src/db/backup/format.ts';
import { EmbeddedPostgresError } from '../../../src/db/embedded/programs.ts';
import { InvalidMigrationNameError } from '../../../src/db/migrate/files.ts';
import { SchemaRightsError } from '../../../src/db/roles/schema-owner.ts';
import { AddressInUseError } from '../../../src/http/listener.ts';
import { backofficeHere } from '../../support/here.ts';
import { backoffice } from '../../support/run/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const here = backofficeHere();

/** A defect in what every command on the database calls. Its text has data. */
const defect = `process.getBuiltinModule('node:os').userInfo = () => { throw new TypeError('no user hunter2 of ada@example.com'); };`;

test('a defect leaves a report that only its user can read, without secrets and data', async () => {
  const folder = await temporaryFolder();
  const env = {
    DATABASE_URL: here.service.databaseUrl,
    BACKOFFICE_CONFIG: folder,
    BACKOFFICE_ENCRYPTION_KEY: 'f'.repeat(64),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(defect)}`,
  };
  const args = ['settings', 'set', 'mail_password', 'hunter2', '--expected=bo_secret', '--json', 'value'];
  const { code, stdout, stderr } = await backoffice(args, { env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  const [name = '', ...others] = await readdir(join(folder, 'crashes'));
  expect(others).toEqual([]);
  const file = join(folder, 'crashes', name);
  expect(stderr).toContain(`Send the report in ${file} to its maintainers`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const report = await readFile(file, 'utf8');
  expect(report).toMatch(
    /^command +backoffice settings set <value> <value> --expected=<value> --json <value>$/m,
  );
  expect(report).toMatch(/^version +\d+\.\d+\.\d+\nnode +v24/m);
  expect(report).toMatch(/^variables .*DATABASE_URL, .*BACKOFFICE_ENCRYPTION_KEY/m);
  expect(report).toMatch(/^TypeError: the message is left out, because it may contain data\n {4}at /m);
  // The places are those of the sources, not of the bundle.
  expect(report).toMatch(/ {4}at .*cli\/access\/local\.ts:\d+:\d+/);
  const secrets = [
    'hunter2',
    'ada@',
    'ada%40',
    'bo_',
    'mail_password',
    'ffff',
    'postgres:',
    here.service.databaseUrl,
  ];
  for (const secret of secrets) expect(report, secret).not.toContain(secret);
});

test('an error that has a sentence of its own is no defect', () => {
  const failed = (cause: unknown) => new BackofficeError({ code: 'failed', text: 'Failed.' }, { cause });
  expect(unexpectedError(failed(new RangeError('x')))).toBeInstanceOf(RangeError);
  const refused = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });
  for (const error of [failed(refused), failed(undefined), new FailedError('No.'), new Error('No.'), 'No.'])
    expect(unexpectedError(error)).toBeUndefined();
});

test.each([
  AddressInUseError,
  BackupError,
  ConfigError,
  EmbeddedPostgresError,
  ForeignAnswerError,
  InvalidMigrationNameError,
  SchemaRightsError,
])('%o is no defect', (Kind) => {
  expect(unexpectedError(new Kind('why'))).toBeUndefined();
});

test.each([
  [new TypeError("Cannot read properties of undefined (reading 'ada@example.com')"), "reading '…'"],
  [new SyntaxError('Unexpected token \'h\', "hunter2" is not valid JSON'), 'the message is left out'],
  [new RangeError('Invalid time value'), 'RangeError: Invalid time value'],
  [new SyntaxError('Cannot convert hunter2 to a BigInt'), 'the message is left out'],
  [
    Object.assign(new TypeError('Invalid URL hunter2'), { code: 'ERR_INVALID_URL' }),
    'TypeError (ERR_INVALID_URL)',
  ],
])('%o is reported without what may be data', (error, said) => {
  const [line = ''] = safeStack(error);
  expect(line).toContain(said);
  expect(line).not.toMatch(/ada|hunter2/);
});
