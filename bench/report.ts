import { writeFile } from 'node:fs/promises';

/** The results of a benchmark, which become a page of Markdown. */
export interface Report {
  /** The name of its file in `bench`. */
  readonly file: string;
  readonly title: string;
  /** What was measured, and how to read it. */
  readonly about: string;
  /** How to measure it again. */
  readonly run: string;
  readonly machine: string;
  readonly sections: readonly Section[];
}

/** A part of the results. */
export interface Section {
  readonly heading?: string;
  readonly text?: string;
  readonly tables: readonly Table[];
}

/** A table of figures. Its last column, which the report adds, says whether the target is met. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface Row {
  readonly cells: readonly string[];
  /** Absent for a figure without a target. */
  readonly met?: boolean | undefined;
}

/** Writes the results to their file, says how many targets they miss, and fails the run if there are any. */
export async function writeReport(report: Report): Promise<void> {
  await writeFile(new URL(report.file, import.meta.url), render(report));
  console.log(`Wrote bench/${report.file}.`);
  judge(report.sections);
}

/** Says how many targets the figures meet, and fails the run if one is missed. */
export function judge(sections: readonly Pick<Section, 'tables'>[]): void {
  const rows = sections.flatMap(({ tables }) => tables.flatMap((table) => table.rows));
  const targets = rows.filter(({ met }) => met !== undefined);
  const missed = targets.filter(({ met }) => met === false).length;
  console.log(`${targets.length - missed} of ${targets.length} targets met.`);
  if (missed > 0) process.exitCode = 1;
}

function render({ title, about, run, machine, sections }: Report): string {
  const date = new Date().toISOString().slice(0, 10);
  const parts = [
    `# ${title}`,
    about,
    `- Run it with ${run}\n- Measured on ${date}: ${machine}.`,
    ...sections.flatMap(({ heading, text, tables }) => [
      ...(heading === undefined ? [] : [`## ${heading}`]),
      ...(text === undefined ? [] : [text]),
      ...tables.map(renderTable),
    ]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Returns a table as Markdown. */
export function renderTable({ columns, rows }: Table): string {
  const verdict = (met: boolean | undefined) => (met === undefined ? '' : met ? 'yes' : '**no**');
  const lines = [[...columns, 'met'], ...rows.map(({ cells, met }) => [...cells, verdict(met)])].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
  return [lines[0], `|${'---|'.repeat(columns.length + 1)}`, ...lines.slice(1)].join('\n');
}
