import type { Stroke } from './keys/strokes.ts';
import type { App } from './state/app.ts';
import type { Layer } from './state/screen-types.ts';

/** A key or a pasted text that waits for the dialog that it is meant for. */
type Held = { readonly stroke: Stroke } | { readonly pasted: string };

interface Opening {
  /** What received the keys when the user asked for the dialog. */
  readonly layer: Layer;
  readonly held: Held[];
}

/** Holds the keys while an action waits for a call before it can open its dialog. */
export interface HeldKeys {
  openAfter: App['openAfter'];
  /** Takes a key if a dialog is about to open. Returns false if the key acts as usual. */
  take(stroke: Stroke): boolean;
  takePaste(text: string): boolean;
  isOpening(): boolean;
  stop(): void;
}

/** An answer that comes sooner shows no notice, which would only flicker. */
const noticeMs = 150;

/** These act at once. A question or a shell that they open ends the opening. */
const immediate: readonly (string | undefined)[] = [
  'everywhere.leave',
  'everywhere.redraw',
  'everywhere.suspend',
];

export function holdKeys(app: App): HeldKeys {
  let opening: Opening | undefined;
  let timer: NodeJS.Timeout | undefined;

  const end = () => {
    clearTimeout(timer);
    opening = undefined;
    if (app.store.get().isOpening) app.store.set({ isOpening: false });
  };
  const current = () => {
    if (opening !== undefined && app.layer() !== opening.layer) end();
    return opening;
  };
  const hold = ({ held }: Opening, each: Held) => {
    held.push(each);
    if (!app.store.get().isOpening) app.store.set({ isOpening: true });
    return true;
  };
  /** Gives the dialog its keys. They never reach the list beneath, nor answer a question that nobody has read. */
  const give = ({ layer, held }: Opening) => {
    for (const each of held) {
      const isMeant = opening !== undefined || app.layer() !== layer;
      if (!isMeant || app.layer().chain() === 'confirm') return;
      if ('stroke' in each) app.press(each.stroke);
      else app.paste(each.pasted);
    }
  };

  return {
    async openAfter(load, open, { givesKeys = true } = {}) {
      end();
      const mine: Opening = { layer: app.layer(), held: [] };
      opening = mine;
      timer = setTimeout(() => app.store.set({ isOpening: true }), noticeMs);
      try {
        const loaded = await load();
        if (current() !== mine) return;
        end();
        open(loaded);
        if (givesKeys) give(mine);
      } catch (error) {
        if (current() === mine) app.showMessage(app.explain(error), 'failed');
      } finally {
        if (opening === mine) end();
      }
    },
    take(stroke) {
      const now = current();
      if (now === undefined) return false;
      const action = app.keymap.find(now.layer.chain(), stroke.key);
      if (immediate.includes(action)) return false;
      // After other keys, a q is a letter of what is being typed.
      if (action === 'global.quit' && now.held.length === 0) return false;
      // Esc and a key that arrive together look like Alt and that key.
      const isEsc = action === 'everywhere.back' || (action === undefined && stroke.key.startsWith('alt+'));
      if (!isEsc) return hold(now, { stroke });
      end();
      return true;
    },
    takePaste(pasted) {
      const now = current();
      return now !== undefined && hold(now, { pasted });
    },
    isOpening: () => current() !== undefined,
    stop: () => clearTimeout(timer),
  };
}
