import { painter, sgr, type Paint } from '../../encode/pretty/colors.ts'
import { escapeForTerminal } from '../../encode/pretty/visible.ts'
import type { CommandIo } from '../report/command-io.ts'
import { lossLines } from '../report/loss-lines.ts'
import { amountText, countText } from '../report/number-text.ts'
import type { CheckRun } from './check-run.ts'
import type { FileCheck } from './file-check.ts'
import { sequenceLines } from './sequence-lines.ts'

/** Returns the result of a check for a terminal, with its line ends. */
export function checkText(run: CheckRun, { usesColors }: Pick<CommandIo, 'usesColors'>): string {
  const paint = painter(usesColors)
  const sections = [run.files.flatMap((file) => fileLines(file, paint))]
  if (run.sequence !== undefined) sections.push(sequenceLines(run.sequence, paint))
  sections.push(lossLines(run.losses, paint))
  sections.push([run.isFine ? paint(sgr.green, 'No problems found.') : paint(sgr.redBold, 'Problems found.')])
  return sections.map((lines) => `${lines.join('\n')}\n`).join('\n')
}

function fileLines(file: FileCheck, paint: Paint): string[] {
  const { problemCount, unreadable } = file
  const name = escapeForTerminal(file.file)
  const formats = [...file.byFormat].map(([format, count]) =>
    file.byFormat.size === 1 ? format : `${format} ${countText(count)}`,
  )
  const counts = amountText(file.records, 'record') + (formats.length > 0 ? ` (${formats.join(', ')})` : '')
  const isFine = problemCount === 0 && unreadable === undefined
  const result = isFine ? paint(sgr.green, 'valid') : paint(sgr.redBold, problemText(file))
  const lines = [`${paint(sgr.bold, name)}: ${counts}, ${result}`]
  for (const { line, column, reason } of file.examples) {
    const place = `${name}:${line}${column === undefined ? '' : `:${column}`}`
    lines.push(`  ${paint(sgr.cyan, place)}  ${escapeForTerminal(reason)}`)
  }
  if (problemCount > file.examples.length) {
    const more = `and ${countText(problemCount - file.examples.length)} more: ${kindsText(file)}`
    lines.push(`  ${paint(sgr.dim, more)}`)
  }
  return lines
}

function problemText({ problemCount, unreadable }: FileCheck): string {
  const parts: string[] = []
  if (unreadable !== undefined) parts.push(escapeForTerminal(unreadable))
  if (problemCount > 0) parts.push(amountText(problemCount, 'invalid line'))
  return parts.join(', ')
}

function kindsText({ problems }: FileCheck): string {
  return [...problems].map(([kind, count]) => `${kind} ${countText(count)}`).join(', ')
}
