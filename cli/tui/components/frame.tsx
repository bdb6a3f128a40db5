import type { EventEmitter } from 'node:events';
import { Box, useInput, usePaste, useStdin, useWindowSize } from 'ink';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useSyncExternalStore } from 'react';
import { functionKeyOf } from '../keys/function-keys.ts';
import { type Stroke, strokesOf } from '../keys/strokes.ts';
import type { App, AppState } from '../state/app.ts';
import type { ScreenId } from '../state/screen-types.ts';
import { useStore } from '../state/store.ts';
import { footer, linesBelow } from './footer.ts';
import { banner, screenAt, tabs } from './header.ts';
import { Line, Lines } from './lines.tsx';
import { MouseContext, Region } from './region.tsx';
import { titleRule } from './title-rule.ts';

/** The smallest size that the screens support. In a smaller terminal the dashboard shows only a message. */
const minColumns = 40;
const minRows = 12;
/** The rows of the screen that stay visible above a dialog, if they are not more than a third. */
const minBodyRows = 6;

/** Draws the whole dashboard, one row lower than the terminal, because a frame of the same height flickers. */
export function Frame({ app }: { readonly app: App }): ReactNode {
  const { columns, rows } = useWindowSize();
  const state = useStore(app.store);
  useLayer(app, columns);
  useRedraw(app, columns, rows);
  const onScreen = useMemo(() => ({ regions: app.regions, isInDialog: false }), [app]);
  const inDialog = useMemo(() => ({ regions: app.regions, isInDialog: true }), [app]);
  const isTooSmall = columns < minColumns || rows < minRows;
  const press = (stroke: Stroke) => (isTooSmall ? app.pressUnseen(stroke) : app.press(stroke));
  useInput((input, key) => {
    for (const stroke of strokesOf(input, key)) press(stroke);
  });
  useFunctionKeys(press);
  usePaste((text) => {
    if (!isTooSmall) app.paste(text);
  });

  const height = rows - 1;
  if (isTooSmall) {
    const wanted = `Too small: ${columns}×${rows} (min ${minColumns}×${minRows})`;
    const lines = [wanted, ...(app.isAskingToQuit() ? ['Not saved. Quit? Ctrl-C: yes'] : [])];
    return <Lines lines={lines} height={Math.min(lines.length, height)} />;
  }
  const screen = app.screens[state.screen];
  const dialog = state.dialogs.at(-1);
  const goTo = (id: ScreenId | undefined) => {
    if (id !== undefined) app.goTo(id);
  };
  const room = height - 3;
  const wanted = dialog === undefined ? 0 : dialog.rows(columns) + 1;
  const wantedPanel =
    wanted === Number.POSITIVE_INFINITY
      ? room
      : Math.min(wanted, room - Math.min(minBodyRows, Math.floor(room / 3)));
  const below = linesBelow(state, columns);
  // A long message takes rows of the screen, so that a dialog stays in place.
  const body = Math.max(0, room - wantedPanel - below.length);
  const panel = room - below.length - body;
  return (
    <Box flexDirection="column" height={height} width={columns}>
      <MouseContext value={onScreen}>
        <Region onMouse={({ kind, x }) => kind !== 'wheel' && goTo(screenAt(app, state, columns, x))}>
          <Line line={tabs(app, state, columns)} />
        </Region>
        <Line line={banner(app, state, columns)} />
        {body > 0 && <screen.View key={screen.id} width={columns} height={body} />}
      </MouseContext>
      {dialog !== undefined && (
        <MouseContext value={inDialog}>
          <Line line={titleRule(dialog.title(), columns)} />
          <dialog.View width={columns} height={panel - 1} />
        </MouseContext>
      )}
      <Footer app={app} state={state} columns={columns} />
      <Lines lines={below} height={below.length} />
    </Box>
  );
}

/** Draws the last line, which follows the cursor of the screen's list. */
function Footer({ app, state, columns }: FooterProps): ReactNode {
  const { position } = app.screens[state.screen];
  const place = useSyncExternalStore(position?.subscribe ?? never, () => position?.text() ?? '');
  return <Line line={footer(app, state, columns, state.dialogs.length === 0 ? place : '')} />;
}

interface FooterProps {
  readonly app: App;
  readonly state: AppState;
  readonly columns: number;
}

/** Takes the keys F1 to F12, which Ink's `useInput` does not report. */
function useFunctionKeys(press: (stroke: Stroke) => void): void {
  const { internal_eventEmitter: input } = useStdin() as unknown as { internal_eventEmitter: EventEmitter };
  const take = useEffectEvent((sequence: string) => {
    const stroke = functionKeyOf(sequence);
    if (stroke !== undefined) press(stroke);
  });
  useEffect(() => {
    input.on('input', take);
    return () => void input.off('input', take);
  }, [input]);
}

const never = () => () => {};

/** Draws the frame again when the keys, title or rows of the layer that receives the keys change. */
function useLayer(app: App, columns: number): void {
  const layer = app.layer();
  useSyncExternalStore(layer.subscribe ?? never, () => {
    const dialog = app.store.get().dialogs.at(-1);
    return `${layer.chain()} ${dialog?.rows(columns)} ${dialog?.title()}`;
  });
}

/** Redraws everything after a resize, because terminals differ in what they do with the old frame. */
function useRedraw(app: App, columns: number, rows: number): void {
  const size = `${columns}×${rows}`;
  const drawn = useRef(size);
  useEffect(() => {
    if (drawn.current === size) return;
    drawn.current = size;
    app.redraw();
  }, [app, size]);
}
