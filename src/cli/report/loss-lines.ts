import { sgr, type Paint } from '../../encode/pretty/colors.ts'
import { escapeForTerminal } from '../../encode/pretty/visible.ts'
import { amountText, countText } from './number-text.ts'
import type { ReportedLosses } from './reported-losses.ts'

/** Returns the lines about dropped and cut data that the records report. */
export function lossLines(losses: ReportedLosses, paint: Paint): string[] {
  if (!losses.hasLosses) return [paint(sgr.dim, 'No record reports dropped or cut data.')]
  const lines: string[] = []
  if (losses.reports > 0) {
    lines.push(`${amountText(losses.dropped, 'record')} dropped, in ${amountText(losses.reports, 'report')}`)
    if (losses.droppedByReason.size > 0) lines.push(`  by reason: ${namedCounts(losses.droppedByReason)}`)
    if (losses.droppedByLevel.size > 0) lines.push(`  by level: ${namedCounts(losses.droppedByLevel)}`)
  }
  if (losses.droppedAttributes > 0) lines.push(`${amountText(losses.droppedAttributes, 'attribute')} dropped`)
  if (losses.cutRecords > 0) lines.push(`${amountText(losses.cutRecords, 'record')} cut: ${cutText(losses)}`)
  return [paint(sgr.yellowBold, 'Losses that the records report'), ...lines.map((line) => `  ${line}`)]
}

function cutText({ cutCharacters, cutBytes, cutItems, cutKeys }: ReportedLosses): string {
  const amounts: readonly (readonly [number, string])[] = [
    [cutCharacters, 'character'],
    [cutBytes, 'byte'],
    [cutItems, 'item'],
    [cutKeys, 'key'],
  ]
  const parts = amounts.filter(([count]) => count > 0).map(([count, noun]) => amountText(count, noun))
  return `${parts.join(', ')} missing`
}

function namedCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => `${escapeForTerminal(name)} ${countText(count)}`)
    .join(', ')
}
