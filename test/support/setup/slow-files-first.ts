import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files and folders that run first. Of the others, vitest runs the larger first where it has not measured them.
 *
 * A test process grows with each file that it runs, and to start a program from a large process takes 0.1 s of processor
 * time. So the files that start programs are before those that only take long, and those that need much memory are last.
 */
const first = [
  'test/jobs/webhook-recovery.test.ts',
  'test/cli/commands/serve.test.ts',
  'test/cli/commands/up.test.ts',
  'test/web/pages.test.ts',
  'test/cli/dashboard/terminal.test.ts',
  'test/http/openapi/page.test.ts',
  'test/db/embedded/',
  'test/cli/commands/long-running.test.ts',
  'test/http/events/recovery.test.ts',
  'test/web/',
  'test/db/replica/read-replica.test.ts',
  'test/cli/',
  'test/docs/',
  'test/http/input/fuzz.test.ts',
  'test/db/migrate/migrate.test.ts',
  'test/http/lists/search.test.ts',
  'test/db/lists/filter-costs.test.ts',
  'test/http/events/load.test.ts',
  'test/http/lists/list-readers.test.ts',
  'test/http/lists/long-texts.test.ts',
  'test/db/backup/backup.test.ts',
  'test/http/compression.test.ts',
];

/** Runs the slow files first, so that no worker is left with one of them when the others are done. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = first.findIndex((path) => moduleId.includes(`/${path}`));
      return place < 0 ? first.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
