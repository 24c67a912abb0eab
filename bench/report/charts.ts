import { scenarioOf } from '../scenarios/index.ts'
import { barChart } from './chart-bars.ts'
import { lineChart } from './chart-lines.ts'
import type { Group } from './group.ts'

/** A chart to draw: its size, and the options of echarts. */
export interface Chart {
  readonly file: string
  /** The alternative text of the image. */
  readonly title: string
  readonly width: number
  readonly height: number
  readonly option: object
}

/** Returns the charts of all scenarios with at least two subjects. */
export function chartsOf(groups: readonly Group[]): Chart[] {
  return [...Map.groupBy(groups, ({ scenario }) => scenario).values()].flatMap((own) => chartOf(own) ?? [])
}

/** Returns the chart of a scenario's first figure, or undefined if it has only one subject. */
export function chartOf(groups: readonly Group[]): Chart | undefined {
  const { scenario } = groups[0]!
  const { sizeName, compared, figures } = scenarioOf(scenario)
  const figure = (compared[0] ?? figures[0])!
  const drawn = sizeName === undefined ? barChart(groups, figure) : lineChart(groups, figure, sizeName)
  return drawn && { file: `${scenario}.svg`, ...drawn }
}
