import type { FigureName } from './figures.ts'
import type { ScenarioName } from './scenarios/index.ts'
import type { SubjectName } from './subjects/index.ts'

/** One chart of the summary, which is also what the short form measures. */
export interface SummaryChart {
  /** The name of its file. */
  readonly name: string
  readonly title: string
  /** The beginning of the sentence below the chart; the rows are its end. */
  readonly sentence: string
  /** The rows are compared by ratios to the usual rival, or by the values of both. */
  readonly as: 'ratio' | 'value'
  readonly rows: readonly SummaryRow[]
}

/** One block of bars. */
export interface SummaryRow {
  readonly scenario: ScenarioName
  readonly variant: string
  readonly figure: FigureName
  /** What the figure is multiplied by: a request has several records. */
  readonly times?: number
  /** What the bars show. */
  readonly title: string
  /** The same in the sentence below the chart: behind a ratio, or in front of a value. */
  readonly phrase: string
  /** The same behind the name of a rival that is better; without it, the chart has one row. */
  readonly place?: string
  /** Ours first, then the rival that its users would compare with, then the others. */
  readonly subjects: readonly [ours: SubjectName, usual: SubjectName, ...others: SubjectName[]]
}

const mixed = (turns: number, ...others: readonly SubjectName[]): SummaryRow => ({
  scenario: 'service-mix',
  variant: `turns-${turns}`,
  figure: 'cpu',
  title: `CPU time of a record, ${turns === 1 ? 'one record' : `${turns} records`} in each turn of the event loop`,
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
        title: 'CPU time of a request, requests in a loop',
        phrase: 'in a loop',
        place: 'in a loop',
        subjects: ['sluice', 'pino-sync', 'pino-buffered', 'winston', 'bunyan'],
      },
      {
        scenario: 'http-child',
        variant: 'fastify',
        figure: 'cpuAbove',
        title: 'CPU time of a request in fastify with loggerInstance, above the same server without logging',
        phrase: 'in a fastify server, above the same server without logging',
        place: 'in a fastify server',
        subjects: ['sluice-default', 'pino-sync', 'pino-buffered'],
      },
    ],
  },
  {
    name: 'mix',
    title: 'A service: 64 call sites of different shapes and 12 child loggers, to a file',
    sentence: 'A record of one of 64 call sites with different attributes, by one of 12 child loggers, takes',
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
        title: 'Peak of the resident memory above that before the burst',
        phrase: 'raises the resident memory by',
        subjects: ['sluice', 'pino-async', 'pino-sync', 'pino-transport', 'sdk-logs'],
      },
    ],
  },
  {
    name: 'stalled-reader',
    title: 'A pipe whose reader sleeps for two seconds while 20,000 records a second are logged',
    sentence: 'While the reader of a pipe sleeps for two seconds, and 20,000 records a second are logged,',
    as: 'value',
    rows: [
      stalled(
        'block',
        'Longest block of the event loop',
        'the event loop is blocked for at most',
        'in the longest block',
      ),
      stalled('memory', 'Peak of the resident memory above that before', 'the resident memory rises by', 'in memory'),
    ],
  },
]

/** How often the short form measures each subject, where a scenario does not ask for less. */
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

/** The name of a subject for those who have not read the tables. */
export const labelOf = (subject: SubjectName): string => labels[subject] ?? subject
