import { jobSchema } from '../job-queue/pool.ts';
import { migrationsTable } from '../migrate/migration-lock.ts';

/** The schemas whose objects belong to the service. */
export const ownSchemas = ['public', jobSchema] as const;

/** What the runtime role may do with the rows of a table. Never TRUNCATE, TRIGGER, REFERENCES or MAINTAIN. */
export const tablePrivileges = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;

/** What it may do with a sequence. */
export const sequencePrivileges = ['USAGE', 'SELECT'] as const;

/**
 * The tables of which it may do less: the audit trail, and which migrations are applied. Functions that run as the owner
 * move changes from recorded_changes to the trail, redact records and delete those that are too old.
 */
export const restrictedTables: Readonly<Record<string, readonly string[]>> = {
  'public.audit_records': ['SELECT'],
  'public.audit_anchors': ['SELECT'],
  'public.recorded_changes': ['SELECT', 'INSERT'],
  [`public.${migrationsTable}`]: ['SELECT'],
  [`${jobSchema}.migrations`]: ['SELECT'],
};

/** The tables that nobody but the owner may change, truncate or delete from. */
export const auditTables = ['audit_records', 'audit_anchors', 'recorded_changes'] as const;
