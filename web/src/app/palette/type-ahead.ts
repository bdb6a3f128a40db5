import { useEffect } from 'react';
import { pressedKey } from '../commands/pressed-key.ts';
import { paletteSwitch } from '../shell/switches.ts';

/** What a person has typed since the palette was asked for. */
interface Typed {
  readonly text: string;
  /** Whether Enter came last: the first entry is wanted. */
  readonly isEntered: boolean;
}

const nothing: Typed = { text: '', isEntered: false };

/** For how long keys are kept for a palette that does not come, such as without a network. */
const longestMs = 10_000;

let typed = nothing;
/** Until when keys are kept, in milliseconds of the page. */
let keptUntil = 0;

/** Returns what was typed before the field of the palette had the focus. From now on the keys are the field's. */
export function takeTyped(): Typed {
  const before = typed;
  typed = nothing;
  keptUntil = 0;
  return before;
}

/** Opens the palette. What is typed until its field is there, which is loaded the first time, is kept for it. */
export function openPalette(): void {
  if (paletteSwitch.get()) return;
  typed = nothing;
  keptUntil = performance.now() + longestMs;
  paletteSwitch.set(true);
}

function isPaletteKey(event: KeyboardEvent): boolean {
  const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  return isCommand && pressedKey(event).toLowerCase() === 'k';
}

/** Opens the palette by its key, and keeps keys from the page and its shortcuts until it takes them. The shell calls it once. */
export function useTypeAhead(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const isKept = paletteSwitch.get() && performance.now() < keptUntil;
      // Also from within a field, where no other shortcut works.
      if (isPaletteKey(event)) {
        event.preventDefault();
        openPalette();
        return;
      }
      if (!isKept || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (event.key === 'Escape') {
        takeTyped();
        paletteSwitch.set(false);
      } else if (event.key === 'Enter') typed = { ...typed, isEntered: true };
      else if (event.key === 'Backspace') typed = { ...typed, text: typed.text.slice(0, -1) };
      else if (event.key.length === 1 && !typed.isEntered) typed = { ...typed, text: typed.text + event.key };
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    // Before anything on the page: the field that had the focus is not meant.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
}
