import { sgr } from '../../encode/pretty/colors.ts'
import { groupSection } from './group-section.ts'
import { intervalSection } from './interval-section.ts'
import { intervalText } from './intervals.ts'
import { lossLines } from '../report/loss-lines.ts'
import { amountText, countText, rateText, spanText } from '../report/number-text.ts'
import { percentileSection } from './percentile-section.ts'
import { sparkline } from './sparkline.ts'
import type { Statistics } from './statistics.ts'
import { summaryView, type SummaryLayout, type SummaryView } from './summary-view.ts'

/** Returns a summary for a terminal, with its line ends. */
export function summaryText(statistics: Statistics, layout: SummaryLayout): string {
  const { byLevel, groups, percentileKeys, total, losses } = statistics
  const view = summaryView(statistics, layout)
  const sections = [headLines(statistics, view)]
  if (statistics.chosenInterval !== undefined) sections.push(intervalSection(total, byLevel, view))
  if (groups.by.join() !== 'level') sections.push(groupSection(byLevel, view))
  sections.push(groupSection(groups, view))
  for (const [index, key] of percentileKeys.entries()) {
    sections.push(percentileSection(key, index, total, groups, view))
  }
  if (total.count > 0) sections.push(lossLines(losses, view.paint))
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')
}

function headLines(statistics: Statistics, { paint, times, span, timeline, layout }: SummaryView): string[] {
  const { total, withoutTime } = statistics
  const lines = [paint(sgr.bold, countsText(statistics))]
  if (total.first > total.last) return lines
  const from = times.full(total.first)
  const to = times.full(total.last)
  const isSameDate = layout.time !== 'iso' && from.slice(0, 11) === to.slice(0, 11)
  const rate = rateText(total.count - withoutTime, span)
  lines.push(
    `${from} to ${isSameDate ? to.slice(11) : to}, ${[spanText(span), rate].filter((text) => text !== '').join(', ')}`,
  )
  if (timeline.counts.length > 1) {
    const bars = paint(sgr.cyan, sparkline(timeline.counts))
    lines.push(`${bars}  ${paint(sgr.dim, `${intervalText(timeline.interval)} a bar`)}`)
  }
  return lines
}

function countsText({ total, textLines, unmatched, withoutTime, byFormat }: Statistics): string {
  const formats = [...byFormat].toSorted(([, one], [, other]) => other - one).map(([name]) => name)
  const parts = [amountText(total.count, 'record')]
  if (formats.length > 0) parts[0] += ` (${formats.join(', ')})`
  if (unmatched > 0) parts.push(`${countText(unmatched)} did not match`)
  if (textLines > 0) parts.push(amountText(textLines, 'line of text', 'lines of text'))
  if (withoutTime > 0) parts.push(`${countText(withoutTime)} without a time`)
  return parts.join(', ')
}
