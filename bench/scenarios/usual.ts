import type { FigureName } from '../figures.ts'
import type { BurstVariant, Payload } from '../methods/burst/variant.ts'
import type { Destination } from '../run/outlet.ts'
import type { SubjectName } from '../subjects/index.ts'
import type { Scenario, Target } from './scenario.ts'

/** 100,000 records, in a process that is warm. */
const burst = { records: 100_000, warmUp: 200_000 } as const

/** The rivals of the short form: pino as it comes, its strongest form, and to a pipe its asynchronous one. */
const rivals: Readonly<Record<Destination, readonly SubjectName[]>> = {
  null: ['sluice', 'pino-sync', 'pino-buffered'],
  file: ['sluice', 'pino-sync', 'pino-buffered'],
  pipe: ['sluice', 'pino-async', 'pino-buffered'],
}

/** All who log a message with attributes. */
export const loggers: readonly SubjectName[] = [
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
]

/** Who of them has loggers with attributes of their own. */
export const haveChildren = loggers.filter((name) => name !== 'bole' && name !== 'sdk-logs')

/** And those who do without a logger. */
export const everybody: readonly SubjectName[] = ['pino-sync', ...loggers, 'console', 'log-buffer']

const columns: readonly FigureName[] = ['loop', 'drain', 'cpu', 'bytes', 'writes', 'memory']

/** A burst of one payload to each destination, against the pinos; in the full form against `more` as well. */
export function usual(
  question: string,
  payload: Payload,
  { targets, more = {}, perTurn = Infinity }: UsualOptions,
): Scenario {
  return {
    question,
    method: 'burst',
    figures: columns,
    compared: ['loop', 'drain', 'cpu'],
    targets,
    variants: {
      null: variant(payload, 'null', perTurn, more.null),
      file: variant(payload, 'file', perTurn, more.file),
      pipe: variant(payload, 'pipe', perTurn, more.pipe),
    },
  }
}

interface UsualOptions {
  readonly targets: readonly Target[]
  /** Who is asked in the full form as well, to which destination. */
  readonly more?: Readonly<Partial<Record<Destination, readonly SubjectName[]>>>
  readonly perTurn?: number
}

function variant(payload: Payload, to: Destination, perTurn: number, more?: readonly SubjectName[]): BurstVariant {
  return { ...burst, ...payload, to, perTurn, subjects: rivals[to], ...(more && { more }) }
}

/** Against pino as it comes, for a destination that takes everything; and to a pipe, where asynchronous writes belong. */
export const againstPino = (ratioToPinoSync: number): readonly Target[] => [
  { variants: ['null', 'file'], figures: ['loop', 'drain'], rival: 'pino-sync', limit: ratioToPinoSync },
  { variants: ['pipe'], figures: ['loop', 'drain'], rival: 'pino-async', limit: 0.3 },
]

export const againstStrongestPino: Target = {
  variants: ['null', 'file'],
  figures: ['loop', 'drain'],
  rival: 'pino-buffered',
  limit: 0.6,
}
