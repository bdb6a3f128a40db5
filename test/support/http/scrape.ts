import { expect } from 'vitest';

/** A metric of a scrape. */
export interface Metric {
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a scrape contains, by the names of the metrics. */
export type Scrape = ReadonlyMap<string, Metric>;

/** Scrapes the metrics at that URL, as Prometheus does. */
export async function scrape(url = ''): Promise<Scrape> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return parseScrape(await response.text());
}

const sampleLine =
  /^(?<name>[a-zA-Z_:][\w:]*)(\{(?<labels>.*)\})? (?<value>-?(\d+(\.\d+)?(e[+-]?\d+)?|\+?Inf|NaN))$/i;
const label = /^(?<name>[a-zA-Z_]\w*)="(?<value>([^"\\\n]|\\[\\"n])*)"(,|$)/;

/** Parses the text format of Prometheus strictly: each sample follows the help and the type of its metric, and is unique. */
function parseScrape(text: string): Scrape {
  if (!text.endsWith('\n')) throw new Error('The last line is not complete.');
  const metrics = new Map<string, Metric>();
  const seen = new Set<string>();
  let current: { name: string; metric: Metric } | undefined;
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (metrics.has(name)) throw new Error(`${name} is there twice.`);
      current = { name, metric: { type: '', help: rest, samples: [] } };
    } else if (kind === 'TYPE') {
      if (current?.name !== name) throw new Error(`${name} has no help.`);
      current = { name, metric: { ...current.metric, type: rest } };
      metrics.set(name, current.metric);
    } else {
      const sample = parseSample(line);
      if (!current || !belongsTo(sample.name, current.name, current.metric.type))
        throw new Error(`Stray: ${line}`);
      const identity = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
      if (seen.has(identity)) throw new Error(`Twice: ${line}`);
      seen.add(identity);
      current.metric.samples.push(sample);
    }
  }
  return metrics;
}

function belongsTo(sample: string, metric: string, type: string): boolean {
  const suffixes = { histogram: ['_bucket', '_sum', '_count'], summary: ['', '_sum', '_count'] }[type] ?? [
    '',
  ];
  return suffixes.some((suffix) => sample === metric + suffix);
}

function parseSample(line: string): Sample {
  const { name = '', labels = '', value = '' } = sampleLine.exec(line)?.groups ?? {};
  if (name === '') throw new Error(`Not a sample: ${line}`);
  const parsed: Record<string, string> = {};
  let rest = labels;
  while (rest !== '') {
    const found = label.exec(rest);
    if (found?.groups === undefined) throw new Error(`Not a label: ${rest}`);
    parsed[found.groups.name ?? ''] = found.groups.value ?? '';
    rest = rest.slice(found[0].length);
  }
  return { name, labels: parsed, value: Number(value.replace('Inf', 'Infinity')) };
}

/**
 * Returns the sum of the samples that have these labels, or undefined if there is none.
 *
 * @param name - with the suffix of a histogram, such as `_count`
 */
export function sampleOf(
  found: Scrape,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const metric = found.get(name) ?? found.get(name.replace(/_(bucket|sum|count)$/, ''));
  const samples = metric?.samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return samples?.length ? samples.reduce((sum, { value }) => sum + value, 0) : undefined;
}
