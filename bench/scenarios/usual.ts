import type { FigureName } from '../figures.ts'
import type { BurstVariant, Payload } from '../methods/burst/variant.ts'
import type { Destination } from '../run/destination.ts'
import type { SubjectName } from '../subjects/index.ts'
import type { Scenario, Target } from './scenario.ts'

/** 100,000 records, in a process that is warm. */
const usualLength: Length = { records: 100_000, warmUp: 200_000 }

type Length = Pick<BurstVariant, 'records' | 'warmUp'>

/** Measured in each form: pino with its defaults, its strongest form, and to a pipe its asynchronous one. */
const rivals: Readonly<Record<Destination, readonly SubjectName[]>> = {
  null: ['sluice', 'pino-sync', 'pino-buffered'],
  file: ['sluice', 'pino-sync', 'pino-buffered'],
  pipe: ['sluice', 'pino-async', 'pino-buffered'],
}

/** Everybody who logs a message with attributes, and those who do without a logger. */
export const everybody: readonly SubjectName[] = [
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

/** The loggers that are asked about special records too, as far as they can. */
export const bestKnown: readonly SubjectName[] = ['winston', 'bunyan', 'roarr', 'sdk-logs']

/** Who of them has loggers with attributes of their own. */
export const haveChildren = bestKnown.filter((name) => name !== 'sdk-logs')

const columns: readonly FigureName[] = ['loop', 'drain', 'cpu', 'bytes', 'writes', 'memory']

/** A burst of one payload to each destination, against the pinos; in the full form against `more` as well. */
export function usual(
  question: string,
  payload: Payload,
  { targets, more = {}, perTurn = Infinity, length = usualLength }: UsualOptions,
): Scenario {
  return {
    question,
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

interface UsualOptions {
  readonly targets: readonly Target[]
  /** Who is asked in the full form as well, to which destination. */
  readonly more?: Readonly<Partial<Record<Destination, readonly SubjectName[]>>>
  readonly perTurn?: number
  /** Fewer where a record is long. */
  readonly length?: Length
}

/** Against pino as it comes, for a destination that takes everything. */
export const againstPino = (limit: number): Target => ({
  variants: ['null', 'file'],
  figures: ['loop', 'drain'],
  rival: 'pino-sync',
  limit,
})

/** To a pipe, where asynchronous writes belong. */
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
