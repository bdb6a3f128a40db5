import type { RunStatus } from '../../../src/contract/vocabulary.ts';
import { Mark } from '../parts/mark.tsx';

/** The words of the states of a run. */
export const runStatusWords = {
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const satisfies Readonly<Record<RunStatus, string>>;

/** The state of a run. */
export function RunStatusMark({ status }: { readonly status: RunStatus }) {
  return <Mark word={runStatusWords[status]} />;
}
