import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { listenOnLoopback } from './listen.ts';

/** A span as a collector receives it, with its attributes as an object. */
interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** An OpenTelemetry collector on the loopback, which takes traces by OTLP over HTTP as JSON. */
export type TraceCollector = Awaited<ReturnType<typeof startTraceCollector>>;

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export async function startTraceCollector() {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  let resource: ReturnType<typeof toObject> = {};
  const server = createServer(async (req, res) => {
    const isExport = req.url === '/v1/traces' && req.headers['content-type'] === 'application/json';
    const body = await text(req);
    if (!isExport) return void res.writeHead(400).end();
    bodies.push(body);
    for (const sent of JSON.parse(body).resourceSpans) {
      resource = toObject(sent.resource.attributes);
      for (const scope of sent.scopeSpans) spans.push(...scope.spans.map(toSpan));
    }
    res.setHeader('Content-Type', 'application/json');
    res.end('{}');
  });
  const port = await listenOnLoopback(server);
  return {
    /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
    url: `http://127.0.0.1:${port}`,
    spans,
    /** The attributes of the process that sent the latest spans. */
    get resource() {
      return resource;
    },
    /** The bodies as they came. */
    bodies,
    /** Resolves with a span of that name, as soon as there is one. */
    async find(name: string, traceId?: string) {
      const find = () =>
        spans.find((span) => span.name === name && (traceId === undefined || span.traceId === traceId));
      await expect.poll(find, { interval: 10 }).toBeDefined();
      return find() as ReceivedSpan;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toSpan(sent: Record<string, unknown>): ReceivedSpan {
  const { traceId, spanId, parentSpanId, name, kind, attributes, status } =
    sent as unknown as ReceivedSpan & {
      attributes: Attribute[];
      status: { code?: number };
    };
  const failed = status.code === 2;
  return { traceId, spanId, parentSpanId, name, kind, failed, attributes: toObject(attributes) };
}

function toObject(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** A metric of a scrape. */
interface Metric {
  type: string;
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

const sampleLine = /^(?<name>[\w:]+)(\{(?<labels>.*)\})? (?<value>\S+)$/;

/** Parses the text format of Prometheus: each metric has a help, a type, and samples. */
function parseScrape(text: string): Scrape {
  const metrics = new Map<string, Metric>();
  let current: Metric | undefined;
  for (const line of text.trimEnd().split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') metrics.set(name, { type: '', help: rest, samples: [] });
    else if (kind === 'TYPE') {
      current = metrics.get(name);
      if (current !== undefined) current.type = rest;
    } else current?.samples.push(parseSample(line));
  }
  return metrics;
}

function parseSample(line: string): Sample {
  const { name = '', labels = '', value = '' } = sampleLine.exec(line)?.groups ?? {};
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, text])),
    value: Number(value.replace('Inf', 'Infinity')),
  };
}

/**
 * Returns the sum of the samples that have these labels, or undefined if there is none.
 *
 * @param name - with the suffix of a histogram, such as `_count`
 */
export function sampleOf(found: Scrape, name: string, labels: Readonly<Record<string, string>> = {}) {
  const metric = found.get(name) ?? found.get(name.replace(/_(bucket|sum|count)$/, ''));
  const samples = metric?.samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return samples?.length ? samples.reduce((sum, { value }) => sum + value, 0) : undefined;
}
