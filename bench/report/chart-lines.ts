import { figureOf, written, type FigureName } from '../figures.ts'
import type { ScenarioName } from '../scenarios/index.ts'
import { scenarioOf } from '../scenarios/index.ts'
import type { Variant } from '../scenarios/scenario.ts'
import * as style from './chart-style.ts'
import type { Chart } from './charts.ts'
import { isSound, valuesOf, type Group } from './group.ts'
import { spread } from './statistics.ts'

type Point = readonly [at: number, value: number]

const height = 340
/** From here on a scale is logarithmic: the largest over the smallest. */
const decades = 100

/** A line for each subject over what grows from variant to variant. */
export function lineChart(
  groups: readonly Group[],
  figure: FigureName,
  across: string,
): Omit<Chart, 'file'> | undefined {
  const { ours = 'sluice' } = scenarioOf(groups[0]!.scenario)
  const subjects = [...new Set(groups.flatMap(({ results }) => results.map(({ subject }) => subject)))]
  const lines = subjects
    .map((subject) => ({ subject, points: groups.flatMap((group) => pointOf(group, subject, figure)) }))
    .filter(({ points }) => points.length > 0)
  const points = lines.flatMap((line) => line.points)
  if (new Set(points.map(([at]) => at)).size < 2) return undefined
  const others = subjects.filter((subject) => subject !== ours)
  return {
    title: `${figureOf(figure).title} of each subject over ${across}`,
    width: style.width,
    height,
    option: {
      ...style.still,
      legend: { top: 0, left: 'center', textStyle: style.text, data: lines.map(({ subject }) => subject) },
      grid: { left: 90, right: 30, top: 60, bottom: 50 },
      xAxis: axis(
        points.map(([at]) => at),
        across,
        (at) => at.toLocaleString('en'),
      ),
      yAxis: axis(
        points.map(([, value]) => value),
        figureOf(figure).title,
        (value) => written(value, figure),
      ),
      series: lines.map(({ subject, points }) => {
        const color = subject === ours ? style.ours : style.theirs[others.indexOf(subject) % style.theirs.length]!
        return {
          type: 'line',
          name: subject,
          silent: true,
          // A frame that cuts lines off would need a name, and names are counted up.
          clip: false,
          data: points,
          symbol: 'circle',
          symbolSize: 6,
          itemStyle: { color },
          lineStyle: { color, width: subject === ours ? 3 : 1.5 },
        }
      }),
    },
  }
}

function pointOf({ scenario, variant, results }: Group, subject: string, figure: FigureName): Point[] {
  const at = sizeOf(scenario, variant)
  const result = results.find((result) => result.subject === subject)
  if (at === undefined || result === undefined || !isSound(result)) return []
  const { median } = spread(valuesOf(result, figure))
  return Number.isFinite(median) ? [[at, median]] : []
}

function sizeOf(scenario: ScenarioName, variant: string): number | undefined {
  const variants: Readonly<Record<string, Variant>> = scenarioOf(scenario).variants
  return variants[variant]?.at
}

function axis(values: readonly number[], name: string, text: (value: number) => string): object {
  const least = Math.min(...values)
  const isLogarithmic = least > 0 && Math.max(...values) / least >= decades
  return {
    type: isLogarithmic ? 'log' : 'value',
    name,
    nameLocation: 'middle',
    nameGap: 32,
    nameTextStyle: style.text,
    axisLabel: { ...style.text, formatter: text },
    axisLine: { show: true, lineStyle: { color: style.ink } },
    splitLine: { lineStyle: { color: style.faint } },
  }
}
