import type { BurstVariant, Payload } from '../methods/burst/variant.ts'
import type { Destination } from '../run/destination.ts'
import type { SubjectName } from '../subjects/index.ts'
import { payload as child } from './child.ts'
import { payload as object } from './object.ts'
import type { Scenario, Target } from './scenario.ts'
import { againstPino } from './burst-scenario.ts'

/** A compatible API of sluice, and the loggers with the same API. */
interface Compat {
  readonly description: string
  readonly ours: SubjectName
  readonly rivals: readonly SubjectName[]
  readonly targets: readonly Target[]
  /** Default: a message and three attributes. */
  readonly payload?: Payload
  /** Default: /dev/null and a file. */
  readonly to?: readonly Destination[]
  /** Default: fewer than in other scenarios, so that all records fit into the default queue. */
  readonly records?: number
  readonly warmUp?: number
}

function compat({ description, ours, rivals, targets, ...given }: Compat): Scenario {
  const { payload = object, to = ['null', 'file'], records = 50_000, warmUp = 200_000 } = given
  const variant = (to: Destination): BurstVariant => ({
    ...payload,
    records,
    warmUp,
    to,
    perTurn: Infinity,
    subjects: [ours, ...rivals],
  })
  return {
    description,
    method: 'burst',
    figures: ['loop', 'drain', 'cpu', 'bytes', 'writes', 'memory'],
    compared: ['loop', 'drain', 'cpu'],
    targets,
    ours,
    variants: Object.fromEntries(to.map((name) => [name, variant(name)])),
  }
}

const atMost = (rival: SubjectName, figures: Target['figures'], variants: readonly Destination[]): Target => ({
  variants,
  figures,
  rival,
  limit: 1,
})
const prefix = 'A message and three attributes, in the API and line format of'
const childPrefix = 'A child logger with two bound attributes, in the API and line format of'

const asPino = {
  ours: 'sluice-compat-pino',
  rivals: ['pino-sync', 'pino-buffered'],
  targets: [againstPino(0.35)],
} as const
export const pinoCompat = compat({
  ...asPino,
  description: `${prefix} pino`,
})
export const pinoCompatChild = compat({
  ...asPino,
  description: `${childPrefix} pino`,
  payload: child,
})

const asBunyan = {
  ours: 'sluice-compat-bunyan',
  rivals: ['bunyan'],
  targets: [atMost('bunyan', ['loop', 'cpu'], ['null', 'file'])],
  warmUp: 100_000,
} as const
export const bunyanCompat = compat({ ...asBunyan, description: `${prefix} bunyan` })
export const bunyanCompatChild = compat({ ...asBunyan, description: `${childPrefix} bunyan`, payload: child })

export const boleCompat = compat({
  description: `${prefix} bole`,
  ours: 'sluice-compat-bole',
  rivals: ['bole'],
  targets: [atMost('bole', ['loop', 'cpu'], ['null', 'file'])],
  warmUp: 100_000,
})

/** With a queue for the whole burst, to the destinations that the transports of winston support. */
const asWinston = { to: ['file', 'pipe'], records: 100_000 } as const
/** Measures a program that imports `sluice/winston` instead of winston. */
export const winston = compat({
  ...asWinston,
  description: 'A message and three attributes through the API of winston',
  ours: 'sluice-winston',
  rivals: ['winston'],
  targets: [atMost('winston', ['loop', 'drain'], ['file', 'pipe'])],
})
/** Measures a program that keeps winston and uses the transport of sluice. */
export const winstonTransport = compat({
  ...asWinston,
  description: 'A message and three attributes in winston, with its own transports and with that of sluice',
  ours: 'sluice-transport',
  rivals: ['winston', 'winston-stream'],
  targets: [atMost('winston', ['loop', 'drain'], ['file', 'pipe'])],
})
/**
 * Only times are compared, because the CPU time of a thread is counted and that of a child process is not. With
 * `child-process`, only `drain` has a target, because its loop ends with all records in unlimited memory.
 */
export const writerProcess: Scenario = {
  ...compat({
    ...asWinston,
    description: 'A message and three attributes, written by a child process or by a worker thread',
    ours: 'sluice-process',
    rivals: ['child-process', 'pino-transport'],
    targets: [
      atMost('child-process', ['drain'], ['file', 'pipe']),
      atMost('pino-transport', ['loop', 'drain'], ['file', 'pipe']),
    ],
  }),
  compared: ['loop', 'drain'],
}
