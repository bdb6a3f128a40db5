import type { Figure } from './figures.ts';
import { concurrency } from './load.ts';

/** Returns the results as Markdown, with a table for each number of issues. */
export function writeReport(figures: readonly Figure[], machine: string): string {
  const tables = [...Map.groupBy(figures, (figure) => figure.issues)]
    .sort(([a], [b]) => a - b)
    .map(([issues, ofSize]) => `## ${issues.toLocaleString('en')} issues\n\n${tableOf(ofSize)}`);
  return `# Benchmark

This compares the service (\`backoffice serve\`, log level \`info\`, signed in) with a baseline: the least code that gives
the same answers and writes the same rows (\`baseline.ts\`: node:http and pg, without sessions, checks or a log). Both
create an issue in a transaction with its event and its audit record. A bulk change is compared with the UPDATE alone. Each server has its own process. They are loaded
alternately by ${concurrency} connections, and a ratio is the median over the rounds. Only the ratios hold on other machines.

- Run it with \`npm run bench\`. It takes about ten minutes.
- Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}.

${tables.join('\n\n')}
`;
}

function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map(
    ({ name, service, baseline, result, target, met }) =>
      `| ${[name, service, baseline || '–', result, target, met ? 'yes' : '**no**'].join(' | ')} |`,
  );
  return [
    '| figure | service | baseline | ratio | target | met |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
