import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createReplyFilter, type TerminalReply } from './reply-filter.ts';

/** What arrives from the terminal without its answers. Ink reads it in place of standard input. */
export interface TerminalInput {
  readonly stream: NodeJS.ReadStream;
  /** Stops reading, so that the process can end. */
  close(): void;
}

/** How long an Esc waits for the rest of an answer. */
const keyWaitMs = 30;

/** @param onReply - receives the answers of the terminal */
export function openTerminalInput(
  stdin: NodeJS.ReadStream,
  onReply: (reply: TerminalReply) => void,
): TerminalInput {
  const decoder = new StringDecoder('utf8');
  const filter = createReplyFilter(onReply);
  const keys = new PassThrough();
  let timer: NodeJS.Timeout | undefined;
  const pass = (text: string) => {
    if (text !== '') keys.write(text);
  };
  const receive = (chunk: Buffer | string) => {
    clearTimeout(timer);
    pass(filter.push(typeof chunk === 'string' ? chunk : decoder.write(chunk)));
    if (filter.holdsKey()) timer = setTimeout(() => pass(filter.release()), keyWaitMs);
  };
  stdin.on('data', receive);
  const stream = Object.assign(keys, {
    isTTY: true,
    isRaw: false,
    setRawMode(isRaw: boolean) {
      stdin.setRawMode(isRaw);
      // Out of raw mode, another program reads the terminal.
      if (isRaw) stdin.resume();
      else stdin.pause();
      return stream;
    },
    ref() {
      stdin.ref();
      return stream;
    },
    unref() {
      stdin.unref();
      return stream;
    },
  }) as unknown as NodeJS.ReadStream;
  return {
    stream,
    close() {
      clearTimeout(timer);
      stdin.off('data', receive);
      stdin.pause();
      stdin.unref();
    },
  };
}
