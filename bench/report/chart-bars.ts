import { figureOf, formatFigure, type FigureName } from '../figures.ts'
import { scenarioOf } from '../scenarios/index.ts'
import { withRange } from './cells.ts'
import * as style from './chart-style.ts'
import type { Chart } from './charts.ts'
import { isValid, valuesOf, type Group } from './group.ts'
import { spread, type Spread } from './statistics.ts'

/** Bars with a title and their own scale. */
export interface BarBlock {
  readonly title: string
  readonly bars: readonly Bar[]
}

export interface Bar {
  readonly label: string
  readonly value: Spread
  readonly isOurs: boolean
  readonly figure: FigureName
}

// In pixels.
const barHeight = 22
const titleHeight = 26
const gap = 10
const right = 190
const widthOfCharacter = 7

/** Draws a block of bars for each variant. Returns undefined if no variant has two subjects. */
export function barChart(groups: readonly Group[], figure: FigureName): Omit<Chart, 'file'> | undefined {
  const { ours = 'sluice' } = scenarioOf(groups[0]!.scenario)
  const { title } = figureOf(figure)
  const more = figureOf(figure).more === true ? ', more is better' : ''
  const blocks = groups.map(({ variant, results }) => ({
    title: `${variant}: ${title}${more}`,
    bars: results.filter(isValid).map((result): Bar => ({
      label: result.subject,
      value: spread(valuesOf(result, figure)),
      isOurs: result.subject === ours,
      figure,
    })),
  }))
  const variants = groups.map(({ variant }) => variant).join(', ')
  return drawBars(blocks, `${title} of each subject: ${variants}`)
}

/** Draws blocks of horizontal bars, the best on top. `alt` is the alternative text of the image. */
export function drawBars(blocks: readonly BarBlock[], alt: string): Omit<Chart, 'file'> | undefined {
  const shown = blocks.map(sorted).filter(({ bars }) => bars.length > 0)
  if (shown.every(({ bars }) => bars.length < 2)) return undefined
  const tops = shown.map((_, index) => shown.slice(0, index).reduce((sum, block) => sum + heightOf(block), 0))
  const longest = Math.max(...shown.flatMap(({ bars }) => bars.map(({ label }) => label.length)))
  return {
    title: alt,
    width: style.width,
    height: shown.reduce((sum, block) => sum + heightOf(block), 0),
    option: {
      ...style.still,
      title: shown.map(({ title }, index) => ({
        text: title,
        left: 0,
        top: tops[index]!,
        textStyle: { ...style.text, fontSize: 13, fontWeight: 'bold' },
      })),
      grid: shown.map(({ bars }, index) => ({
        left: Math.max(100, longest * widthOfCharacter + 12),
        right,
        top: tops[index]! + titleHeight,
        height: bars.length * barHeight,
      })),
      xAxis: shown.map(({ bars }, index) => ({
        gridIndex: index,
        type: 'value',
        show: false,
        min: 0,
        max: Math.max(...bars.map(({ value }) => value.median), Number.MIN_VALUE),
      })),
      yAxis: shown.map(({ bars }, index) => ({
        gridIndex: index,
        type: 'category',
        inverse: true,
        data: bars.map(({ label, isOurs }) => ({
          value: label,
          textStyle: isOurs ? { color: style.ours, fontWeight: 'bold' } : {},
        })),
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: { ...style.text, interval: 0 },
      })),
      series: shown.map(({ bars }, index) => ({
        type: 'bar',
        silent: true,
        xAxisIndex: index,
        yAxisIndex: index,
        barWidth: barHeight - 8,
        data: bars.map(barItem),
      })),
    },
  }
}

function sorted({ title, bars }: BarBlock): BarBlock {
  const known = bars.filter(({ value }) => Number.isFinite(value.median))
  const sign = known.some(({ figure }) => figureOf(figure).more === true) ? -1 : 1
  return { title, bars: known.toSorted((a, b) => (a.value.median - b.value.median) * sign) }
}

function barItem({ value, isOurs, figure }: Bar): object {
  return {
    value: value.median,
    itemStyle: { color: isOurs ? style.ours : style.faint },
    label: {
      ...style.text,
      show: true,
      position: 'right',
      textBorderWidth: 0,
      formatter: withRange(value, (value) => formatFigure(value, figure)),
    },
  }
}

const heightOf = ({ bars }: BarBlock): number => titleHeight + bars.length * barHeight + gap
