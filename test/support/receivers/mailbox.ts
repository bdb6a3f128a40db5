import { createRequire } from 'node:module';
import type { Server, Socket } from 'node:net';
import { listenOnLoopback } from './listen.ts';

interface StoredMail {
  readonly uid: number;
  readonly flags: readonly string[];
}

/** What the tests use of hoodiecrow, which has no types. */
interface Hoodiecrow {
  readonly server: Server;
  readonly folderCache: { INBOX: { messages: StoredMail[]; uidvalidity: number; uidnext: number } };
  appendMessage(folder: string, flags: readonly string[], at: Date, raw: string): void;
}

const hoodiecrow: (options: object) => Hoodiecrow = createRequire(import.meta.url)('hoodiecrow-imap');

/** A mailbox on the loopback, which IMAP_URL leads to. */
export async function startMailbox() {
  const users = { 'support@x': { password: 'p%ss' } };
  const imap = hoodiecrow({ plugins: ['IDLE', 'ID', 'ENABLE', 'LITERALPLUS'], users });
  const sockets = new Set<Socket>();
  let isFrozen = false;
  imap.server.on('connection', (socket) => {
    sockets.add(socket);
    if (isFrozen) socket.pause();
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  const port = await listenOnLoopback(imap.server);
  const box = imap.folderCache.INBOX;
  return {
    /** The value of IMAP_URL. */
    url: `imap://support%40x:p%25ss@127.0.0.1:${port}`,
    /** Delivers a mail. */
    append: (raw: Buffer, flags: readonly string[] = []) =>
      imap.appendMessage('INBOX', flags, new Date(), raw.toString('latin1')),
    /** Reports whether each mail is marked as seen. */
    seen: () => box.messages.map(({ flags }) => flags.includes('\\Seen')),
    /** Gives all mails other UIDs, as after a restore of the mail server. */
    renumber() {
      box.uidvalidity += 1;
      for (const mail of box.messages) Object.assign(mail, { uid: mail.uid + 1_000 });
      box.uidnext += 1_000;
    },
    /** Cuts the connections. */
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    /** Has the server read nothing, and so answer nothing, until `freeze(false)`. */
    freeze(frozen = true) {
      isFrozen = frozen;
      for (const socket of sockets) frozen ? socket.pause() : socket.resume();
    },
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => imap.server.close(resolve));
    },
  };
}
