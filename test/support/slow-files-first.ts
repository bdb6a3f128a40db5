import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest. Of other files, vitest runs the larger first where it has not measured them. */
const slowFiles = [
  'test/jobs/webhook-recovery.test.ts',
  'test/http/input/fuzz.test.ts',
  'test/cli/commands/serve.test.ts',
  'test/cli/commands/up.test.ts',
  'test/db/migrate/migrate.test.ts',
  'test/http/openapi/generated-clients.test.ts',
  'test/db/lists/list-plans.test.ts',
  'test/cli/tui/terminal.test.ts',
  'test/http/lists/list-readers.test.ts',
  'test/http/events/load.test.ts',
  'test/http/events/recovery.test.ts',
  'test/db/replica/read-replica.test.ts',
  'test/http/lists/search-limits.test.ts',
  'test/http/openapi/page.test.ts',
  'test/db/lists/filter-costs.test.ts',
  'test/http/openapi/samples.test.ts',
  'test/db/embedded/sharing.test.ts',
  'test/http/lists/long-texts.test.ts',
  'test/db/backup/backup.test.ts',
  'test/cli/commands/events.test.ts',
  'test/http/compression.test.ts',
  'test/cli/completion/answers.test.ts',
];

/** Runs the slow files first, so that no worker is left with one of them when the others are done. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = slowFiles.findIndex((file) => moduleId.endsWith(`/${file}`));
      return place < 0 ? slowFiles.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
