import type { Access } from '../access/access.ts';
import type { Connection } from './connection.ts';
import type { ActionId } from './keys/actions.ts';
import type { Keymap } from './keys/keymap.ts';
import type { Stroke } from './keys/strokes.ts';
import type { Dialog, EventNotice, Layer, Screen, ScreenId } from './screen-types.ts';
import type { Store } from './store.ts';

export interface StatusMessage {
  readonly text: string;
  readonly tone: 'done' | 'failed' | 'note';
}

export interface AppState {
  readonly screen: ScreenId;
  readonly dialogs: readonly Dialog[];
  readonly message: StatusMessage | null;
  readonly connection: Connection;
  readonly now: number;
}

/** What screens and dialogs know of the dashboard around them. */
export interface App {
  readonly store: Store<AppState>;
  readonly keymap: Keymap;
  readonly readOnly: boolean;
  readonly where: string;
  readonly screens: Readonly<Record<ScreenId, Screen>>;
  /** Runs an operation, and minds whether there is a connection. */
  readonly call: Access['call'];
  now(): number;
  explain(error: unknown): string;
  open(dialog: Dialog): void;
  close(dialog: Dialog): void;
  say(text: string, tone?: StatusMessage['tone']): void;
  /** Does something and says what went wrong, where something does. */
  attempt(work: () => Promise<void>): Promise<void>;
  /** Asks before something is destroyed; the question names it. */
  confirm(question: string, yes: () => Promise<void> | void): void;
  go(screen: ScreenId): void;
  /** The layer that keys go to. */
  layer(): Layer;
  press(stroke: Stroke): void;
  paste(text: string): void;
  /** Runs an action by its name, on the screen that has it. */
  run(action: ActionId): void;
  /** Loads anew what is seen, when something has happened that it shows. */
  happened(happenings: readonly EventNotice[]): void;
  setLive(live: boolean): void;
  /** For when the terminal may show something else than what was drawn. */
  redraw(): void;
  /** What would be lost. */
  unsent(): readonly string[];
  start(): void;
  stop(): void;
}
