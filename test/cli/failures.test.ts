import { expect, test } from 'vitest';
import { FailedError, NotConnectedError, NotFoundError, UsageError } from '../../cli/errors.ts';
import { exitCodeOf } from '../../cli/failures.ts';
import { ConfigError } from '../../src/config.ts';
import { BackofficeError, type ErrorCode } from '../../src/contract/errors.ts';
import { EmbeddedPostgresError } from '../../src/db/embedded/programs.ts';

const operation = (code: ErrorCode, cause?: unknown) =>
  new BackofficeError({ code, text: 'Text.' }, { cause });

test.each<[number, string, unknown]>([
  [1, 'a command that failed', new FailedError('no')],
  [1, 'an unexpected error', new Error('oh')],
  [1, 'a conflict', operation('conflict')],
  [1, 'a failure of the service', operation('failed')],
  [1, 'a busy service', operation('busy')],
  [2, 'wrong usage', new UsageError('how')],
  [2, 'an invalid variable', new ConfigError('PORT')],
  [2, 'invalid input', operation('invalid')],
  [2, 'input that is too large', operation('too_large')],
  [3, 'something that does not exist', new NotFoundError('gone')],
  [3, 'an unknown endpoint', operation('not_found')],
  [4, 'no session', operation('unauthenticated')],
  [4, 'an insufficient role', operation('forbidden')],
  [4, 'too many attempts', operation('rate_limited')],
  [4, 'an unreachable server', new NotConnectedError('where')],
  [4, 'an embedded Postgres that does not start', new EmbeddedPostgresError('why')],
  [4, 'an unreachable database', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
  [
    4,
    'an operation with an unreachable database',
    operation('failed', Object.assign(new Error(), { code: '57P01' })),
  ],
])('returns exit code %i for %s', (code, _what, error) => {
  expect(exitCodeOf(error)).toBe(code);
});
