import { afterAll, beforeAll } from 'vitest';
import type { RunningJobs } from '../../../src/jobs/start.ts';
import { type Backoffice, backofficeOfThisFile } from '../http/backoffice.ts';
import { startJobsOf } from '../http/webhooks.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

/** The public URL of the service in these tests. */
export const publicUrl = 'https://backoffice.example.com';

/** A service that runs its jobs, and the server that receives its mails. */
export interface MailingBackoffice extends Backoffice {
  readonly mailServer: MailServer;
}

/** Starts both before the tests of the calling file. */
export function mailingBackofficeOfThisFile(env: Record<string, string> = {}): MailingBackoffice {
  let mailServer: MailServer;
  let jobs: RunningJobs;

  beforeAll(async () => {
    mailServer = await startMailServer();
  });
  const backoffice = backofficeOfThisFile(() => ({
    SMTP_URL: mailServer.url,
    BACKOFFICE_PUBLIC_URL: publicUrl,
    ...env,
  }));
  beforeAll(() => {
    jobs = startJobsOf(backoffice.service);
  });
  afterAll(async () => {
    await jobs?.stop();
    await mailServer?.close();
  });

  return {
    get service() {
      return backoffice.service;
    },
    get superadmin() {
      return backoffice.superadmin;
    },
    get api() {
      return backoffice.api;
    },
    sql: backoffice.sql,
    get mailServer() {
      return mailServer;
    },
  };
}
