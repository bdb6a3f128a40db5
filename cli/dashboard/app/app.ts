import type { Access } from '../../access/access.ts';
import type { BadgeColour } from '../draw/style.ts';
import type { Host } from '../terminal/host.ts';
import type { Stroke } from '../terminal/strokes.ts';
import type { Bell } from './bell.ts';
import type { Connection } from './connection.ts';
import type { Drafts } from './drafts.ts';
import type { Follower } from './follow.ts';
import type { Identity } from './identity.ts';
import type { PreferenceStore } from './preferences.ts';
import type { Action, Dialog, Screen } from './types.ts';
import type { Undo } from './undo.ts';
import type { ViewStore } from './view-store.ts';

/** What a message says: that something is done, that it failed, or something to know. */
export type MessageTone = 'done' | 'failed' | 'note';

export interface Message {
  readonly text: string;
  readonly tone: MessageTone;
}

/** The dashboard without its drawing. State lives here and in what the screens are made of, never in React. */
export interface App {
  /** `local`, or the name of the context, or the host of the server; and the colour of the context. */
  readonly target: string;
  readonly targetColour?: BadgeColour | undefined;
  readonly isReadOnly: boolean;
  readonly preferences: PreferenceStore;
  readonly views: ViewStore;
  readonly host: Host;
  readonly drafts: Drafts;
  readonly undo: Undo;
  readonly connection: Connection;
  readonly follower: Follower;
  readonly bell: Bell;
  /** Who the dashboard acts as; null until the server has told. */
  readonly identity: () => Identity | null;
  readonly call: Access['call'];
  explain(error: unknown): string;
  say(text: string, tone?: MessageTone): void;
  message(): Message | undefined;
  /** Runs work of a key, and says why it failed. */
  attempt(work: () => unknown): Promise<void>;
  /** Loads what a dialog needs, then opens it. Any key cancels. */
  openAfter<T>(load: () => Promise<T>, open: (loaded: T) => unknown): Promise<void>;
  isOpening(): boolean;
  open(dialog: Dialog): void;
  close(dialog: Dialog): void;
  confirm(question: string, yes: () => unknown, no?: () => unknown): Dialog;
  dialog(): Dialog | undefined;
  allScreens(): readonly Screen[];
  /** The screens that the role may see. */
  screens(): readonly Screen[];
  screen(): Screen;
  /** Resolves when what the screen shows is loaded. */
  goTo(screen: Screen): Promise<void>;
  /** Goes to a row of another screen. Esc leads back. */
  visit(screenId: string, key: string | number): void;
  /** Goes to what a filter finds on another screen, or to all of it. Esc leads back. */
  visitAll(screenId: string, filter?: string): void;
  /** Goes back one step: in the dialog, in the screen, or to the screen that one came from. */
  back(): void;
  /** The actions that keys reach now, the most specific first. */
  actions(): readonly Action[];
  /** The actions that every screen has. */
  common(): readonly Action[];
  /** Returns why an action is not offered, in a sentence. */
  refusalOf(action: Pick<Action, 'calls' | 'title'>): string | undefined;
  keysOf(action: Pick<Action, 'id' | 'keys'>): readonly string[];
  perform(action: Action): void;
  press(stroke: Stroke): void;
  /** The strokes of a key that is not complete, such as `S`. */
  pending(): string;
  paste(text: string): void;
  /** A change of many rows that is running, in a sentence. */
  running(): string | undefined;
  setRunning(sentence: string | undefined): void;
  /** A sentence for each thing that quitting would lose. */
  unfinished(): readonly string[];
  /** Loads again what the screen shows, soon: calls within a second share one. */
  refresh(): void;
  /** Says that something may look different. Keys, events and answers say so themselves. */
  changed(): void;
  onChange(listener: () => void): () => void;
  version(): number;
  start(): void;
  stop(): void;
}
