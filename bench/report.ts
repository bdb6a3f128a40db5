import type { Figure } from './figures.ts';
import { concurrency } from './load.ts';

/** The results as Markdown: a table for each number of issues. */
export function writeReport(figures: readonly Figure[], machine: string): string {
  const tables = [...Map.groupBy(figures, (figure) => figure.issues)]
    .sort(([a], [b]) => a - b)
    .map(([issues, ofSize]) => `## ${issues.toLocaleString('en')} issues\n\n${tableOf(ofSize)}`);
  return `# Benchmark

The service (\`backoffice serve\`, its log at \`info\`, a signed-in session) beside the least code that gives the same answers and
leaves the same rows in the same database (\`floor.ts\`: node:http and pg, no session, no checks, no log). A new issue is
for both a transaction with its event and its audit record. Each server is a process of its own; they are loaded in turn
by ${concurrency} connections, and a ratio is the median of those of each round. Only ratios hold on another machine.

- Run it: \`npm run bench\`, some ten minutes.
- Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}.

${tables.join('\n\n')}
`;
}

function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map(
    ({ name, service, floor, result, target, met }) =>
      `| ${[name, service, floor || '–', result, target, met ? 'yes' : '**no**'].join(' | ')} |`,
  );
  return ['| figure | service | floor | ratio | target | met |', '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}
