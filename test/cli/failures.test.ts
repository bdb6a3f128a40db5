import { expect, test } from 'vitest';
import { FailedError, NotConnectedError, NotFoundError, UsageError } from '../../cli/errors.ts';
import { exitCodeOf } from '../../cli/failures.ts';
import { ConfigError } from '../../src/config.ts';
import { BackofficeError, type ErrorCode } from '../../src/contract/errors.ts';
import { EmbeddedPostgresError } from '../../src/db/embedded/embedded-postgres-error.ts';

const operation = (code: ErrorCode, cause?: unknown) =>
  new BackofficeError({ code, text: 'Text.' }, { cause });

test.each<[number, string, unknown]>([
  [1, 'what ran and says no', new FailedError('no')],
  [1, 'an unexpected error', new Error('oh')],
  [1, 'a conflict', operation('conflict')],
  [1, 'a failure of the service', operation('failed')],
  [1, 'a busy service', operation('busy')],
  [2, 'wrong usage', new UsageError('how')],
  [2, 'a wrong variable', new ConfigError('PORT')],
  [2, 'input that is not valid', operation('invalid')],
  [2, 'input that is too large', operation('too_large')],
  [3, 'what is not there', new NotFoundError('gone')],
  [3, 'an endpoint that is not there', operation('not_found')],
  [4, 'no session', operation('unauthenticated')],
  [4, 'a role that does not suffice', operation('forbidden')],
  [4, 'too many tries', operation('rate_limited')],
  [4, 'a server that is not there', new NotConnectedError('where')],
  [4, 'an embedded Postgres that does not start', new EmbeddedPostgresError('why')],
  [4, 'a database that is gone', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
  [
    4,
    'an operation whose database is gone',
    operation('failed', Object.assign(new Error(), { code: '57P01' })),
  ],
])('exit code %i is for %s', (code, _what, error) => {
  expect(exitCodeOf(error)).toBe(code);
});
