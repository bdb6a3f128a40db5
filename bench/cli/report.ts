import type { Latency } from './latency.ts';
import type { FormMemory } from './memory.ts';

/** A form may take this much more memory for all rows than for a thousand. */
const maxGrowth = 2;

/** The page before the first measurement. */
export const template = `# Benchmark of the command line

The built command, on the same machine as Postgres and the service, with its output in a pipe.

- Run it with \`npm run bench:cli\`, or one part with \`npm run bench:cli -- memory\`. It takes about 5 minutes.

## Latency

<!-- latency -->

<!-- /latency -->

## Memory of whole lists

<!-- memory -->

<!-- /memory -->
`;

interface Section {
  readonly text: string;
  readonly missed: number;
}

/** Renders how long commands take. */
export function renderLatency(measured: readonly Latency[], machine: string): Section {
  const rows = measured.map(({ command, through, ms, floorMs, target }) => {
    const ratio = ms / floorMs;
    const met = target === undefined ? '' : ratio <= target ? 'yes' : '**no**';
    const goal = target === undefined ? '' : `≤ ${target} ×`;
    return `| \`${command}\` | ${through} | ${ms.toFixed(0)} ms | ${floorMs.toFixed(0)} ms | ${ratio.toFixed(1)} × | ${goal} | ${met} |`;
  });
  const text = `The median of 11 runs. The floor of a command that opens nothing is a bare Node that ends at once; of the others, a bare Node
that sends one HTTP request and prints the answer, which is the least that a program such as \`gh\` does on Node.

${measuredOn(machine)}

| command | through | time | floor | ratio | target | met |
|---|---|---|---|---|---|---|
${rows.join('\n')}`;
  const missed = measured.filter(({ ms, floorMs, target }) => target !== undefined && ms / floorMs > target);
  return { text, missed: missed.length };
}

/** Renders how much memory the forms of a list take. */
export function renderMemory(measured: readonly FormMemory[], issues: number, machine: string): Section {
  const isMet = ({ all, few }: FormMemory) => all.peakMb / few.peakMb <= maxGrowth;
  const rows = measured.map((each) => {
    const { form, all, few } = each;
    const growth = `${(all.peakMb / few.peakMb).toFixed(2)} ×`;
    return `| \`issues list ${form}\` | ${few.peakMb.toFixed(0)} MB | ${all.peakMb.toFixed(0)} MB | ${growth} | ${(all.ms / 1000).toFixed(1)} s | ≤ ${maxGrowth} × | ${isMet(each) ? 'yes' : '**no**'} |`;
  });
  const text = `The peak of the resident memory while ${issues.toLocaleString('en')} issues are printed, directly on the database, beside the same command with
\`--limit 1000\`. \`--limit 0\` prints lines with tabs between the values.

${measuredOn(machine)}

| command | 1,000 rows | all rows | growth | time | target | met |
|---|---|---|---|---|---|---|
${rows.join('\n')}`;
  return { text, missed: measured.filter((each) => !isMet(each)).length };
}

const measuredOn = (machine: string) => `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}.`;
