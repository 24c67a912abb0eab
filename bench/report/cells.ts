import { figureOf, formatFigure, type FigureName } from '../figures.ts'
import type { Spread } from './statistics.ts'
import type { Comparison } from './targets.ts'

/** Returns the median, with the minimum and the maximum in parentheses. */
export function withRange({ median, min, max }: Spread, text: (value: number) => string): string {
  if (!Number.isFinite(median)) return '-'
  const [numbers, unit] = withoutUnit([median, min, max].map(text))
  return `${numbers[0]} (${numbers[1]}-${numbers[2]})${unit}`
}

/** Returns the range of values, or a single value if both ends have the same text. */
export function rangeOf(values: readonly number[], text: (value: number) => string): string {
  const finite = values.filter((value) => Number.isFinite(value))
  if (finite.length === 0) return '-'
  const [least, most] = [text(Math.min(...finite)), text(Math.max(...finite))]
  if (least === most) return least
  const [numbers, unit] = withoutUnit([least, most])
  return `${numbers.join(' to ')}${unit}`
}

/** Separates numbers from the unit that they share. */
function withoutUnit(texts: readonly string[]): [numbers: readonly string[], unit: string] {
  const unit = / \S+$/.exec(texts[0]!)?.[0] ?? ''
  if (!texts.every((text) => text.endsWith(unit))) return [texts, '']
  return [texts.map((text) => text.slice(0, text.length - unit.length)), unit]
}

export const timesText = (count: number): string => (count === 1 ? 'once' : `${count} times`)

/** Formats a ratio; a small one with one significant digit. */
export const ratioText = (value: number): string => (value < 0.095 ? value.toPrecision(1) : value.toFixed(2))

export function verdict({ met, unsure }: Pick<Comparison, 'met' | 'unsure'>): string {
  if (met === undefined) return ''
  return (met ? 'met' : 'NOT MET') + (unsure ? ', but not in every run' : '')
}

/** Formats the limit of a target: a ratio to the rival, or a value. */
export function limitText({ target, rival, figure }: Comparison): string {
  if (target === undefined) return '-'
  const limit = rival === undefined ? formatFigure(target.limit, figure) : target.limit.toFixed(2)
  return (target.atLeast === true ? '≥ ' : '≤ ') + limit
}

/** Returns whether a ratio of the sluice figure to the rival's is in favor of the rival. */
export const favoursRival = (ratio: number, figure: FigureName): boolean =>
  figureOf(figure).more === true ? ratio < 1 : ratio > 1
