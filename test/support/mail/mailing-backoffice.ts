import { afterAll, beforeAll } from 'vitest';
import { type Backoffice, backofficeOfThisFile, withMembers } from '../http/backoffice.ts';
import { runJobsOf } from '../http/jobs.ts';
import type { TestLimits } from '../http/service.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

/** The public URL of the service in these tests. */
export const publicUrl = 'https://backoffice.example.com';

/** A service that runs its jobs, and the server that receives its mails. */
export interface MailingBackoffice extends Backoffice {
  readonly mailServer: MailServer;
}

/** Starts both before the tests of the calling file. */
export function mailingBackofficeOfThisFile(
  env: Record<string, string> = {},
  limits?: TestLimits,
): MailingBackoffice {
  let mailServer: MailServer;

  beforeAll(async () => {
    mailServer = await startMailServer();
  });
  afterAll(() => mailServer?.close());
  const backoffice = backofficeOfThisFile(
    () => ({ SMTP_URL: mailServer.url, BACKOFFICE_PUBLIC_URL: publicUrl, ...env }),
    limits,
  );
  runJobsOf(backoffice);

  return withMembers(backoffice, {
    get mailServer() {
      return mailServer;
    },
  });
}
