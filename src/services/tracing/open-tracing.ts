import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Tracer as OpenTelemetryTracer,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingConfig } from '../../config.ts';
import { type Span as OwnSpan, type SpanOptions, type Tracer, useTracer } from '../../shared/tracing.ts';
import { atMost } from '../../shared/waiting.ts';
import { programVersion } from '../../version.ts';
import type { Log } from '../call/observer.ts';

/** How long the last spans may take to leave at a stop. */
const flushTimeoutMs = 1_000;

export type Tracing = ReturnType<typeof openTracing>;

/**
 * Begins to trace, and sends the spans to the collector of the environment by OTLP over HTTP. The libraries themselves read
 * the standard variables of the exporter and of the resource.
 */
export function openTracing({ sampler, sampleRatio, batch }: TracingConfig, log: Log) {
  const { version, commit } = programVersion();
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          'service.name': 'backoffice',
          'service.version': version,
          'vcs.ref.head.revision': commit ?? undefined,
        }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(sampler, sampleRatio),
    spanProcessors: [
      new BatchSpanProcessor({ ...batch, exporter: reportLoss(new OTLPTraceExporter(), log) }),
    ],
  });
  useTracer(tracerOn(provider.getTracer('backoffice', version)));
  return {
    /** Sends the spans that are left. */
    async close() {
      useTracer(undefined);
      await atMost(
        flushTimeoutMs,
        provider.shutdown().catch(() => {}),
      );
    },
  };
}

/** Returns an exporter that logs once that the collector takes no spans, and once that it does again. */
function reportLoss(exporter: OTLPTraceExporter, log: Log): SpanExporter {
  let isLost = false;
  return {
    export(spans: ReadableSpan[], done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS;
        if (hasFailed && !isLost) {
          log.warn(
            { reason: result.error?.message },
            'traces cannot be sent and are dropped: check OTEL_EXPORTER_OTLP_ENDPOINT',
          );
        }
        if (!hasFailed && isLost) log.info({}, 'traces are sent again');
        isLost = hasFailed;
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

/** Returns the sampler with that standard name. Version 3 of the library leaves these names to its user. */
function samplerOf(name: TracingConfig['sampler'], ratio: number): Sampler {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = roots[name.replace('parentbased_', '') as keyof typeof roots]();
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;
const propagator = new W3CTraceContextPropagator();

/** Returns what makes spans with OpenTelemetry. Each asynchronous piece of work knows its span. */
function tracerOn(tracer: OpenTelemetryTracer): Tracer {
  const current = new AsyncLocalStorage<Context>();

  function start({ name, kind, attributes = {} }: SpanOptions, parent: Context) {
    const span = tracer.startSpan(
      name,
      { kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind], attributes },
      parent,
    );
    return { span: toOwn(span), context: trace.setSpan(parent, span) };
  }

  return {
    start(options, traceparent, work) {
      const carrier = traceparent === undefined ? {} : { traceparent };
      const { span, context } = start(
        options,
        propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter),
      );
      return current.run(context, () => work(span));
    },
    startChild(options) {
      const parent = current.getStore();
      if (parent === undefined) return undefined;
      const { span, context } = start(options, parent);
      return { span, run: (work) => current.run(context, work) };
    },
    currentIds() {
      const context = current.getStore();
      const ids = context && trace.getSpanContext(context);
      return ids && { trace_id: ids.traceId, span_id: ids.spanId };
    },
    traceparent() {
      const context = current.getStore();
      if (context === undefined) return undefined;
      const carrier: { traceparent?: string } = {};
      propagator.inject(context, carrier, defaultTextMapSetter);
      return carrier.traceparent;
    },
  };
}

function toOwn(span: Span): OwnSpan {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
    end: () => span.end(),
  };
}
