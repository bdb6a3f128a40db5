import { useId } from 'react';
import styles from './chart.module.css';
import type { Series } from './chart-data.ts';
import { Fills, fillOf } from './fills.tsx';

/** The names of the series, each with its colour and its pattern. */
export function Legend({ series }: { readonly series: readonly Series[] }) {
  return (
    <ul className={styles.legend}>
      {series.map((one, index) => (
        <li key={one.name} className={styles.legendItem}>
          <Swatch series={series} index={index} />
          <span className={styles.legendName} title={one.name}>
            {one.name}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface SwatchProps {
  readonly series: readonly Series[];
  readonly index: number;
}

/** What the areas of a series look like. */
export function Swatch({ series, index }: SwatchProps) {
  const id = useId();
  const colours = series.map(({ colour }) => colour);
  return (
    <svg width="12" height="12" aria-hidden="true" className={styles.swatch}>
      <Fills id={id} colours={colours} />
      <rect x="0.5" y="0.5" width="11" height="11" fill={fillOf(id, index)} stroke={colours[index]} />
    </svg>
  );
}
