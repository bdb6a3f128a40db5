import { describe, expect, test } from 'vitest';
import { migrateUp } from '../../../src/db/migrate/migrate.ts';
import { type SeedProgress, seed } from '../../../src/services/seed/index.ts';
import {
  checksums,
  queryRows,
  smallSeed,
  withSeededDatabase,
  wrongCounters,
} from '../../support/postgres/seeded.ts';
import { createEmptyDatabase, createTestDatabase } from '../../support/postgres.ts';

describe('seed', () => {
  test('leaves whole batches when it is stopped', async () => {
    const controller = new AbortController();
    const seen: SeedProgress[] = [];
    const onProgress = (progress: SeedProgress) => {
      seen.push(progress);
      if (progress.what === 'issues' && progress.done > 0) controller.abort();
    };
    await withSeededDatabase(
      { issues: 60_000, stop: controller.signal, onProgress },
      async (database, made) => {
        expect(made).toMatchObject({ issues: 5_000, conversations: 150 });
        const [counted] = await queryRows<{ issues: number }>(
          database,
          'select count(*)::integer as issues from issues',
        );
        expect(counted).toEqual({ issues: 5_000 });
        expect(await wrongCounters(database)).toEqual([]);
      },
    );
    expect(seen).toEqual([
      { what: 'conversations', done: 0, total: 150 },
      { what: 'conversations', done: 150, total: 150 },
      { what: 'issues', done: 0, total: 60_000 },
      { what: 'issues', done: 5_000, total: 60_000 },
    ]);
  });

  test('refuses a database with content unless append is set', async () => {
    await withSeededDatabase({}, async (database) => {
      const before = await checksums(database);
      await expect(seed(database.url, { ...smallSeed, randomSeed: 8 })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('append'),
      });
      await expect(seed(database.url, { ...smallSeed, append: true })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('another random seed'),
      });
      expect(await checksums(database)).toEqual(before);

      const added = await seed(database.url, { ...smallSeed, append: true, randomSeed: 8 });
      expect(added).toMatchObject({ issues: 800, settings: 0 });
      const [counted] = await queryRows<{ issues: number }>(
        database,
        'select count(*)::integer as issues from issues',
      );
      expect(counted).toEqual({ issues: 1_600 });
      expect(await wrongCounters(database)).toEqual([]);
    });
  });

  test('refuses a database that another seed is filling', async () => {
    const database = await createTestDatabase();
    try {
      const seeds = [seed(database.url, smallSeed), seed(database.url, { ...smallSeed, randomSeed: 8 })];
      const outcomes = await Promise.allSettled(seeds);
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused.map(({ reason }) => reason)).toMatchObject([
        { code: 'conflict', message: expect.stringContaining('Another `backoffice seed` is running') },
      ]);
      const counted = await queryRows(database, 'select count(*)::integer as issues from issues');
      expect(counted).toEqual([{ issues: 800 }]);
    } finally {
      await database.drop();
    }
  });

  test('refuses a database without tables, unless it may create them', async () => {
    const empty = await createEmptyDatabase();
    try {
      await expect(seed(empty.url, smallSeed)).rejects.toMatchObject({
        code: 'failed',
        message: expect.stringContaining('migrate'),
      });
      // As the command does with the embedded database.
      expect(
        await seed(empty.url, { ...smallSeed, migrate: () => migrateUp({ databaseUrl: empty.url }) }),
      ).toMatchObject({ issues: 800 });
    } finally {
      await empty.drop();
    }
  });
});
