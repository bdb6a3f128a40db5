import { Button, Switch } from '@mantine/core';
import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Note } from '../parts/note.tsx';
import { formatCount } from '../parts/numbers.ts';
import { Count } from '../parts/page/page.tsx';
import { DataGrid } from '../parts/table/data-grid.tsx';
import { useLoadMore } from '../parts/table/use-load-more.ts';
import { auditColumns } from './audit-columns.tsx';
import type { AuditFilter } from './audit-filter.ts';
import styles from './audit-page.module.css';
import { type AuditList, auditTotalQuery, reloadAudit } from './audit-queries.ts';
import { ExportAudit } from './export-audit.tsx';
import { useNewEntries } from './use-new-entries.ts';
import { VerifyAudit } from './verify-audit.tsx';

interface AuditEntriesProps {
  readonly filter: AuditFilter;
  readonly list: UseInfiniteQueryResult<AuditList>;
  /** The entry that is open. */
  readonly current: number | undefined;
  readonly isFollowing: boolean;
  readonly onFollow: (isOn: boolean) => void;
  readonly onOpen: (id: number) => void;
  readonly onClear: () => void;
}

/**
 * The entries that are loaded, and above them those that were made since. New ones come in while the first row is in view.
 * Otherwise they wait, so that nothing moves under the eyes of a reader.
 */
export function AuditEntries(props: AuditEntriesProps) {
  const { filter, list, current, isFollowing, onFollow, onOpen, onClear } = props;
  const loaded = useMemo(() => list.data?.pages.flatMap(({ audit }) => audit) ?? [], [list.data]);
  const { entries, isFull } = useNewEntries(filter, loaded[0]?.id ?? 0);
  const { data: total } = useQuery(auditTotalQuery(filter));
  const [isAtTop, setIsAtTop] = useState(true);
  const [shown, setShown] = useState(entries);
  const [toTop, setToTop] = useState(0);
  if (isFollowing && isAtTop && shown !== entries) setShown(entries);
  const rows = useMemo(() => [...shown, ...loaded], [shown, loaded]);
  const waiting = entries.length - shown.length;

  function showWaiting(): void {
    if (isFull) reloadAudit();
    setShown(entries);
    // A table that is made again begins at its first row.
    setToTop(toTop + 1);
  }

  const loadMore = useLoadMore(list);

  const count = total === undefined ? undefined : total + shown.length;
  return (
    <>
      <div className={styles.status}>
        <Count count={count} noun="entry" plural="entries" />
        {waiting > 0 && (
          <Button size="compact-sm" variant="light" onClick={showWaiting}>
            {formatCount(waiting)}
            {isFull && '+'} new
          </Button>
        )}
        <span className={styles.grow} />
        <VerifyAudit />
        <ExportAudit filter={filter} total={count} />
        <Switch
          label="Follow"
          checked={isFollowing}
          onChange={({ currentTarget }) => onFollow(currentTarget.checked)}
        />
      </div>
      {rows.length === 0 ? (
        <Empty isFiltered={Object.keys(filter).length > 0} onClear={onClear} />
      ) : (
        <DataGrid
          key={toTop}
          label="Audit"
          columns={auditColumns}
          rows={rows}
          total={count}
          current={current}
          onOpen={({ id }) => onOpen(id)}
          onNearEnd={loadMore}
          onTop={setIsAtTop}
        />
      )}
    </>
  );
}

function Empty({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  return isFiltered ? (
    <Note title="No entry matches" action={{ label: 'Clear the filters', run: onClear }}>
      New entries that match appear here.
    </Note>
  ) : (
    <Note title="Nothing was changed yet">
      Every change has an entry here: who made it, when, from where, and what it was before.
    </Note>
  );
}
