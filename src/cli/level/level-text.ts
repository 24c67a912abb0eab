import { escapeForTerminal } from '../../encode/pretty/visible.ts'
import { durationText } from '../../options/duration.ts'
import { sgr, type Paint } from '../../encode/pretty/colors.ts'
import { tableLines, type Cell, type Column } from '../text-table.ts'
import type { LevelsReply } from './levels-reply.ts'

const layerColumns: readonly Column[] = [
  { title: 'ID' },
  { title: 'DIRECTIVES', isFlexible: true },
  { title: 'ENDS' },
  { title: 'SOURCE', dropOrder: 2 },
  { title: 'BY', dropOrder: 1 },
]

const loggerColumns: readonly Column[] = [
  { title: 'LOGGER', isFlexible: true },
  { title: 'LEVEL' },
  { title: 'CONFIGURED', dropOrder: 2 },
  { title: 'NOTE', dropOrder: 1 },
]

/** Returns the directives and the level of each logger as two tables, with their line ends. */
export function levelText(reply: LevelsReply, columns: number, paint: Paint): string {
  const lines = [...changeLines(reply), ...layerLines(reply, columns, paint), '', ...loggerLines(reply, columns, paint)]
  return lines.map((line) => `${line}\n`).join('')
}

function changeLines({ id, reverted }: LevelsReply): string[] {
  if (id !== undefined) return [`Change ${shortId(id)} was added.`, '']
  if (reverted === undefined) return []
  if (reverted.length === 0) return ['There was no change to revert.', '']
  return [`${reverted.length === 1 ? 'Change' : 'Changes'} ${reverted.map(shortId).join(', ')} reverted.`, '']
}

function layerLines({ layers, id: added }: LevelsReply, columns: number, paint: Paint): string[] {
  if (layers.length === 0) return ['No directives are set.']
  const rows = layers.map(({ id, directives, source, by, remainingMillis }): Cell[] => [
    { text: shortId(id), style: id === added ? sgr.bold : undefined },
    { text: directives, style: sgr.cyan },
    { text: remainingMillis === undefined ? 'never' : `in ${durationText(remainingMillis)}` },
    { text: source },
    { text: by ?? '' },
  ])
  return tableLines(layerColumns, rows, columns, paint)
}

function loggerLines({ loggers }: LevelsReply, columns: number, paint: Paint): string[] {
  if (loggers.length === 0) return ['No logger is in use.']
  const rows = loggers.map(({ name, level, configuredLevel, dependsOnRecord }): Cell[] => [
    { text: name === '' ? '(no name)' : name },
    { text: level, style: level === configuredLevel ? undefined : sgr.yellow },
    { text: configuredLevel },
    { text: dependsOnRecord ? 'some records differ' : '' },
  ])
  return tableLines(loggerColumns, rows, columns, paint)
}

/** Returns the beginning of an ID, which `--revert` accepts. */
function shortId(id: string): string {
  return escapeForTerminal(id.slice(0, 8))
}
