import type { FigureName } from '../figures.ts'
import type { BurstVariant, Payload } from '../methods/burst/variant.ts'
import type { Destination } from '../run/destination.ts'
import type { SubjectName } from '../subjects/index.ts'
import type { Scenario, Target } from './scenario.ts'

/** The default number of records, after a warm-up. */
const defaultLength: Length = { records: 100_000, warmUp: 200_000 }

type Length = Pick<BurstVariant, 'records' | 'warmUp'>

/** The subjects that are always measured: sluice, pino with its defaults or to a pipe with asynchronous writes, and the fastest pino. */
const rivals: Readonly<Record<Destination, readonly SubjectName[]>> = {
  null: ['sluice', 'pino-sync', 'pino-buffered'],
  file: ['sluice', 'pino-sync', 'pino-buffered'],
  pipe: ['sluice', 'pino-async', 'pino-buffered'],
}

/** All loggers that support a message with attributes, and programs without a logger. */
export const allLoggers: readonly SubjectName[] = [
  'pino-sync',
  'pino-async',
  'pino-transport',
  'winston',
  'winston-stream',
  'bunyan',
  'bole',
  'roarr',
  'tslog',
  'logtape',
  'sdk-logs',
  'child-process',
  'console',
  'log-buffer',
]

/** The loggers that are also measured with special records, if they support them. */
export const wellKnown: readonly SubjectName[] = ['winston', 'bunyan', 'roarr', 'sdk-logs']

/** The loggers that support child loggers. */
export const withChildren = wellKnown.filter((name) => name !== 'sdk-logs')

const columns: readonly FigureName[] = ['loop', 'drain', 'cpu', 'bytes', 'writes', 'memory']

/** Creates a scenario of a burst to each destination, compared with pino, and with `--full` also with `more`. */
export function burstScenario(
  description: string,
  payload: Payload,
  { targets, more = {}, perTurn = Infinity, length = defaultLength }: BurstScenarioOptions,
): Scenario {
  return {
    description,
    method: 'burst',
    figures: columns,
    compared: ['loop', 'drain', 'cpu'],
    targets,
    variants: {
      null: variant('null', more.null),
      file: variant('file', more.file),
      pipe: variant('pipe', more.pipe),
    },
  }

  function variant(to: Destination, more?: readonly SubjectName[]): BurstVariant {
    return { ...length, ...payload, to, perTurn, subjects: rivals[to], ...(more && { more }) }
  }
}

interface BurstScenarioOptions {
  readonly targets: readonly Target[]
  /** Additional subjects with `--full`, by destination. */
  readonly more?: Readonly<Partial<Record<Destination, readonly SubjectName[]>>>
  readonly perTurn?: number
  /** Fewer records if they are long. */
  readonly length?: Length
}

/** Returns a target relative to pino with its defaults, for destinations that are never full. */
export const againstPino = (limit: number): Target => ({
  variants: ['null', 'file'],
  figures: ['loop', 'drain'],
  rival: 'pino-sync',
  limit,
})

/** A target relative to pino with asynchronous writes, to a pipe. */
export const againstAsyncPino: Target = {
  variants: ['pipe'],
  figures: ['loop', 'drain'],
  rival: 'pino-async',
  limit: 0.3,
}

export const againstStrongestPino: Target = {
  variants: ['null', 'file'],
  figures: ['loop', 'drain'],
  rival: 'pino-buffered',
  limit: 0.6,
}
