import styles from './chart.module.css';
import { type ChartData, formatOf } from './chart-data.ts';
import type { BandScale, ValueScale } from './scales.ts';

interface AxesProps {
  readonly data: ChartData;
  readonly values: ValueScale;
  readonly bands: BandScale;
  readonly width: number;
  /** Where the bars stand. */
  readonly foot: number;
  readonly bottom: number;
}

/** The values at the left with their lines, and the names under the bars. The bars say both to screen readers. */
export function Axes({ data, values, bands, width, foot, bottom }: AxesProps) {
  const format = formatOf(data);
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group of a drawing takes no focus.
    <g aria-hidden="true">
      {values.ticks.map((tick) => {
        const y = foot - values.heightOf(tick);
        return (
          <g key={tick}>
            <line
              x1={values.left}
              x2={width}
              y1={y}
              y2={y}
              className={tick === 0 ? styles.foot : styles.line}
            />
            <text x={values.left - 8} y={y + 4} className={styles.tick} textAnchor="end">
              {format(tick)}
            </text>
          </g>
        );
      })}
      {data.rows.map(({ id, name }, index) => {
        if (!bands.hasName(index)) return null;
        return (
          <text
            key={id}
            x={bands.startOf(index) + bands.width / 2}
            y={bottom - 6}
            className={styles.tick}
            textAnchor="middle"
          >
            {name}
          </text>
        );
      })}
    </g>
  );
}
