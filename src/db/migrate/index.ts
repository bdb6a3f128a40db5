/** Schema migrations: numbered plain SQL in `migrations/`, applied with node-pg-migrate. */
export { createMigration, InvalidMigrationNameError } from './create.ts';
export { migrateDown, migrateUp, planMigrations } from './migrate.ts';
export { checkSeals, type SealedMigration, sealMigrations } from './seals.ts';
export { type MigrationStatus, migrationStatus } from './status.ts';
