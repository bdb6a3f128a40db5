import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './tiles.module.css';

/** Figures beside each other: two by two on a phone. */
export function Tiles({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.tiles}>{children}</dl>;
}

interface TileProps {
  readonly name: ReactNode;
  /** Undefined while it is loaded. */
  readonly figure: ReactNode;
  /** Whether it has room for more to say. */
  readonly isWide?: boolean;
  /** What the figure consists of, or what to do about it. */
  readonly children?: ReactNode;
  /** Where the tile leads to. */
  readonly link?: LinkProps | undefined;
}

/** A figure with its name. */
export function Tile({ name, figure, isWide, children, link }: TileProps) {
  return (
    <div className={styles.tile} data-wide={isWide || undefined}>
      <dt>
        {link ? (
          <Link {...link} className={styles.link}>
            {name}
          </Link>
        ) : (
          name
        )}
      </dt>
      <dd className={styles.figure}>
        {figure === undefined ? <span className={styles.skeleton} data-loading /> : figure}
      </dd>
      {children !== undefined && children !== false && <dd className={styles.note}>{children}</dd>}
    </div>
  );
}
