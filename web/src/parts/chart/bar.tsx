import { Link } from '@tanstack/react-router';
import { type MouseEvent, type PointerEvent, useRef } from 'react';
import styles from './chart.module.css';
import { type ChartData, type ChartRow, formatOf, spoken, sumOf } from './chart-data.ts';
import { fillOf } from './fills.tsx';

interface BarProps {
  readonly data: ChartData;
  readonly row: ChartRow;
  /** The id of the drawing's fills. */
  readonly fills: string;
  readonly isTabStop: boolean;
  /** Whether its values are shown. */
  readonly isActive: boolean;
  /** Whether there is room for the sum above the bar. */
  readonly hasTotal: boolean;
  readonly place: {
    readonly x: number;
    readonly width: number;
    readonly step: number;
    readonly foot: number;
  };
  readonly heightOf: (value: number) => number;
  readonly onShow: () => void;
  readonly onFocus: () => void;
  readonly onBlur: () => void;
}

/** A bar of parts. One that leads somewhere is a link. On a touch screen the first tap shows its values. */
export function Bar(props: BarProps) {
  const { data, row, isTabStop, isActive, onShow, onFocus, onBlur } = props;
  const wasShown = useRef(false);
  const target = {
    'data-bar': true,
    'data-active': isActive || undefined,
    'aria-label': spoken(data, row),
    tabIndex: isTabStop ? 0 : -1,
    className: styles.bar,
    onFocus,
    onBlur,
    onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && onShow(),
    onPointerDown: ({ pointerType }: PointerEvent) => {
      wasShown.current = isActive || pointerType === 'mouse';
      onShow();
    },
  };
  if (row.link === undefined) {
    return (
      // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: one reads it, and presses nothing.
      <g role="img" {...target}>
        <Parts {...props} />
      </g>
    );
  }
  function onClick(event: MouseEvent): void {
    // A click by the keyboard has no pointer.
    if (event.detail > 0 && !wasShown.current) event.preventDefault();
  }
  return (
    <Link {...row.link} {...target} onClick={onClick}>
      <Parts {...props} />
    </Link>
  );
}

function Parts({ data, row, fills, hasTotal, place, heightOf }: BarProps) {
  const { x, width, step, foot } = place;
  const sum = sumOf(row);
  let top = foot;
  return (
    <>
      <rect x={x - (step - width) / 2} width={step} y={0} height={foot} className={styles.band} />
      {data.series.map(({ name, colour }, index) => {
        const height = heightOf(row.values[index] ?? 0);
        if (height === 0) return null;
        top -= height;
        return (
          <rect
            key={name}
            x={x + 0.5}
            width={Math.max(width - 1, 0.5)}
            y={top + 0.5}
            height={Math.max(height - 1, 0.5)}
            fill={fillOf(fills, index)}
            stroke={colour}
          />
        );
      })}
      {hasTotal && sum > 0 && (
        <text x={x + width / 2} y={top - 6} className={styles.total} textAnchor="middle">
          {formatOf(data)(sum)}
        </text>
      )}
    </>
  );
}
