import { figureOf, written, type FigureName } from '../figures.ts'
import { scenarioOf } from '../scenarios/index.ts'
import type { SubjectName } from '../subjects/index.ts'
import { withRange } from './cells.ts'
import * as style from './chart-style.ts'
import type { Chart } from './charts.ts'
import { isSound, valuesOf, type Group } from './group.ts'
import { spread, type Spread } from './statistics.ts'

interface Bar {
  readonly subject: SubjectName
  readonly value: Spread
}

// In pixels.
const barHeight = 22
const titleHeight = 26
const gap = 10
const left = 150
const right = 190

/** A block of horizontal bars for each variant, the best on top, each block with a scale of its own. */
export function barChart(groups: readonly Group[], figure: FigureName): Omit<Chart, 'file'> | undefined {
  const { ours = 'sluice' } = scenarioOf(groups[0]!.scenario)
  const blocks = groups.map(({ variant, results }) => ({
    variant,
    bars: results
      .filter(isSound)
      .map((result): Bar => ({ subject: result.subject, value: spread(valuesOf(result, figure)) }))
      .filter(({ value }) => Number.isFinite(value.median))
      .toSorted((a, b) => (a.value.median - b.value.median) * (figureOf(figure).more === true ? -1 : 1)),
  }))
  if (blocks.every(({ bars }) => bars.length < 2)) return undefined
  const shown = blocks.filter(({ bars }) => bars.length > 0)
  const tops = shown.map((_, index) => shown.slice(0, index).reduce((sum, { bars }) => sum + heightOf(bars), 0))
  const { title } = figureOf(figure)
  return {
    title: `${title} of each subject: ${shown.map(({ variant }) => variant).join(', ')}`,
    width: style.width,
    height: shown.reduce((sum, { bars }) => sum + heightOf(bars), 0),
    option: {
      ...style.still,
      title: shown.map(({ variant }, index) => ({
        text: `${variant}: ${title}${figureOf(figure).more === true ? ', more is better' : ''}`,
        left: 0,
        top: tops[index]!,
        textStyle: { ...style.text, fontSize: 13, fontWeight: 'bold' },
      })),
      grid: shown.map(({ bars }, index) => ({
        left,
        right,
        top: tops[index]! + titleHeight,
        height: bars.length * barHeight,
      })),
      xAxis: shown.map(({ bars }, index) => ({
        gridIndex: index,
        type: 'value',
        show: false,
        min: 0,
        max: Math.max(...bars.map(({ value }) => value.median)),
      })),
      yAxis: shown.map(({ bars }, index) => ({
        gridIndex: index,
        type: 'category',
        inverse: true,
        data: bars.map(({ subject }) => subject),
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
        data: bars.map((bar) => barItem(bar, bar.subject === ours, figure)),
      })),
    },
  }
}

function barItem({ value }: Bar, isOurs: boolean, figure: FigureName): object {
  return {
    value: value.median,
    itemStyle: { color: isOurs ? style.ours : style.faint },
    label: {
      ...style.text,
      show: true,
      position: 'right',
      textBorderWidth: 0,
      formatter: withRange(value, (value) => written(value, figure)),
    },
  }
}

const heightOf = (bars: readonly Bar[]): number => titleHeight + bars.length * barHeight + gap
