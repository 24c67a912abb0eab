import { figureOf, formatFigure, type FigureName } from '../figures.ts'
import type { ScenarioName } from '../scenarios/index.ts'
import { scenarioOf } from '../scenarios/index.ts'
import type { Variant } from '../scenarios/scenario.ts'
import * as style from './chart-style.ts'
import type { Chart } from './charts.ts'
import { isValid, valuesOf, type Group } from './group.ts'
import { spread } from './statistics.ts'

type Point = readonly [size: number, value: number]

const height = 340
/** A scale is logarithmic if the largest value is at least this multiple of the smallest. */
const decades = 100

/** Draws a line for each subject over the sizes of the variants. */
export function lineChart(
  groups: readonly Group[],
  figure: FigureName,
  sizeName: string,
): Omit<Chart, 'file'> | undefined {
  const { ours = 'sluice' } = scenarioOf(groups[0]!.scenario)
  const subjects = [...new Set(groups.flatMap(({ results }) => results.map(({ subject }) => subject)))]
  const lines = subjects
    .map((subject) => ({ subject, points: groups.flatMap((group) => pointOf(group, subject, figure)) }))
    .filter(({ points }) => points.length > 0)
  const points = lines.flatMap((line) => line.points)
  if (new Set(points.map(([size]) => size)).size < 2) return undefined
  const others = subjects.filter((subject) => subject !== ours)
  return {
    title: `${figureOf(figure).title} of each subject over ${sizeName}`,
    width: style.width,
    height,
    option: {
      ...style.still,
      legend: { top: 0, left: 'center', textStyle: style.text, data: lines.map(({ subject }) => subject) },
      grid: { left: 90, right: 30, top: 60, bottom: 50 },
      xAxis: axis(
        points.map(([size]) => size),
        sizeName,
        (size) => size.toLocaleString('en'),
      ),
      yAxis: axis(
        points.map(([, value]) => value),
        figureOf(figure).title,
        (value) => formatFigure(value, figure),
      ),
      series: lines.map(({ subject, points }) => {
        const color = subject === ours ? style.ours : style.theirs[others.indexOf(subject) % style.theirs.length]!
        return {
          type: 'line',
          name: subject,
          silent: true,
          // A clip path would get a number that differs each time.
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
  const size = sizeOf(scenario, variant)
  const result = results.find((result) => result.subject === subject)
  if (size === undefined || result === undefined || !isValid(result)) return []
  const { median } = spread(valuesOf(result, figure))
  return Number.isFinite(median) ? [[size, median]] : []
}

function sizeOf(scenario: ScenarioName, variant: string): number | undefined {
  const variants: Readonly<Record<string, Variant>> = scenarioOf(scenario).variants
  return variants[variant]?.size
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
