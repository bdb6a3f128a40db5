import type { Interceptor } from 'slonik';
import { currentTracer, type Span } from '../../shared/tracing.ts';

const maxTextLength = 2_000;

/** What slonik keeps of a statement has the span under this name. */
const key = 'span';

/** Returns the span of a statement. Its text has placeholders in place of the values. */
export function statementSpan(text: string) {
  const statement = text.replaceAll('$slonik_', '$').replace(/\s+/g, ' ').trim();
  const [verb = ''] = statement.split(' ', 1);
  return {
    name: `postgresql ${verb.toLowerCase()}`,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': statement.slice(0, maxTextLength) },
  } as const;
}

/** The span of work on one connection, such as a transaction. It includes the wait for the connection. */
export function connectionSpan(kind: string) {
  return {
    name: `postgresql ${kind}`,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql' },
  } as const;
}

/** Makes a span of each statement that slonik runs for somebody. */
export function traceStatements(): Interceptor {
  const end = (sandbox: Readonly<Record<string, unknown>>, isFailed = false) => {
    const span = sandbox[key] as Span | undefined;
    if (isFailed) span?.fail();
    span?.end();
  };
  return {
    name: 'trace-statements',
    beforeQueryExecution({ sandbox }, query) {
      sandbox[key] = currentTracer()?.startChild(statementSpan(query.sql))?.span;
      return null;
    },
    afterQueryExecution({ sandbox }) {
      end(sandbox);
      return null;
    },
    queryExecutionError({ sandbox }) {
      end(sandbox, true);
      return null;
    },
  };
}
