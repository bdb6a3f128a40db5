import { buffer } from 'node:stream/consumers';
import { TryAgainError, UsageError } from '../errors.ts';
import { calling, verb, verbs } from '../verb/verb.ts';

/** Mails of visitors. */
export const mail = verbs('backoffice mail test', {
  deliver: calling('mail.receive', {
    about: 'take in a mail of a visitor from standard input, for the pipe of a mail server',
    output: 'nothing',
    notes: 'Exits with 0 once the mail is stored, and with 75 if the mail server should try again.',
    examples: [
      'backoffice mail deliver < message.eml',
      `echo 'support: "|/usr/local/bin/backoffice mail deliver"' >> /etc/aliases`,
    ],
    async run({ access }) {
      if (process.stdin.isTTY === true)
        throw new UsageError('The mail comes from standard input: backoffice mail deliver < message.eml');
      const { takenOf } = await import('../../src/services/incoming/mail-reader.ts');
      const { raw, size } = takenOf(await buffer(process.stdin));
      try {
        await access.call('mail.receive', { message: raw.toString('base64'), size });
      } catch (error) {
        const { sentenceOf } = await import('../failures.ts');
        throw new TryAgainError(sentenceOf(error), { cause: error });
      }
    },
  }),

  test: verb({
    about: 'sign in to the mail servers of SMTP_URL and IMAP_URL, send a mail to yourself, and find it',
    output: 'nothing',
    notes: 'The mail opens no conversation. Run it where the service runs, with its variables.',
    examples: ['backoffice mail test'],
    async run() {
      const { testMail } = await import('../operate/mail-test.ts');
      await testMail();
    },
  }),
});
