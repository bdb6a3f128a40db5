import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingConfig } from '../../config.ts';
import { useTracer } from '../../shared/tracing.ts';
import { atMost } from '../../shared/waiting.ts';
import { programVersion } from '../../version.ts';
import type { Log } from '../call/log.ts';
import { samplerOf } from './sampler.ts';
import { tracerOn } from './tracer.ts';

/** How long the last spans may take to leave at a stop. */
const flushTimeoutMs = 1_000;

export interface Tracing {
  /** Sends the spans that are left. */
  close(): Promise<void>;
}

/**
 * Begins to trace, and sends the spans to the collector of the environment by OTLP over HTTP. The libraries themselves read
 * the standard variables of the exporter and of the resource.
 */
export function openTracing({ sampler, sampleRatio, batch }: TracingConfig, log: Log): Tracing {
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
