import { describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { tableUnder } from './blocks.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = read('docs/guides/comparison.md')

/** The packages of the loggers, by their names in the page. */
const packages: Readonly<Record<string, string>> = {
  pino: 'pino',
  winston: 'winston',
  bunyan: 'bunyan',
  LogTape: '@logtape/logtape',
  tslog: 'tslog',
  'OpenTelemetry SDK': '@opentelemetry/sdk-logs',
}

interface PackageFile {
  readonly version: string
  readonly dependencies?: object
}

function packageFile(name: string): PackageFile {
  return JSON.parse(
    read(name === 'sluice' ? 'package.json' : `node_modules/${packages[name]}/package.json`),
  ) as PackageFile
}

interface Results {
  readonly groups: readonly {
    readonly scenario: string
    readonly variant: string
    readonly results: readonly { readonly subject: string; readonly figures: Readonly<Record<string, number[]>> }[]
  }[]
}
const { groups } = JSON.parse(read('docs/benchmarks/results.json')) as Results

const rowsOf = (heading: string): string[][] => tableUnder(heading, page)

/** Returns a row of the table: the medians of the subjects in the order of its columns, where '' is a logger that was not measured. */
function medians(scenario: string, figure: string, unit: 'µs' | 'ms' | 'MB', subjects: readonly string[]): string[] {
  const [name, variant] = scenario.split('/')
  const { results } = groups.find((group) => group.scenario === name && group.variant === variant)!
  const cells = subjects.map((subject) => {
    const values = results.find((result) => result.subject === subject)?.figures[figure]?.toSorted((a, b) => a - b)
    if (values === undefined) return '–'
    const median = values[Math.floor(values.length / 2)]!
    if (unit !== 'µs') return `${Math.round(median).toLocaleString('en')} ${unit}`
    return `${Number((median / 1000).toPrecision(2))} µs`
  })
  return [...cells, ...Array.from({ length: 8 - cells.length }, () => '–')]
}

describe('the comparison page', () => {
  test.each(['sluice', ...Object.keys(packages)])('has the version and the number of dependencies of %s', (name) => {
    const { version, dependencies = {} } = packageFile(name)
    const row = rowsOf('Comparison with other loggers').find(([logger]) => logger === name)
    expect(row?.slice(1)).toEqual([
      version,
      expect.stringMatching(new RegExp(`^${Object.keys(dependencies).length}\\b`)),
    ])
  })

  test('has the number of passed faults of each logger', () => {
    const { rows } = JSON.parse(read('docs/reference/reliability-peers.json')) as {
      readonly rows: readonly { readonly wrong: Readonly<Record<string, readonly string[]>> }[]
    }
    const subjects = ['sluice', 'pino-sync', 'pino', 'pino-worker', 'bunyan', 'winston', 'otel']
    const passed = subjects.map((subject) => rows.filter(({ wrong }) => wrong[subject]?.length === 0).length)
    const cells = rowsOf('Delivery when something fails').map((row) => row.at(-1))
    expect(cells).toEqual(passed.map((count) => `${count} of ${rows.length}`))
  })

  test('has the medians of the benchmark results', () => {
    const loggers = ['sluice', 'pino-sync', 'pino-buffered', 'winston', 'bunyan']
    expect(rowsOf('Performance').map((row) => row.slice(1))).toEqual([
      medians('object/file', 'cpu', 'µs', [...loggers, 'logtape', 'tslog', 'sdk-logs']),
      medians('request-child/two', 'cpu', 'µs', loggers),
      medians('first-records/file', 'cpu', 'µs', loggers),
      medians('memory/file', 'memory', 'MB', ['sluice', 'pino-sync', '', 'winston-stream', '', '', '', 'sdk-logs']),
      medians('first-line/import', 'firstLine', 'ms', ['sluice-default', ...loggers.slice(1)]),
    ])
  })
})
