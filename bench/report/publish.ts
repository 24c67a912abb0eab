import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { summaryCharts } from '../summary.ts'
import { chartsOf } from './charts.ts'
import { pageText } from './page.ts'
import { parseResults, printResults } from './results.ts'
import { summaryChart } from './summary-rows.ts'
import { svgText } from './svg.ts'

const docs = join(import.meta.dirname, '../../docs')
const folder = join(docs, 'benchmarks')

/** The file with the figures of the page. */
export const resultsFile = join(folder, 'results.json')

/** Generates the page and its charts from a file of results, and copies the results into the folder of the charts. */
export async function publish(file: string): Promise<void> {
  const results = parseResults(readFileSync(file, 'utf8'))
  const summary = summaryCharts.flatMap((chart) => summaryChart(chart, results.groups) ?? [])
  const charts = [...summary, ...chartsOf(results.groups)]
  const drawn = await Promise.all(charts.map(async (chart) => ({ name: chart.file, svg: await svgText(chart) })))
  const page = await pageText(results)
  mkdirSync(folder, { recursive: true })
  for (const stale of globSync('*.svg', { cwd: folder })) rmSync(join(folder, stale))
  for (const { name, svg } of drawn) writeFileSync(join(folder, name), svg)
  writeFileSync(resultsFile, printResults(results))
  writeFileSync(join(docs, 'benchmarks.md'), page)
}
