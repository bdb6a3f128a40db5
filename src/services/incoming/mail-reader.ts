import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import type { AttachmentFile, MailTask, ReadMail } from './mail-worker.ts';

/** Larger originals are not kept. */
export const maxMailBytes = 25 * 1024 * 1024;
/** What is read of a mail that is too large: its header. */
export const mailHeadBytes = 64 * 1024;

/** A mail as it has come in. */
export interface IncomingMail {
  /** The mail, or the beginning of one that is too large. */
  readonly raw: Buffer;
  /** The bytes of one that is too large. */
  readonly size?: number | undefined;
}

/** Returns what is taken in of a mail: of one that is too large to be kept, the beginning. */
export function takenOf(raw: Buffer, size = raw.length): IncomingMail {
  return size > maxMailBytes ? { raw: raw.subarray(0, mailHeadBytes), size } : { raw };
}

/** Reads mails on a worker thread. */
export type MailReader = ReturnType<typeof createMailReader>;

/** A mail that takes longer was made to. */
const timeoutMs = 20_000;
const maxMegabytes = 1_024;

/** Creates the reader. Its thread starts with the first mail, and ends when idle, or with a mail that takes too much. */
export function createMailReader() {
  let threads: Promise<Piscina<MailTask, ReadMail | AttachmentFile | null>> | undefined;
  let isClosed = false;
  const run = async (task: MailTask) => {
    threads ??= openThread();
    return await (await threads).run(task, { signal: AbortSignal.timeout(timeoutMs) });
  };
  return {
    /** Returns what a mail says, or null if it cannot be read. */
    async read(raw: Uint8Array): Promise<ReadMail | null> {
      try {
        return (await run({ raw })) as ReadMail;
      } catch (error) {
        // The mail is not the cause, and must not be stored as one that cannot be read.
        if (isClosed) throw error;
        return null;
      }
    },
    /** Returns an attachment of a mail, or null if it has no such part. */
    part: async (raw: Uint8Array, part: number) => (await run({ raw, part })) as AttachmentFile | null,
    async close(): Promise<void> {
      isClosed = true;
      await (await threads)?.destroy();
    },
  };
}

async function openThread(): Promise<Piscina<MailTask, ReadMail | AttachmentFile | null>> {
  const { Piscina } = await import('piscina');
  return new Piscina({
    // The worker is beside this file, both in the sources and in the build.
    filename: fileURLToPath(new URL(`mail-worker${extname(import.meta.url)}`, import.meta.url)),
    name: 'runMailTask' satisfies keyof typeof import('./mail-worker.ts'),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
  });
}
