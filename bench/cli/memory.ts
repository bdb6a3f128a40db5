import type { Row, Section } from '../report.ts';
import { backoffice, runNode } from './command.ts';

/** The forms of a list. Each prints every row into a pipe. */
const forms = ['--json', '--json id,title', '--jsonl', '--csv', '--limit 0', '--jsonl --jq .title'];

/** A form may take this much more memory for all rows than for a thousand. */
const maxGrowth = 2;

/** Measures the peak memory of each form of the list of all issues, directly on the database. */
export async function measureMemory(databaseUrl: string, issues: number): Promise<Section> {
  const env = { DATABASE_URL: databaseUrl };
  const rows: Row[] = [];
  for (const form of forms) {
    const words = `issues list ${form}`;
    const first = form === '--limit 0' ? 'issues list --limit 1000' : `${words} --limit 1000`;
    const few = await runNode(backoffice(first), env, true);
    const all = await runNode(backoffice(words), env, true);
    const growth = all.peakMb / few.peakMb;
    rows.push({
      cells: [
        `\`${words}\``,
        `${few.peakMb.toFixed(0)} MB`,
        `${all.peakMb.toFixed(0)} MB`,
        `${growth.toFixed(2)} ×`,
        `${(all.ms / 1000).toFixed(1)} s`,
        `≤ ${maxGrowth} ×`,
      ],
      met: growth <= maxGrowth,
    });
    console.log(rows.at(-1)?.cells.join(', '));
  }
  return {
    heading: 'Memory of whole lists',
    text: `The peak of the resident memory while ${issues.toLocaleString('en')} issues are printed, directly on the database, beside the same command with
\`--limit 1000\`. \`--limit 0\` prints lines with tabs between the values.`,
    tables: [{ columns: ['command', '1,000 rows', 'all rows', 'growth', 'time', 'target'], rows }],
  };
}
