import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { CsvLine } from './csv.ts';
import { downloadCsv } from './download.ts';
import { tellError } from './tell.tsx';
import { formatCount } from './words.ts';

/** What a long export needs of its button: it is stopped by it, and says how many rows it has. */
export interface CsvRun {
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number) => void;
}

interface CsvButtonProps {
  /** What the file has, such as `Runs`. */
  readonly label: string;
  /** The name of the file without its ending. */
  readonly file: string;
  /** How many rows there are, if known. */
  readonly total?: number | undefined;
  /** Returns the lines, of which the first has the titles. Undefined if there is nothing to save yet. */
  readonly lines: ((run: CsvRun) => readonly CsvLine[] | Promise<readonly CsvLine[]>) | undefined;
}

/** Saves a table as a CSV file. A long one shows how far it is, and can be stopped. */
export function CsvButton({ label, file, total, lines }: CsvButtonProps) {
  const [rows, setRows] = useState(0);
  const ending = useRef(new AbortController());
  useEffect(() => () => ending.current.abort(), []);
  const saving = useMutation({
    async mutationFn() {
      ending.current = new AbortController();
      const { signal } = ending.current;
      setRows(0);
      const content = (await lines?.({ signal, onProgress: setRows })) ?? [];
      if (!signal.aborted) downloadCsv(content, `${file}.csv`);
    },
    onError: (error) => !ending.current.signal.aborted && tellError(error),
  });
  const isLong = saving.isPending && rows > 0 && rows !== total;
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      disabled={lines === undefined}
      loading={saving.isPending && !isLong}
      aria-label={isLong ? `Cancel CSV: ${label}` : `CSV: ${label}`}
      onClick={() => (isLong ? ending.current.abort() : saving.mutate())}
    >
      {isLong
        ? `${formatCount(rows)}${total === undefined ? '' : ` of ${formatCount(total)}`} · Cancel`
        : 'CSV'}
    </Button>
  );
}
