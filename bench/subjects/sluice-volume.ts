import type { Exporter } from '../../src/entries/exporters.ts'
import type { CreateHandler } from '../../src/entries/handlers.ts'
import { loadBuild } from './part-build.ts'
import { readNothing } from './part-logger.ts'
import { load } from './sluice.ts'
import type { Log, Subject } from './subject.ts'

type Handlers = typeof import('../../src/entries/handlers.ts')

/** sluice with a handler that suppresses every record but the first one of each message. */
function volumeSubject(title: string, create: (handlers: Handlers) => CreateHandler): Subject {
  return {
    title,
    whenFull: 'suppresses records',
    async open(_setup, build): Promise<Log> {
      const { createLogger, jsonLines } = await loadBuild(build)
      const handlers = await load<Handlers>(build, 'handlers')
      const exporter: Exporter = {
        name: 'nothing',
        encoding: jsonLines(),
        schedule: 'turn',
        delivery: {},
        export: () => ({ status: 'accepted' }),
      }
      const log = createLogger({ exporter, handler: create(handlers) })
      return {
        text: (message) => log.info(message),
        attributes: (message, attributes) => log.info(message, attributes),
        flush() {
          const { emitted, accepted, filtered } = log.stats().exporters[0]!
          if (accepted > 100 || accepted + filtered !== emitted)
            throw new Error(`${accepted} of ${emitted} records were kept`)
        },
      }
    },
    read: readNothing,
  }
}

const windowMillis = 3_600_000

export const sluiceLimit: Subject = volumeSubject('sluice, limit({ first: 1 }), suppressed records', ({ limit }) =>
  limit({ first: 1, windowMillis }),
)

export const sluiceDedupe: Subject = volumeSubject('sluice, dedupe(), suppressed records', ({ dedupe }) =>
  dedupe({ windowMillis }),
)

export const sluiceBudget: Subject = volumeSubject(
  'sluice, budget({ bytesPerSecond: 1 }), suppressed records',
  ({ budget }) => budget({ bytesPerSecond: 1 }),
)
