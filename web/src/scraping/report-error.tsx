import { ReportIssue } from '../issues/report-issue.tsx';
import { kindOf } from './scraping-errors.tsx';
import type { LinkedError } from './scraping-queries.ts';

interface ReportErrorProps {
  readonly error: LinkedError;
  readonly onClose: () => void;
}

/** The longest title of an issue, in characters. */
const titleLength = 1_000;

/** Reports an issue from an error, which it is linked to. */
export function ReportError({ error, onClose }: ReportErrorProps) {
  const { id, source, runId, url, message, occurredAt } = error;
  const lines = [message, url, `${kindOf(error)}, ${source}, run ${runId}, ${occurredAt}`];
  return (
    <ReportIssue
      source={{ scraping_error_id: id }}
      texts={{
        title: `${source}: ${message === '' ? kindOf(error) : message}`.slice(0, titleLength),
        category: 'Scraping',
        description: lines.filter((line) => line !== '').join('\n'),
      }}
      onReported={onClose}
      onClose={onClose}
    />
  );
}
