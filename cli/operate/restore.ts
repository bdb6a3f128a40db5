import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { KeptAccess, TableContent } from '../../src/db/backup/restore-target.ts';
import { nameVersion } from '../../src/version.ts';
import { withSchemaAccess } from '../access/database.ts';
import { FailedError, NotFoundError, StoppedError } from '../errors.ts';
import { confirm, requireTerminal } from '../input/prompts.ts';
import { createProgress } from '../output/progress.ts';
import { print, remark, stopSignal } from '../terminal/terminal.ts';
import { counted, grouped } from '../terminal/text.ts';
import { yes } from '../verb/change.ts';
import { argument, flag, text } from '../verb/parameters.ts';
import { verb } from '../verb/verb.ts';

/** Replaces all data by that of a backup. */
export const restore = verb({
  params: {
    file: argument({
      ...text('a file that `backoffice backup` wrote, or - for standard input'),
      source: 'files',
    }),
    replace: flag('delete everything that is in the database'),
    revokeTokens: flag('revoke all API tokens, because some may have been revoked since the backup'),
    removeRecoveryCodes: flag('remove all recovery codes, because some may have been used since the backup'),
    yes,
  },
  output: 'nothing',
  notes:
    'Stop the service first. The file is checked while it is read: if it is damaged, nothing is restored. Mails and jobs that\n' +
    'waited when the backup was made are not part of it; messages to webhooks are sent. Everybody must sign in again. Invitations\n' +
    'and links for a new password end. API tokens and recovery codes are as they were when the backup was made, also those that\n' +
    'were revoked or used since, unless you end them.',
  examples: [
    'backoffice restore backoffice-2026-01-31.gz',
    'DATABASE_URL=postgres://… backoffice restore backoffice-2026-01-31.gz    # moves an installation to your own Postgres',
  ],
  async run({ given: { file, replace, revokeTokens, removeRecoveryCodes, yes }, command }) {
    if (file !== '-') await checkReadable(file);
    if (replace && !yes) requireTerminal(replacing);
    const { restoreBackup } = await import('../../src/db/backup/restore-backup.ts');
    const stop = stopSignal();
    const progress = createProgress();
    try {
      const restored = await withSchemaAccess(command, (schema) =>
        restoreBackup({
          ...schema,
          input: file === '-' ? process.stdin : createReadStream(file),
          replace: replace === true,
          end: { tokens: revokeTokens === true, recoveryCodes: removeRecoveryCodes === true },
          onHeader: ({ created_at, backoffice: version, commit }) =>
            remark(`Backup of ${created_at}, Backoffice ${nameVersion({ version, commit })}`),
          onReplace: async (content) => {
            remark(`The database has ${describeContent(content)}.`);
            await confirm(replacing, yes);
          },
          onProgress: ({ table, bytes }) =>
            progress.show({ what: `MB of ${table}`, done: Math.round(bytes / 1e6) }),
          log: (line) => {
            progress.end();
            remark(line);
          },
          stop,
        }),
      );
      progress.end();
      print(`Restored ${counted(restored.rows, 'row')} of ${counted(restored.tables, 'table')}.`);
      remindOf(restored.kept);
    } catch (error) {
      if (stop.aborted && error === stop.reason)
        throw new StoppedError('Stopped. Nothing was restored.', stop);
      throw error;
    } finally {
      progress.end();
    }
  },
});

const replacing = 'Delete everything in the database and restore the backup?';

/** Describes what is replaced: `12,304 issues, 3 admins`. */
function describeContent(content: readonly TableContent[]): string {
  if (content.length === 0) return 'no content';
  return content.map(({ table, rows }) => `${grouped(rows)} ${table.replaceAll('_', ' ')}`).join(', ');
}

/** Warns about access that is back, although it may have been revoked or used since the backup. */
function remindOf({ tokens, accountsWithCodes }: KeptAccess): void {
  if (tokens > 0)
    remark(
      `${counted(tokens, 'API token is', 'API tokens are')} valid as when the backup was made. See \`backoffice tokens list\`: ` +
        'revoke those again that you have revoked since.',
    );
  if (accountsWithCodes > 0)
    remark(
      `${counted(accountsWithCodes, 'account has its', 'accounts have their')} recovery codes of that time, also those used since. ` +
        'New ones, which everybody can create in their profile, replace them.',
    );
}

/** Checks this before the database is opened, which may start the embedded server. */
async function checkReadable(file: string): Promise<void> {
  await access(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new NotFoundError(`${file} does not exist.`);
    throw new FailedError(`${file} cannot be read: ${error.code}.`);
  });
}
