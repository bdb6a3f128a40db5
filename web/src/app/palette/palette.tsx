import { Dialog } from '../../form/dialog.tsx';
import { paletteSwitch } from '../shell/switches.ts';
import { Finder } from './finder.tsx';
import styles from './palette.module.css';

/** Finds pages, actions and things by their names. */
export function Palette() {
  const close = () => paletteSwitch.set(false);
  return (
    <Dialog
      opened={paletteSwitch.use()}
      onClose={close}
      size="lg"
      // A drawer or a dialog may be open: the palette leads away from it.
      zIndex={400}
      padding={0}
      centered={false}
      yOffset="12vh"
      withCloseButton={false}
      attributes={{ content: { 'aria-label': 'Commands' } }}
      classNames={{ body: styles.body ?? '' }}
    >
      <Finder onDone={close} />
    </Dialog>
  );
}
