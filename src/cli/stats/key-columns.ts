import { sgr } from '../../encode/pretty/colors.ts'
import type { Cell, Column } from '../text-table.ts'
import type { Group, GroupTable } from './group-table.ts'
import { templateText } from '../../read/templates/templates.ts'

/** A column that shows a property of each group. */
export interface GroupColumn extends Column {
  cell(group: Group): Cell
}

const levelStyles = new Map<string, string>([
  ['trace', sgr.dim],
  ['debug', sgr.cyan],
  ['info', sgr.green],
  ['warn', sgr.yellowBold],
  ['error', sgr.redBold],
  ['fatal', sgr.redReversed],
])

/** Returns the color of a level; undefined for one that is not standard. */
export function levelStyle(level: string): string | undefined {
  return levelStyles.get(level)
}

/** The columns of what the records of a group have in common. */
export interface KeyColumns {
  readonly left: readonly GroupColumn[]
  /** The message, which is the longest text. */
  readonly right: readonly GroupColumn[]
}

/** Returns the columns of the keys of a table. If there are several keys, a key that no shown group has is omitted. */
export function keyColumns({ by }: GroupTable, shown: readonly Group[]): KeyColumns {
  const isUsed = (index: number) =>
    by.length === 1 || by[index] === 'template' || shown.some(({ values }) => values[index] !== undefined)
  const indexes = by.map((_, index) => index).filter(isUsed)
  const isTemplate = (index: number) => by[index] === 'template'
  return {
    left: indexes.filter((index) => !isTemplate(index)).map((index) => keyColumn(by[index]!, index)),
    right: indexes.filter(isTemplate).map((index) => keyColumn('message', index)),
  }
}

function keyColumn(key: string, index: number): GroupColumn {
  return { title: key.toUpperCase(), isFlexible: true, cell: (group) => keyCell(group, key, index) }
}

function keyCell({ values, isText }: Group, key: string, index: number): Cell {
  const value = values[index]
  if (value === undefined) return { text: isText && key === 'level' ? '(text)' : '-', style: sgr.dim }
  if (typeof value === 'string') return { text: value, style: key === 'level' ? levelStyle(value) : undefined }
  const text = templateText(value)
  return text === '' ? { text: '(no message)', style: sgr.dim } : { text }
}
