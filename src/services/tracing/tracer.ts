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
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Span as OwnSpan, SpanOptions, Tracer } from '../../shared/tracing.ts';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;
const propagator = new W3CTraceContextPropagator();

/** Returns what makes spans with OpenTelemetry. Each asynchronous piece of work knows its span. */
export function tracerOn(tracer: OpenTelemetryTracer): Tracer {
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
