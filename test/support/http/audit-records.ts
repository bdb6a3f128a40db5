import type { Backoffice } from './backoffice.ts';

export interface AuditRecord {
  readonly event: string;
  readonly subject_id: string;
  readonly before: object | null;
  readonly after: object | null;
}

/** Returns the audit records of an operation, oldest first. */
export async function auditRecordsOf({ sql }: Backoffice, operation: string): Promise<AuditRecord[]> {
  return await sql<AuditRecord & Record<string, unknown>>(
    'select event, subject_id, before, after from audit_records where operation = $1 order by id',
    [operation],
  );
}
