import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { type RunningJobs, startJobs } from '../../../src/jobs/start.ts';
import type { Services } from '../../../src/services/context.ts';
import type { TestService } from './service.ts';

/** Starts the jobs of a service without logging. */
export function startJobsOf(
  service: Pick<TestService, 'databaseUrl' | 'services'>,
  other: Partial<Services> = {},
): RunningJobs {
  const log = pino({ level: 'silent' });
  return startJobs({ services: { ...service.services, ...other }, databaseUrl: service.databaseUrl, log });
}

/** Runs the jobs of a service of this file, from before its tests until after them. */
export function runJobsOf(
  backoffice: { readonly service: TestService },
  other: Partial<Services> = {},
): void {
  let jobs: RunningJobs | undefined;
  beforeAll(() => {
    jobs = startJobsOf(backoffice.service, other);
  });
  afterAll(() => jobs?.stop());
}
