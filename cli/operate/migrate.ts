import type { MigrationStatus } from '../../src/db/migrate/status.ts';
import { withSchemaAccess } from '../access/database.ts';
import { FailedError } from '../errors.ts';
import { emitList } from '../output/emit.ts';
import { type Column, timeColumn } from '../terminal/columns.ts';
import { print, remark } from '../terminal/terminal.ts';
import type { Tone } from '../terminal/tones.ts';
import { flag } from '../verb/parameters.ts';
import { type Noun, verb } from '../verb/verb.ts';

const list = { name: 'migrations', id: 'name', fields: () => ['name', 'state', 'appliedAt'] };

const tones: Readonly<Partial<Record<MigrationStatus['state'], Tone>>> = {
  applied: 'good',
  pending: 'warning',
};

const columns: readonly Column<MigrationStatus>[] = [
  { heading: 'migration', field: 'name', value: ({ name }) => name },
  {
    heading: 'state',
    value: ({ state }) => state,
    tone: ({ state }) => tones[state] ?? 'bad',
  },
  timeColumn('applied', 'appliedAt', { dropAs: 1 }),
];

/** The schema of the database. */
export const migrate: Noun = {
  example: 'backoffice migrate status',
  verbs: {
    status: verb({
      about: 'show which migrations are applied, pending or edited',
      output: 'table',
      fields: list.fields,
      examples: ['backoffice migrate status --json name,state'],
      async run({ format, command }) {
        const { migrationStatus } = await import('../../src/db/migrate/status.ts');
        const found = await withSchemaAccess(command, (access) => migrationStatus(access), false);
        await emitList({ migrations: found }, format, list, columns, { none: 'No migrations.' });
        if (found.some(({ state }) => state === 'edited' || state === 'missing'))
          throw new FailedError('An applied migration was edited or is missing. Restore its file.');
      },
    }),

    up: verb({
      about: 'apply all pending migrations',
      params: { dryRun: flag('only show what would be applied') },
      output: 'nothing',
      examples: ['backoffice migrate up --dry-run'],
      async run({ given: { dryRun }, command }) {
        const { migrateUp, planMigrations } = await import('../../src/db/migrate/migrate.ts');
        await withSchemaAccess(command, async (access) => {
          const plan = dryRun ? await planMigrations(access) : undefined;
          const names = plan?.names ?? (await migrateUp({ ...access, log: remark }));
          if (plan !== undefined && names.length > 0) remark(plan.disk);
          if (plan?.adopts) print('Would adopt the schema of Backoffice 0.2.0');
          for (const name of names) print(`${dryRun ? 'Would apply' : 'Applied'} ${name}`);
          if (names.length === 0 && !plan?.adopts) print('The schema is up to date.');
        });
      },
    }),
  },
};
