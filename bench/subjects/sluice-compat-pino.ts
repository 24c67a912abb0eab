import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pinoSubject, type Pino } from './pino.ts'
import type { Subject } from './subject.ts'

/** The parts of `sluice/pino` that pino does not have. */
type CompatPino = Pino & { destination(options: object): CompatDestination }
interface CompatDestination {
  flush(done: (error?: Error) => void): void
}

/** The compatible API with its defaults: standard output, written at the end of the turn from a bounded queue. */
export const sluiceCompatPino: Subject = pinoSubject<CompatDestination>(
  { title: 'sluice/pino', whenFull: 'drops the least severe records over 16 MiB' },
  (pino) => (pino as CompatPino).destination({ dest: 1 }),
  (destination) =>
    new Promise((resolve, reject) => destination.flush((error) => (error === undefined ? resolve() : reject(error)))),
  async (build) => ((await import(pathToFileURL(join(build, 'pino.js')).href)) as { default: Pino }).default,
)
