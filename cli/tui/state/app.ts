import type { Access } from '../../access/access.ts';
import type { BadgeColour } from '../colours/palettes.ts';
import type { MouseRegions } from '../components/region.tsx';
import type { KeptText } from '../keep-text.ts';
import type { ActionId } from '../keys/actions.ts';
import type { Keymap } from '../keys/keymap.ts';
import type { Stroke } from '../keys/strokes.ts';
import type { SessionLog } from '../log/session-log.ts';
import type { PreferenceStore } from '../preferences.ts';
import type { Connection } from '../refresh/connection.ts';
import type { Notifier } from '../refresh/notifier.ts';
import type { View } from '../screens/views/saved-view.ts';
import type { MouseEvent } from '../terminal/mouse.ts';
import type { Host } from './host.ts';
import type { Identity } from './identity.ts';
import type { Dialog, EventNotice, Layer, Screen, ScreenId } from './screen-types.ts';
import type { Store } from './store.ts';
import type { Workplaces } from './workplace.ts';

export interface StatusMessage {
  readonly text: string;
  readonly tone: 'done' | 'failed' | 'note';
}

export interface AppState {
  readonly screen: ScreenId;
  /** The open dialogs; the last one receives the keys. */
  readonly dialogs: readonly Dialog[];
  readonly message: StatusMessage | null;
  readonly connection: Connection;
  /** Null before the server has told. */
  readonly identity: Identity | null;
  readonly now: number;
  /** The strokes of a key that is not complete yet, such as `ctrl+x` of `ctrl+x ctrl+e`. */
  readonly strokes: string;
  /** A dialog opens as soon as a call is answered, and keys wait for it. */
  readonly isOpening: boolean;
}

/** What screens and dialogs can see of the dashboard, and ask of it. */
export interface App {
  readonly store: Store<AppState>;
  readonly keymap: Keymap;
  readonly readOnly: boolean;
  /** The colour of the context that the dashboard works on, if it has one. */
  readonly targetColour: BadgeColour | undefined;
  /** What the dashboard works on: `local`, or the host of a server. */
  readonly target: string;
  readonly preferences: PreferenceStore;
  readonly host: Host;
  readonly notifier: Notifier;
  /** The parts of the screen that the mouse can be used on. */
  readonly regions: MouseRegions;
  /** The view of the issues that opens first. */
  readonly startView: View;
  readonly screens: Readonly<Record<ScreenId, Screen>>;
  /** Runs an operation, and tracks whether there is a connection. */
  readonly call: Access['call'];
  /**
   * Makes a change by several calls. The log has one entry for it, which is undone as one.
   *
   * @param what - what is changed, for the log
   */
  asOne<Result>(what: string, work: (call: Access['call']) => Promise<Result>): Promise<Result>;
  /** Returns why an action is not offered, in a sentence; undefined if it is. */
  refusalOf(action: ActionId): string | undefined;
  /** Returns why the user may not change the current row of the screen; undefined if they may. */
  rowRefusal(): string | undefined;
  /** Returns the screens that the user may see. */
  offeredScreens(): readonly ScreenId[];
  now(): number;
  /** Returns the sentence that describes an error to a person. */
  explain(error: unknown): string;
  open(dialog: Dialog): void;
  close(dialog: Dialog): void;
  /**
   * Loads what a dialog needs, then opens it. Keys that the user types meanwhile are given to the dialog. Does not open it
   * if the user has pressed Esc or gone elsewhere. If loading fails, shows why.
   *
   * @param options.givesKeys - whether the dialog gets the keys; by default it does
   */
  openAfter<Loaded>(
    load: () => Promise<Loaded>,
    open: (loaded: Loaded) => void,
    options?: { readonly givesKeys?: boolean },
  ): Promise<void>;
  /** Shows a message in the footer. A failure stays until the next key. */
  showMessage(text: string, tone?: StatusMessage['tone']): void;
  /** Does the work. If it fails, shows why. */
  attempt(work: () => Promise<void>): Promise<void>;
  /**
   * Asks before something that cannot be undone. The question names it.
   *
   * @param quoted - the text that it is about
   */
  confirm(question: string, onYes: () => Promise<void> | void, quoted?: string): void;
  goTo(screen: ScreenId): void;
  /** Returns the layer that receives the keys. */
  layer(): Layer;
  press(stroke: Stroke): void;
  /** Takes a key while the terminal is too small to show what it would do: only keys that quit, suspend or redraw act. */
  pressUnseen(stroke: Stroke): void;
  /** Reports whether a dialog asks whether to quit and lose what is not saved. */
  isAskingToQuit(): boolean;
  paste(text: string): void;
  /** Takes what a person does with the mouse. */
  point(event: MouseEvent): void;
  /** Runs an action on the screen that it belongs to. */
  runAction(action: ActionId): void;
  /** Refreshes the current screen if an event affects it, and marks the others as stale. */
  onEvents(events: readonly EventNotice[]): void;
  setLive(live: boolean): void;
  /** Draws the whole screen again, for a terminal that may show something else. */
  redraw(): void;
  /** Goes back to the shell, until it continues the dashboard. */
  suspend(): void;
  /** Writes a text that would be lost into a file, and returns its path. */
  keepText(text: KeptText): Promise<string>;
  /**
   * Returns the texts that would be lost if the dashboard ended.
   *
   * @param isForced - the user is not asked, as after a signal
   */
  leftovers(isForced: boolean): readonly KeptText[];
  /** What this session has changed. */
  readonly log: SessionLog;
  /** Returns the visitor of a conversation, if it is loaded. */
  visitorOf(conversationId: string): string | undefined;
  /** The other workplaces that the user can change to. */
  readonly workplaces: Workplaces['all'];
  /** Changes to another workplace. Asks first if that would lose something. */
  moveTo(target: string): void;
  /** Refreshes the current screen now, and every other screen when the user goes to it. */
  refreshAll(): void;
  /** Returns a sentence for each thing that quitting would lose. */
  unsaved(): readonly string[];
  start(): void;
  stop(): void;
}
