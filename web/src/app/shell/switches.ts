import { createStore } from '../store.ts';

/** Whether the palette is open. Apart from it, because it is loaded after the page. */
export const paletteSwitch = createStore(false);

/** Opens the palette. */
export const openPalette = (): void => paletteSwitch.set(true);

/** Whether the sheet of shortcuts is open. */
export const sheetSwitch = createStore(false);
