import { getRouteApi } from '@tanstack/react-router';
import { lazyPart } from '../app/lazy-part.ts';
import { filterReader } from '../kit/address.ts';
import { Filters } from '../kit/filters.tsx';
import { useList } from '../kit/list.ts';
import { Table } from '../kit/table.tsx';
import { drawerPlace, Page } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { audit, auditNoun } from './audit-resource.tsx';

const AuditDrawer = lazyPart(() => import('./audit-drawer.tsx'), 'AuditDrawer', drawerPlace);

const route = getRouteApi('/signed-in/audit');
const filterOf = filterReader(auditNoun);

/** Shows who changed what, when and from where, as it happens. */
export function AuditPage() {
  const { entry, ...search } = route.useSearch();
  const list = useList(audit, filterOf(search));
  return (
    <Page title="Audit" bar={<Filters list={list} hasCsv />}>
      <p className={sheet.note}>
        Run <code>backoffice audit verify</code> to prove that no record was changed or deleted.
      </p>
      <Table
        list={list}
        href={({ id }) => ({ entry: id })}
        current={entry}
        empty={{
          title: 'Nothing has changed yet',
          text: 'Every change has a record here: who made it, when, from where, and what it was before.',
        }}
      />
      {entry !== undefined && <AuditDrawer list={list} id={entry} />}
    </Page>
  );
}
