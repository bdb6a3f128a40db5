import type { Figure } from './figures/figure.ts';
import { defaultConnections } from './load.ts';

/** Returns the results as Markdown, with a table for each number of issues. */
export function writeReport(figures: readonly Figure[], machine: string): string {
  const tables = [...Map.groupBy(figures, (figure) => figure.issues)]
    .sort(([a], [b]) => a - b)
    .map(([issues, ofSize]) => `## ${issues.toLocaleString('en')} issues\n\n${tableOf(ofSize)}`);
  return `# Benchmark

This compares the service (\`backoffice serve\`, log level \`info\`, signed in) with a baseline: the least code that gives
the same answers (\`servers/baseline.ts\`: node:http and pg, without sessions, checks, a log, events or an audit trail).
Each server has its own process. They are loaded alternately by ${defaultConnections} connections, or by the number that
the row names, and a ratio is the median over the rounds. Where a row has no baseline, the service is compared with
itself. Only the ratios hold on other machines.

- Run it with \`npm run bench\`. It takes about 20 minutes and needs a C compiler, for the slow disk.
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
