/** Schema migrations: numbered plain SQL in `migrations/`, applied by node-pg-migrate. */
export { createMigration } from './migrate/create.ts';
export { isSchemaCurrent } from './migrate/ready.ts';
export { migrateDown, migrateUp } from './migrate/run.ts';
export { checkSeals, type SealedMigration, sealMigrations } from './migrate/seal.ts';
export { type MigrationStatus, migrationStatus } from './migrate/status.ts';
