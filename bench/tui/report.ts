/** What was measured in a terminal of one size. */
export interface SizeFigures {
  readonly columns: number;
  readonly rows: number;
  /** From the start until the first frame, the best of several. */
  readonly startMs: number;
  readonly keys: readonly KeyFigure[];
  /** The first jump to the last row, which loads all. */
  readonly loadAllMs: number;
  readonly loadAllCpuMs: number;
  readonly peakMb: number;
}

export interface KeyFigure {
  readonly name: string;
  /** From the key until the terminal gets the start of the next frame. */
  readonly medianMs: number;
  readonly p95Ms: number;
  /** The processor time of all threads per key, which does not depend on other load. */
  readonly cpuMs: number;
}

const maxStartMs = 700;
const maxKeyMs = 50;
const maxKeyCpuMs = 30;
const maxLoadAllMs = 20_000;
const maxPeakMb = 150;

/** Returns the results as Markdown, and how many targets they miss. */
export function writeTuiReport(sizes: readonly SizeFigures[], issues: number, machine: string) {
  let missed = 0;
  const yes = (isMet: boolean) => {
    if (!isMet) missed += 1;
    return isMet ? 'yes' : '**no**';
  };
  const keyRow = ({ name, medianMs, p95Ms, cpuMs }: KeyFigure) =>
    `| ${name} | ${ms(medianMs)} | ${ms(p95Ms)} | ${ms(cpuMs)} | ${yes(p95Ms <= maxKeyMs && cpuMs <= maxKeyCpuMs)} |`;
  const tables = sizes.map((size) => {
    const { startMs, loadAllMs, loadAllCpuMs, peakMb } = size;
    const all = issues.toLocaleString('en');
    return `## ${size.columns}×${size.rows}

| key | median | 95th percentile | CPU per key | met |
|---|---|---|---|---|
${size.keys.map(keyRow).join('\n')}

| figure | result | target | met |
|---|---|---|---|
| start to first frame, best of 5 | ${ms(startMs)} | ≤ ${maxStartMs} ms | ${yes(startMs <= maxStartMs)} |
| jump to the last of ${all} issues, which loads all | ${(loadAllMs / 1000).toFixed(1)} s, ${(loadAllCpuMs / 1000).toFixed(1)} s of CPU | ≤ ${maxLoadAllMs / 1000} s | ${yes(loadAllMs <= maxLoadAllMs)} |
| peak memory | ${peakMb.toFixed(0)} MB | ≤ ${maxPeakMb} MB | ${yes(peakMb <= maxPeakMb)} |
`;
  });
  const text = `# Benchmark of the terminal dashboard

The built dashboard in a pseudo-terminal, directly on a database with ${issues.toLocaleString('en')} issues on the same machine. The time of a key
is the time until the terminal gets the start of the next frame. Its CPU time is that of all threads, on average; it does not
depend on other load. A key should take at most ${maxKeyMs} ms in 95 of 100 cases, and ${maxKeyCpuMs} ms of CPU.

- Run it with \`npm run bench:tui\`. It takes about 3 minutes.
- Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}.

${tables.join('\n')}`;
  return { text, missed };
}

const ms = (time: number) => `${time.toFixed(time < 10 ? 1 : 0)} ms`;
