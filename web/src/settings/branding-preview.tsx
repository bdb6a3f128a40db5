import { shadesOf } from '../../../src/contract/known-settings/accent-shades.ts';
import { useBranding } from '../app/theme/branding.tsx';
import styles from './branding-preview.module.css';

/** Shows an accent in both themes, and says where it is not shown as it is. */
export function BrandingPreview({ accent }: { readonly accent: string }) {
  const { name } = useBranding();
  const { light, dark, filled } = shadesOf(accent);
  return (
    <div className={styles.previews}>
      {[
        { theme: 'light', ...light },
        { theme: 'dark', ...dark },
      ].map(({ theme, accent: shade, selection }) => (
        <figure key={theme} className={styles.preview}>
          <div className={styles.picture} data-theme={theme} aria-hidden="true">
            <strong>{name}</strong>
            <span className={styles.selected} style={{ background: selection, color: shade }}>
              Issues
            </span>
            <span style={{ color: shade }}>A link</span>
            <span className={styles.button} style={{ background: filled }}>
              Save
            </span>
          </div>
          <figcaption className={styles.caption}>{captionOf(theme, accent, shade)}</figcaption>
        </figure>
      ))}
    </div>
  );
}

function captionOf(theme: string, accent: string, shade: string): string {
  if (shade === accent.toLowerCase()) return `In the ${theme} theme it is shown as it is.`;
  const wrong = theme === 'light' ? 'pale' : 'dark';
  return `In the ${theme} theme it is too ${wrong} for texts, so the nearest shade ${shade} is shown.`;
}
