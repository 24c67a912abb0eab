import { summaryCharts, type SummaryChart } from '../summary.ts'
import { timesText } from './cells.ts'
import type { Group } from './group.ts'
import { isNoisy, noiseOf } from './noise.ts'
import { noiseText } from './print.ts'
import type { Results } from './results.ts'
import { spreadOfRuns } from './spread-of-runs.ts'
import { measuredRow, summaryChart, summarySentences } from './summary-rows.ts'

/** Describes what was measured, on which machine, and how much the runs differ. */
export function introduction({ runs, date, machine, versions, groups }: Results): string {
  const { median, most } = spreadOfRuns(groups)
  return `These benchmarks compare sluice with other loggers for Node.js. They were measured on ${date.slice(0, 10)} with Node ${versions['node']} on
${machine.cores} cores of ${machine.cpu} with ${machine.memory} of memory and ${machine.system}. Each subject ran ${timesText(runs)} unless noted, each run
in a process of its own, and the subjects took turns. A figure counts only if a checker has found each record in the
output, complete and in order.

Figures are medians, with the minimum and the maximum of the runs in parentheses. The minimum and the maximum of one
figure differ by ${percent(median)} of the median in half of the cases, and by less than ${percent(most)} in nine of ten. ${noiseText(noiseOf(groups))}.`
}

/** Returns the charts of the summary, each with its sentence. */
export function summarySections(groups: readonly Group[]): string[] {
  return summaryCharts.flatMap((chart) => sectionOf(chart, groups))
}

function sectionOf(chart: SummaryChart, groups: readonly Group[]): string[] {
  const measured = chart.rows.flatMap((row) => measuredRow(row, groups) ?? [])
  if (measured.length === 0) return []
  const drawn = summaryChart(chart, groups)
  const picture = drawn === undefined ? [] : [`![${drawn.title}](benchmarks/${drawn.file})`]
  return [`### ${chart.title}`, ...picture, summarySentences(chart, measured)]
}

/** Returns the warnings about the figures as a whole. */
export function warnings({ groups, planned, minutes }: Results): string[] {
  return [
    ...(isNoisy(noiseOf(groups))
      ? ['**Noisy: measure again on a quieter machine before you rely on these figures.**']
      : []),
    ...(groups.length < planned
      ? [`**Incomplete: ${groups.length} of ${planned} groups were measured in ${minutes} minutes.**`]
      : []),
  ]
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
