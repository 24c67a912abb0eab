import type { BurstVariant } from '../methods/burst/variant.ts'
import type { Log, LogSetup } from '../subjects/subject.ts'
import type { Scenario, Target } from './scenario.ts'

/** A request: the attributes of its logger, and the number of its records. */
interface RequestShape {
  readonly records: number
  readonly setup?: LogSetup
  bound(request: number): object
  /** Returns the attributes in the lines. Default: the same. */
  written?(request: number): object
  /** Attributes of a child of the request's logger, or of a context inside the request's. */
  readonly nestedBound?: object
}

const two = (request: number) => ({ requestId: `r-${request}`, user: `u-${request % 100}` })

/** Creates a variant with 20 requests per turn of the event loop, each with its own child logger or context. */
function requests(
  call: 'requestChild' | 'requestContext',
  { records, setup = {}, bound, nestedBound, written = bound }: RequestShape,
) {
  return {
    to: 'null',
    subjects: ['sluice', 'pino-sync', 'pino-buffered'],
    records: 10_000 * records,
    warmUp: 20_000 * records,
    perTurn: 20 * records,
    setup,
    run(log: Log, from: number, to: number) {
      for (let i = from; i < to; i += records) {
        log[call]!(bound(i / records), nestedBound, i, Math.min(i + records, to))
      }
    },
    expected: (i: number) => ({
      message: 'row imported',
      attributes: { ...written(Math.floor(i / records)), ...nestedBound, seq: i },
    }),
  } satisfies BurstVariant
}

/** A child logger that is created and never used. */
const alone = {
  ...requests('requestChild', { records: 1, bound: two }),
  enabled: 20_000,
  runEnabled(log: Log, count: number) {
    for (let i = 0; i < count; i++) log.attributes('row imported', { seq: i })
  },
  run(log: Log, from: number, to: number) {
    for (let i = from; i < to; i++) log.requestChild!(two(i), undefined, i, i)
  },
  expected: undefined,
  records: 200_000,
  warmUp: 100_000,
} as const

const methodAndUrl = ({ method, url }: { method: string; url: string }) => ({ method, url })

const limits = (variants: readonly string[], limit: number): Target => ({
  variants,
  figures: ['cpu'],
  rival: 'pino-sync',
  limit,
})

const childVariants = {
  alone,
  one: requests('requestChild', { records: 2, bound: (request) => ({ requestId: `r-${request}` }) }),
  two: { ...requests('requestChild', { records: 2, bound: two }), more: ['winston', 'bunyan'] },
  ten: requests('requestChild', { records: 10, bound: two }),
  four: requests('requestChild', {
    records: 2,
    bound: (request) => ({ ...two(request), method: 'GET', attempt: 1 }),
  }),
  nested: requests('requestChild', {
    records: 2,
    bound: (request) => ({ requestId: `r-${request}`, user: { id: request, name: 'Ann' } }),
  }),
  redact: requests('requestChild', {
    records: 2,
    setup: { redact: ['user.email', 'password', 'headers.authorization'] },
    bound: two,
  }),
  serializers: requests('requestChild', {
    records: 2,
    setup: { serializers: { req: (value) => methodAndUrl(value as { method: string; url: string }) } },
    bound: (request) => ({ requestId: `r-${request}`, req: { method: 'GET', url: `/orders/${request}`, headers: {} } }),
    written: (request) => ({ requestId: `r-${request}`, req: { method: 'GET', url: `/orders/${request}` } }),
  }),
  again: requests('requestChild', { records: 2, bound: two, nestedBound: { part: 'db' } }),
} as const

export const requestChild: Scenario = {
  description:
    'A child logger per request, 20 requests per turn: without records; with 2 records and 1, 2, 4 or nested attributes; with 10 records; with redaction; with a serializer; with a child of the child',
  method: 'burst',
  runs: 7,
  figures: ['loop', 'cpu'],
  compared: ['cpu'],
  targets: [
    limits(['alone'], 1),
    limits(['one', 'two', 'ten', 'four', 'nested', 'redact', 'serializers', 'again'], 0.45),
  ],
  variants: childVariants,
}

export const requestContext: Scenario = {
  description:
    'A context per request with two attributes and 2 records, 20 requests per turn, without and with a nested context',
  method: 'burst',
  runs: 7,
  figures: ['loop', 'cpu'],
  compared: ['cpu'],
  targets: [limits(['two', 'again'], 0.45)],
  variants: {
    two: requests('requestContext', { records: 2, setup: { context: true }, bound: two }),
    again: requests('requestContext', {
      records: 2,
      setup: { context: true },
      bound: two,
      nestedBound: { part: 'db' },
    }),
  },
}
