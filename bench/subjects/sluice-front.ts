import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pinoSubject, type Pino } from './pino.ts'
import type { Subject } from './subject.ts'

/** What of the front the benchmark needs beyond what it has of pino's own. */
type Front = Pino & { destination(options: object): FrontDestination }
interface FrontDestination {
  flush(done: (error?: Error) => void): void
}

/** The front that has pino's interface, as it comes: the standard output, at the end of the turn, by a bounded queue. */
export const sluiceFront: Subject = pinoSubject<FrontDestination>(
  { title: 'sluice/pino', whenFull: 'drops the least severe beyond 16 MiB' },
  (pino) => (pino as Front).destination({ dest: 1 }),
  (destination) =>
    new Promise((resolve, reject) => destination.flush((error) => (error === undefined ? resolve() : reject(error)))),
  async (build) => ((await import(pathToFileURL(join(build, 'pino.js')).href)) as { default: Pino }).default,
)
