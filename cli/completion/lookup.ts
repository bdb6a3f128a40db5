import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { atMost } from '../../src/shared/waiting.ts';
import type { Candidate } from '../verb/parameters.ts';
import type { LookupTask } from './lookup-worker.ts';

/**
 * Looks values up in the data. Returns none if that fails or times out. Runs in a thread, because a
 * thread can be terminated at any moment, together with its connections, and its output and errors stay hidden.
 */
export async function lookUp(task: LookupTask, timeoutMs: number): Promise<readonly Candidate[]> {
  // The worker is next to this file, both in the source and in the build.
  const file = fileURLToPath(new URL(`lookup-worker${extname(import.meta.url)}`, import.meta.url));
  const thread = new Worker(file, { workerData: task, stdout: true, stderr: true });
  // Handles an error that arrives after the timeout.
  thread.on('error', () => {});
  try {
    const message = await atMost(timeoutMs, once(thread, 'message'));
    return message?.[0] ?? [];
  } catch {
    return [];
  } finally {
    await thread.terminate();
  }
}
