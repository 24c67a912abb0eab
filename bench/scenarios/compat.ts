import type { BurstVariant, Payload } from '../methods/burst/variant.ts'
import type { Destination } from '../run/destination.ts'
import type { SubjectName } from '../subjects/index.ts'
import { payload as child } from './child.ts'
import { payload as object } from './object.ts'
import type { Scenario, Target } from './scenario.ts'
import { againstPino } from './usual.ts'

/** A compatible API of ours, and the loggers whose API it has. */
interface Compat {
  readonly question: string
  readonly ours: SubjectName
  readonly rivals: readonly SubjectName[]
  readonly targets: readonly Target[]
  /** Default: a message and three attributes. */
  readonly payload?: Payload
  /** Default: to a destination that keeps nothing, and to a file. */
  readonly to?: readonly Destination[]
  /** Default: fewer records than the others have, so that all of them fit into the queue of its defaults. */
  readonly records?: number
  readonly warmUp?: number
}

function compat({ question, ours, rivals, targets, ...given }: Compat): Scenario {
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
    question,
    method: 'burst',
    figures: ['loop', 'drain', 'cpu', 'bytes', 'writes', 'memory'],
    compared: ['loop', 'drain', 'cpu'],
    targets,
    ours,
    variants: Object.fromEntries(to.map((name) => [name, variant(name)])),
  }
}

const noMoreThan = (rival: SubjectName, figures: Target['figures'], variants: readonly Destination[]): Target => ({
  variants,
  figures,
  rival,
  limit: 1,
})
const words = 'A message and three attributes, in the interface and lines of'

const asPino = {
  ours: 'sluice-compat-pino',
  rivals: ['pino-sync', 'pino-buffered'],
  targets: [againstPino(0.35)],
} as const
export const pinoCompat = compat({
  ...asPino,
  question: "A message and three attributes, in pino's interface and lines",
})
export const pinoCompatChild = compat({
  ...asPino,
  question: "The same of a child logger, in pino's interface and lines",
  payload: child,
})

const asBunyan = {
  ours: 'sluice-compat-bunyan',
  rivals: ['bunyan'],
  targets: [noMoreThan('bunyan', ['loop', 'cpu'], ['null', 'file'])],
  warmUp: 100_000,
} as const
export const bunyanCompat = compat({ ...asBunyan, question: `${words} bunyan` })
export const bunyanCompatChild = compat({ ...asBunyan, question: 'The same of a child logger', payload: child })

export const boleCompat = compat({
  question: `${words} bole`,
  ours: 'sluice-compat-bole',
  rivals: ['bole'],
  targets: [noMoreThan('bole', ['loop', 'cpu'], ['null', 'file'])],
  warmUp: 100_000,
})

/** With room for a whole burst, to where the transports of winston write. */
const asWinston = { to: ['file', 'pipe'], records: 100_000 } as const
/** What changing the import of a program that logs by winston changes. */
export const winston = compat({
  ...asWinston,
  question: 'Through the API of winston: a message and three attributes',
  ours: 'sluice-winston',
  rivals: ['winston'],
  targets: [noMoreThan('winston', ['loop', 'drain'], ['file', 'pipe'])],
})
/** What another transport changes in a program whose logger is winston's own. */
export const winstonTransport = compat({
  ...asWinston,
  question: 'In winston itself, with transports of its own and with ours: a message and three attributes',
  ours: 'sluice-transport',
  rivals: ['winston', 'winston-stream'],
  targets: [noMoreThan('winston', ['loop', 'drain'], ['file', 'pipe'])],
})
/**
 * Of a writer process the CPU is not counted, and of a thread it is: only times are compared. What `child-process` has done when
 * its loop ends is in memory without a bound: it is a rival until all is written.
 */
export const writerProcess: Scenario = {
  ...compat({
    ...asWinston,
    question: 'A message and three attributes, written by another process, and by a thread',
    ours: 'sluice-process',
    rivals: ['child-process', 'pino-transport'],
    targets: [
      noMoreThan('child-process', ['drain'], ['file', 'pipe']),
      noMoreThan('pino-transport', ['loop', 'drain'], ['file', 'pipe']),
    ],
  }),
  compared: ['loop', 'drain'],
}
