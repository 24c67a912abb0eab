import type { FigureName } from './figures.ts'
import type { ScenarioName } from './scenarios/index.ts'
import type { SubjectName } from './subjects/index.ts'

/** One chart of the summary. Its rows are what the benchmark measures by default. */
export interface SummaryChart {
  /** The name of its file, without extension. */
  readonly name: string
  readonly title: string
  /** The beginning of the sentence below the chart. The rows complete it. */
  readonly sentence: string
  /** Whether the sentence has ratios to the main rival, or the values of both. */
  readonly as: 'ratio' | 'value'
  readonly rows: readonly SummaryRow[]
}

/** One block of bars. */
export interface SummaryRow {
  readonly scenario: ScenarioName
  readonly variant: string
  readonly figure: FigureName
  /** A factor for the figure, because a request has several records. */
  readonly times?: number
  /** What the bars show. */
  readonly title: string
  /** The same in the sentence below the chart: after a ratio, or before a value. */
  readonly phrase: string
  /** The same after the name of a better rival. Undefined if the chart has one row. */
  readonly place?: string
  /** The sluice subject, the main rival, and the other rivals. */
  readonly subjects: readonly [ours: SubjectName, main: SubjectName, ...others: SubjectName[]]
}

const mixed = (turns: number, ...others: readonly SubjectName[]): SummaryRow => ({
  scenario: 'service-mix',
  variant: `turns-${turns}`,
  figure: 'cpu',
  title: `CPU time per record, ${turns === 1 ? 'one record' : `${turns} records`} in each turn of the event loop`,
  phrase: turns === 1 ? 'with one record in each turn of the event loop' : `with ${turns}`,
  place: turns === 1 ? 'with one record in each turn' : `with ${turns} records in each turn`,
  subjects: ['sluice', 'pino-sync', 'pino-buffered', ...others],
})

const stalled = (figure: FigureName, title: string, phrase: string, place: string): SummaryRow => ({
  scenario: 'paced',
  variant: 'stalled-pipe',
  figure,
  title,
  phrase,
  place,
  subjects: ['sluice-block', 'pino-async', 'pino-sync', 'pino-transport'],
})

export const summaryCharts: readonly SummaryChart[] = [
  {
    name: 'request',
    title: 'A request with a child logger and two records',
    sentence: 'A request with a child logger and two records takes',
    as: 'ratio',
    rows: [
      {
        scenario: 'request-child',
        variant: 'two',
        figure: 'cpu',
        times: 2,
        title: 'CPU time per request, requests in a loop',
        phrase: 'in a loop',
        place: 'in a loop',
        subjects: ['sluice', 'pino-sync', 'pino-buffered', 'winston', 'bunyan'],
      },
      {
        scenario: 'http-child',
        variant: 'fastify',
        figure: 'cpuAbove',
        title: 'CPU time per request in fastify with loggerInstance, above the same server without logging',
        phrase: 'in a fastify server, above the same server without logging',
        place: 'in a fastify server',
        subjects: ['sluice-default', 'pino-sync', 'pino-buffered'],
      },
    ],
  },
  {
    name: 'mix',
    title: 'A service with 64 call sites of different shapes and 12 child loggers, to a file',
    sentence: 'A record from one of 64 call sites with different attributes, logged by one of 12 child loggers, takes',
    as: 'ratio',
    rows: [mixed(1), mixed(10, 'winston'), mixed(50)],
  },
  {
    name: 'loop',
    title: 'The same call in a hot loop: a message and three attributes, to a file',
    sentence: 'In a hot loop, a message and three attributes take',
    as: 'ratio',
    rows: [
      {
        scenario: 'object',
        variant: 'file',
        figure: 'loop',
        title: 'Time of a call on the calling thread',
        phrase: '',
        subjects: ['sluice', 'pino-sync', 'pino-buffered', 'pino-async', 'winston', 'bunyan', 'sdk-logs', 'console'],
      },
    ],
  },
  {
    name: 'memory',
    title: 'Memory for a burst of a million records, to a file',
    sentence: 'A burst of a million records in one turn of the event loop',
    as: 'value',
    rows: [
      {
        scenario: 'memory',
        variant: 'file',
        figure: 'memory',
        title: 'Increase of resident memory during the burst, at its peak',
        phrase: 'increases the resident memory by',
        subjects: ['sluice', 'pino-async', 'pino-sync', 'pino-transport', 'sdk-logs'],
      },
    ],
  },
  {
    name: 'stalled-reader',
    title: 'A pipe whose reader sleeps for two seconds, at 20,000 records per second',
    sentence: 'While the reader of a pipe sleeps for two seconds, at 20,000 records per second,',
    as: 'value',
    rows: [
      stalled(
        'block',
        'Longest block of the event loop',
        'the event loop is blocked for at most',
        'in the longest block',
      ),
      stalled('memory', 'Increase of resident memory, at its peak', 'the resident memory increases by', 'in memory'),
    ],
  },
]

/** The number of runs of each subject in the summary, unless a scenario has fewer. */
export const summaryRuns = 5

const labels: Readonly<Partial<Record<SubjectName, string>>> = {
  'sluice-default': 'sluice',
  'sluice-block': 'sluice',
  'pino-sync': 'pino',
  'pino-buffered': 'pino with minLength: 4096',
  'pino-async': 'pino with sync: false',
  'pino-transport': 'pino with a worker thread',
  'sdk-logs': 'OpenTelemetry SDK',
  console: 'console.log',
}

/** Returns the name of a subject in the summary, which does not require knowledge of the tables. */
export const labelOf = (subject: SubjectName): string => labels[subject] ?? subject
