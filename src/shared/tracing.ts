/** What a span says about itself. Never anything personal: no address, no text, no value of a query, no secret. */
type SpanAttributes = Readonly<Record<string, string | number>>;

export interface SpanOptions {
  readonly name: string;
  /** The part that the process has in the work: by default its own. */
  readonly kind?: 'server' | 'client' | 'consumer';
  readonly attributes?: SpanAttributes;
}

/** A span that has begun. */
export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  fail(): void;
  end(): void;
}

interface ChildSpan {
  readonly span: Span;
  /** Runs work in the span. */
  run<T>(work: () => T): T;
}

/** Makes spans of work, in the context of the work that has started it. */
export interface Tracer {
  /** Starts a span without a parent in this process, and runs the work in it. The caller ends the span. */
  start<T>(options: SpanOptions, traceparent: string | undefined, work: (span: Span) => T): T;
  /** Starts a span of the current span. Undefined without one: what nobody asked for is not traced. */
  startChild(options: SpanOptions): ChildSpan | undefined;
  /** Returns the ids of the current span, as a line of the log has them. */
  currentIds(): { readonly trace_id: string; readonly span_id: string } | undefined;
  /** Returns the current span in the form of the header `traceparent` (https://www.w3.org/TR/trace-context/). */
  traceparent(): string | undefined;
}

/** There is one for the whole process, as there is one environment that configures it. Undefined is no tracing. */
let tracer: Tracer | undefined;

/** Makes spans from now on, or no more. */
export function useTracer(used: Tracer | undefined): void {
  tracer = used;
}

/** Returns what makes spans, if anything does. */
export function currentTracer(): Tracer | undefined {
  return tracer;
}

/** Does work in a span of the current span, if there is one. */
export function inSpan<T>(options: SpanOptions, work: (span?: Span) => Promise<T>): Promise<T> {
  const child = tracer?.startChild(options);
  return child === undefined ? work() : child.run(() => workIn(child.span, work));
}

/** Does work in a span that continues what another process has begun, or begins something. */
export function inNewSpan<T>(
  options: SpanOptions,
  traceparent: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  return tracer === undefined ? work() : tracer.start(options, traceparent, (span) => workIn(span, work));
}

async function workIn<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await work(span);
  } catch (error) {
    span.fail();
    throw error;
  } finally {
    span.end();
  }
}
