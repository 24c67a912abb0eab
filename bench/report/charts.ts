import { scenarioOf } from '../scenarios/index.ts'
import { barChart } from './chart-bars.ts'
import { lineChart } from './chart-lines.ts'
import type { Group } from './group.ts'

/** A picture to be drawn: its size, and the options of echarts. */
export interface Chart {
  readonly file: string
  /** The description for those who do not see it. */
  readonly title: string
  readonly width: number
  readonly height: number
  readonly option: object
}

/** The charts of all scenarios that compare something. */
export function chartsOf(groups: readonly Group[]): Chart[] {
  return [...Map.groupBy(groups, ({ scenario }) => scenario).values()].flatMap((own) => chartOf(own) ?? [])
}

/** The chart of a scenario, of its first figure; undefined where it compares nothing. */
export function chartOf(groups: readonly Group[]): Chart | undefined {
  const { scenario } = groups[0]!
  const { across, compared, figures } = scenarioOf(scenario)
  const figure = (compared[0] ?? figures[0])!
  const drawn = across === undefined ? barChart(groups, figure) : lineChart(groups, figure, across)
  return drawn && { file: `${scenario}.svg`, ...drawn }
}
