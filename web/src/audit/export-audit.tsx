import { Button } from '@mantine/core';
import { client } from '../app/data/client.ts';
import { download, today } from '../parts/files/download.ts';
import { formatCount } from '../parts/numbers.ts';
import type { AuditFilter } from './audit-filter.ts';
import { useLongRun } from './use-long-run.ts';

const pageSize = 1_000;

interface ExportAuditProps {
  readonly filter: AuditFilter;
  /** How many entries there are, if known. */
  readonly total: number | undefined;
}

/** Saves all entries of the filter as CSV. They are loaded page by page, which can be stopped. */
export function ExportAudit({ filter, total }: ExportAuditProps) {
  const { done, start, cancel } = useLongRun(async (signal, onProgress) =>
    download(await readAll(filter, signal, onProgress), `audit-${today()}.csv`),
  );
  if (done === undefined) {
    return (
      <Button size="compact-sm" variant="default" disabled={total === 0} onClick={start}>
        CSV
      </Button>
    );
  }
  const progress = total === undefined ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`;
  return (
    <Button size="compact-sm" variant="default" onClick={cancel}>
      {progress} · Cancel
    </Button>
  );
}

async function readAll(
  filter: AuditFilter,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<Blob> {
  const { csvText, csvFileOf } = await import('../parts/files/csv.ts');
  const pieces: string[] = [];
  let [done, cursor, isFirst] = [0, undefined as string | undefined, true];
  while (isFirst || cursor !== undefined) {
    const page = await client.call('audit.list', { ...filter, limit: pageSize, cursor }, signal);
    if (isFirst && page.audit[0] !== undefined) pieces.push(csvText([Object.keys(page.audit[0])]));
    pieces.push(csvText(page.audit.map((entry) => Object.values(entry))));
    done += page.audit.length;
    onProgress(done);
    [cursor, isFirst] = [page.nextCursor ?? undefined, false];
  }
  return csvFileOf(pieces);
}
