import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Candidate } from './candidate.ts';
import type { LookupTask } from './lookup-worker.ts';

/** Milliseconds that a person waits at a prompt. */
const patience = 1_500;

/**
 * Looks values up in the data; finds none where that fails or takes too long. It is done in a thread, because a thread
 * can be ended at any moment, connections and all, and whatever it prints or throws is seen by nobody.
 */
export async function lookUp(task: LookupTask): Promise<readonly Candidate[]> {
  // The worker is beside this file, in source and as built.
  const file = fileURLToPath(import.meta.url).replace(/lookup(\.[jt]s)$/, 'lookup-worker$1');
  const thread = new Worker(file, { workerData: task, stdout: true, stderr: true });
  // Once the race below is over, nobody is left to hear of a failure.
  thread.on('error', () => {});
  try {
    const [found] = await once(thread, 'message', { signal: AbortSignal.timeout(patience) });
    return found as readonly Candidate[];
  } catch {
    return [];
  } finally {
    await thread.terminate();
  }
}
