import { buffer } from 'node:stream/consumers';
import { Command } from 'commander';
import { mailHeadBytes, maxMailBytes } from '../../../src/services/incoming/mail-reader.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { TryAgainError, UsageError } from '../../errors.ts';

/** `backoffice mail deliver`: takes in a mail from the pipe of a mail server. */
export function deliverMailCommand(): Command {
  const command = new Command('deliver')
    .description('take in a mail of a visitor from standard input, for the pipe of a mail server')
    .addHelpText(
      'after',
      `
Exits with 0 once the mail is stored, and with 75 if the mail server should try again.

Examples:
  backoffice mail deliver < message.eml
  echo 'support: "|/usr/local/bin/backoffice mail deliver"' >> /etc/aliases`,
    );
  return runs(command, 'mail.receive').action(async () => {
    if (process.stdin.isTTY === true)
      throw new UsageError('The mail comes from standard input: backoffice mail deliver < message.eml');
    const raw = await buffer(process.stdin);
    const isTooLarge = raw.length > maxMailBytes;
    const message = (isTooLarge ? raw.subarray(0, mailHeadBytes) : raw).toString('base64');
    try {
      await withAccess(command, (access) =>
        access.call('mail.receive', { message, ...(isTooLarge ? { size: raw.length } : {}) }),
      );
    } catch (error) {
      const { sentenceOf } = await import('../../failures.ts');
      throw new TryAgainError(sentenceOf(error), { cause: error });
    }
  });
}
