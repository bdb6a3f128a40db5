import { Skeleton } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import sheet from './sheet.module.css';
import styles from './tiles.module.css';

/** Figures beside each other: two by two on a phone. */
export function Tiles({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.tiles}>{children}</dl>;
}

interface TileProps {
  readonly name: ReactNode;
  /** Undefined while it is loaded. */
  readonly figure: ReactNode;
  /** Whether it could not be loaded. */
  readonly isError?: boolean;
  /** Whether it has room for more to say. */
  readonly isWide?: boolean;
  /** What the figure consists of, or what to do about it. */
  readonly children?: ReactNode;
  /** How many lines that has, if their place is there before they are. */
  readonly lines?: number;
  /** Where the tile leads to. */
  readonly link?: LinkProps | undefined;
}

/** A figure with its name. */
export function Tile({ name, figure, isError, isWide, children, lines = 0, link }: TileProps) {
  const shown = figure ?? (isError ? '?' : <Skeleton width="60%" height={16} my={6} data-loading />);
  return (
    <div className={`${sheet.box} ${styles.tile}`} data-wide={isWide || undefined}>
      <dt>
        {link ? (
          <Link {...link} className={styles.link}>
            {name}
          </Link>
        ) : (
          name
        )}
      </dt>
      <dd className={styles.figure}>{shown}</dd>
      {(children || lines > 0) && (
        <dd className={`${sheet.small} ${styles.note}`} style={{ minHeight: lines && lines * 20 - 4 }}>
          {children}
        </dd>
      )}
    </div>
  );
}
