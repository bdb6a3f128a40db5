import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { tellError } from '../tell.ts';
import type { CsvLine } from './csv.ts';

interface CsvButtonProps {
  /** What the file has, such as `Runs`. */
  readonly label: string;
  /** The name of the file without its ending. */
  readonly file: string;
  /** Returns the lines, of which the first has the titles. Undefined if there is nothing to save yet. */
  readonly lines: (() => readonly CsvLine[] | Promise<readonly CsvLine[]>) | undefined;
}

/** Saves a table as a CSV file. */
export function CsvButton({ label, file, lines }: CsvButtonProps) {
  const saving = useMutation({
    mutationFn: async () => {
      const [content, { csvFile }, { download }] = await Promise.all([
        lines?.() ?? [],
        import('./csv.ts'),
        import('./download.ts'),
      ]);
      download(csvFile(content), `${file}.csv`);
    },
    onError: tellError,
  });
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      disabled={lines === undefined}
      loading={saving.isPending}
      aria-label={`CSV: ${label}`}
      onClick={() => saving.mutate()}
    >
      CSV
    </Button>
  );
}
