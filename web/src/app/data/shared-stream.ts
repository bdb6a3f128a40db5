import { followEvents } from '../../../../src/contract/client/follow.ts';
import type { EventOrGap } from '../../../../src/contract/events/envelope.ts';
import { wait } from '../../../../src/shared/waiting.ts';
import { client, sharedName } from './client.ts';
import { mayPass } from './query-client.ts';

export type LiveState = 'connecting' | 'live' | 'lost';

interface SharedStreamOptions {
  /** Whose events they are. Tabs of another admin, who has signed in since, have a stream of their own. */
  readonly adminId: string;
  /** The id of the last event that this tab knows. */
  readonly after: number;
  /** Called for each event after that, once and in order. */
  readonly onEvent: (event: EventOrGap) => void;
  readonly onState: (state: LiveState) => void;
  readonly signal: AbortSignal;
}

/** An event as one tab passes it on, with the position of that tab before it. */
interface Passed {
  readonly event: EventOrGap;
  readonly before: number;
}

/** What the tab that reads the stream says of it. */
interface Report {
  readonly state: LiveState;
  readonly position: number;
  /** Whether the tab is hidden. Browsers let such a tab wait long before it connects again. */
  readonly isHidden: boolean;
}

/** Asks the tab that reads the stream for a report. */
const question = 'report';

/** How long a visible tab waits for a hidden one that does not answer or is not connected. */
const takeoverMs = 3_000;
/** How long to wait after a first connection that failed. Later ones are up to the client. */
const retryMs = 2_000;

/**
 * The stream of events of this browser. One tab reads it and passes the events on to the others, because a browser opens
 * only six connections to a host. When that tab is closed, the next one goes on after the last event that it knows.
 *
 * Browsers have locks only on HTTPS and this machine. Without them, each visible tab reads a stream, and a hidden one
 * receives what they pass on.
 */
export class SharedStream {
  readonly #options: SharedStreamOptions;
  readonly #name: string;
  readonly #tabs: BroadcastChannel;
  #position: number;
  #state: LiveState = 'connecting';
  #isReading = false;
  #takeover: ReturnType<typeof setTimeout> | undefined;
  /** Aborts when this tab no longer waits for its turn, and takes it. */
  #waiting = new AbortController();

  constructor(options: SharedStreamOptions) {
    this.#options = options;
    this.#position = options.after;
    this.#name = `${sharedName('events')} ${options.adminId}`;
    this.#tabs = new BroadcastChannel(this.#name);
  }

  /** Follows the events until the signal aborts. Rejects if the service refuses them for good. */
  async follow(): Promise<void> {
    this.#tabs.onmessage = ({ data }) => this.#receive(data);
    const onVisibility = () => (this.#isReading ? this.#report(this.#state) : this.#ask());
    document.addEventListener('visibilitychange', onVisibility);
    try {
      const reading = navigator.locks ? this.#readInTurn() : this.#readWhileVisible();
      this.#ask();
      await reading;
    } finally {
      document.removeEventListener('visibilitychange', onVisibility);
      this.#cancelTakeover();
      this.#tabs.close();
    }
  }

  async #readInTurn(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const steal = this.#waiting.signal.aborted;
      this.#waiting = new AbortController();
      const turn = new AbortController();
      const options = steal ? { steal } : { signal: AbortSignal.any([signal, this.#waiting.signal]) };
      try {
        await navigator.locks.request(this.#name, options, () =>
          this.#read(AbortSignal.any([signal, turn.signal])),
        );
      } catch (error) {
        // Another tab has taken the turn, or this one takes it.
        if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
      } finally {
        turn.abort();
      }
    }
  }

  async #readWhileVisible(): Promise<void> {
    const { signal, onState } = this.#options;
    while (!signal.aborted) {
      await untilHiddenIs(false, signal);
      const turn = new AbortController();
      void untilHiddenIs(true, signal).then(() => turn.abort());
      await this.#read(turn.signal);
      onState('connecting');
    }
  }

  async #read(turn: AbortSignal): Promise<void> {
    this.#isReading = true;
    this.#cancelTakeover();
    try {
      while (!turn.aborted) await this.#readOnce(turn);
    } finally {
      this.#isReading = false;
    }
  }

  async #readOnce(turn: AbortSignal): Promise<void> {
    try {
      const events = followEvents(client, {
        signal: turn,
        after: this.#position,
        onConnect: () => this.#report('live'),
        onLost: () => this.#report('lost'),
      });
      for await (const event of events) {
        const passed = { event, before: this.#position };
        if (this.#take(passed)) this.#tabs.postMessage(passed);
      }
    } catch (error) {
      if (turn.aborted) return;
      this.#report('lost');
      if (!mayPass(error as Error)) throw error;
      await wait(retryMs, turn);
    }
  }

  /** Takes an event that this tab does not know yet. Returns whether it was one. */
  #take({ event, before }: Passed): boolean {
    if (event.type !== 'gap') {
      if (event.id <= this.#position) return false;
      this.#catchUp(before);
    }
    this.#position = event.id;
    this.#options.onEvent(event);
    return true;
  }

  /** Has everything loaded again if events up to a position were passed on while this tab could not hear. */
  #catchUp(position: number): void {
    if (position <= this.#position) return;
    const asked = this.#position;
    this.#position = position;
    this.#options.onEvent({ type: 'gap', id: position, asked });
  }

  #receive(message: Passed | Report | typeof question): void {
    if (message !== question && 'event' in message) this.#take(message);
    else if (message !== question) this.#hear(message);
    else if (this.#isReading) this.#report(this.#state);
  }

  #ask(): void {
    this.#tabs.postMessage(question);
    this.#planTakeover();
  }

  #report(state: LiveState): void {
    this.#setState(state);
    const report: Report = { state, position: this.#position, isHidden: document.hidden };
    this.#tabs.postMessage(report);
  }

  #hear({ state, position, isHidden }: Report): void {
    if (this.#isReading) return;
    this.#catchUp(position);
    this.#setState(state);
    if (state === 'live' || !isHidden) this.#cancelTakeover();
    else this.#planTakeover();
  }

  #setState(state: LiveState): void {
    this.#state = state;
    this.#options.onState(state);
  }

  /** Takes the turn of another tab, unless that one soon says that it is connected or visible. */
  #planTakeover(): void {
    if (this.#isReading || document.hidden) return;
    this.#takeover ??= setTimeout(() => this.#waiting.abort(), takeoverMs);
  }

  #cancelTakeover(): void {
    clearTimeout(this.#takeover);
    this.#takeover = undefined;
  }
}

/** Resolves when the tab is hidden, or visible, or when the signal aborts. */
function untilHiddenIs(isHidden: boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    function check(): void {
      if (document.hidden !== isHidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', check);
      signal.removeEventListener('abort', check);
      resolve();
    }
    document.addEventListener('visibilitychange', check);
    signal.addEventListener('abort', check);
    check();
  });
}
