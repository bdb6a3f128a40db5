/** Schema migrations: numbered plain SQL in `migrations/`, applied by node-pg-migrate. */
export { createMigration } from './create.ts';
export { isSchemaCurrent } from './ready.ts';
export { migrateDown, migrateUp } from './run.ts';
export { checkSeals, type SealedMigration, sealMigrations } from './seal.ts';
export { type MigrationStatus, migrationStatus } from './status.ts';
