import { pages } from '../../../../src/contract/pages.ts';
import type { App } from '../../state/app.ts';
import type { RowSubject } from '../../state/screen-types.ts';
import type { AuditRow } from './row.ts';

/** Returns what can be copied of an audit record. */
export function auditSubject(app: App, record: AuditRow | undefined): RowSubject | undefined {
  if (record === undefined) return undefined;
  const page = `${pages.audit.path}?entry=${record.id}`;
  return {
    short: { text: app.host.webUrl + page, name: `the link of record ${record.id}` },
    whole: { read: () => JSON.stringify(record, null, 2), name: `record ${record.id}` },
    page,
  };
}
