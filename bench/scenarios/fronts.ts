import type { BurstVariant, Payload } from '../methods/burst/variant.ts'
import type { Destination } from '../run/outlet.ts'
import type { SubjectName } from '../subjects/index.ts'
import { payload as child } from './child.ts'
import { payload as object } from './object.ts'
import type { Scenario, Target } from './scenario.ts'
import { againstPino } from './usual.ts'

/** A front of ours, and those that it stands in for. */
interface Front {
  readonly question: string
  readonly ours: SubjectName
  readonly rivals: readonly SubjectName[]
  readonly targets: readonly Target[]
  /** Default: a message and three attributes. */
  readonly payload?: Payload
  /** Default: to a destination that keeps nothing, and to a file. */
  readonly to?: readonly Destination[]
  /** Default: fewer records than the others have, so that all of them fit into the queue that comes with a front. */
  readonly records?: number
  readonly warmUp?: number
}

function front({ question, ours, rivals, targets, ...given }: Front): Scenario {
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

const asPino = { ours: 'sluice-front', rivals: ['pino-sync', 'pino-buffered'], targets: [againstPino(0.35)] } as const
export const pinoFront = front({ ...asPino, question: "A message and three attributes, in pino's interface and lines" })
export const pinoFrontChild = front({
  ...asPino,
  question: "The same of a child logger, in pino's interface and lines",
  payload: child,
})

const asBunyan = {
  ours: 'bunyan-front',
  rivals: ['bunyan'],
  targets: [noMoreThan('bunyan', ['loop', 'cpu'], ['null', 'file'])],
  warmUp: 100_000,
} as const
export const bunyanFront = front({ ...asBunyan, question: `${words} bunyan` })
export const bunyanFrontChild = front({ ...asBunyan, question: 'The same of a child logger', payload: child })

export const boleFront = front({
  question: `${words} bole`,
  ours: 'bole-front',
  rivals: ['bole'],
  targets: [noMoreThan('bole', ['loop', 'cpu'], ['null', 'file'])],
  warmUp: 100_000,
})

/** With room for a whole burst, to where the transports of winston write. */
const asWinston = { to: ['file', 'pipe'], records: 100_000 } as const
/** What changing the import of a program that logs by winston changes. */
export const winston = front({
  ...asWinston,
  question: 'Through the API of winston: a message and three attributes',
  ours: 'sluice-winston',
  rivals: ['winston'],
  targets: [noMoreThan('winston', ['loop', 'drain'], ['file', 'pipe'])],
})
/** What another transport changes in a program whose logger is winston's own. */
export const winstonTransport = front({
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
  ...front({
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
