import { scenarioOf } from '../scenarios/index.ts'
import { barChart } from './chart-bars.ts'
import { lineChart } from './chart-lines.ts'
import type { Group } from './group.ts'

/** A picture to be drawn: its size, and what echarts is told. */
export interface Chart {
  readonly file: string
  /** What a reader is told who does not see it. */
  readonly title: string
  readonly width: number
  readonly height: number
  readonly option: object
}

/** The pictures of a report, one for each scenario that compares somebody. */
export function chartsOf(groups: readonly Group[]): Chart[] {
  return [...Map.groupBy(groups, ({ scenario }) => scenario).values()].flatMap((own) => chartOf(own) ?? [])
}

/** The picture of a scenario, of its first figure; undefined where there is nothing to compare. */
export function chartOf(groups: readonly Group[]): Chart | undefined {
  const { scenario } = groups[0]!
  const { across, compared, figures } = scenarioOf(scenario)
  const figure = (compared[0] ?? figures[0])!
  const drawn = across === undefined ? barChart(groups, figure) : lineChart(groups, figure, across)
  return drawn && { file: `${scenario}.svg`, ...drawn }
}
