import type { Socket } from 'node:net';
import { type ConnectionKey, connectionKey, readRetransmissions } from './retransmissions.ts';

export interface LostClientsOptions {
  readonly intervalMs?: number;
  /** How long a client may leave bytes without an answer. */
  readonly timeoutMs?: number;
  readonly read?: () => Promise<ReadonlyMap<ConnectionKey, number>>;
}

/** The bytes that a client does not acknowledge. */
interface Silence {
  readonly since: number;
  readonly retransmissions: number;
}

/**
 * Disconnects clients whose network has vanished. Nothing tells the service: what it writes waits in the system, which
 * tries for a quarter of an hour to send it (`net.ipv4.tcp_retries2`). Only Linux says that it does.
 */
export class LostClients {
  readonly #options: Required<LostClientsOptions>;
  readonly #silences = new Map<Socket, Silence | undefined>();
  #checking: ReturnType<typeof setInterval> | undefined;

  constructor({
    intervalMs = 15_000,
    timeoutMs = 30_000,
    read = readRetransmissions,
  }: LostClientsOptions = {}) {
    this.#options = { intervalMs, timeoutMs, read };
  }

  /** Watches a connection until it is closed. Something must be written to it now and then. */
  watch(socket: Socket): void {
    if (socket.destroyed || this.#silences.has(socket)) return;
    this.#silences.set(socket, undefined);
    this.#checking ??= setInterval(() => void this.#check(), this.#options.intervalMs).unref();
    socket.once('close', () => {
      this.#silences.delete(socket);
      if (this.#silences.size > 0) return;
      clearInterval(this.#checking);
      this.#checking = undefined;
    });
  }

  async #check(): Promise<void> {
    const retransmissions = await this.#options.read();
    const now = performance.now();
    for (const [socket, silence] of this.#silences) {
      const key = connectionKey(socket);
      const count = (key && retransmissions.get(key)) ?? 0;
      // An answer sets the count back to 0.
      const goesOn = silence !== undefined && count >= silence.retransmissions;
      const since = goesOn ? silence.since : now;
      this.#silences.set(socket, count > 0 ? { since, retransmissions: count } : undefined);
      if (count > 0 && now - since >= this.#options.timeoutMs) socket.destroy();
    }
  }
}
