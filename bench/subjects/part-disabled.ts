import { loadBuild } from './part-build.ts'
import { readNothing } from './part-logger.ts'
import type { Log, Subject } from './subject.ts'

/** The same calls at a disabled level. */
export const partDisabled: Subject = {
  title: 'sluice, at a disabled level',
  whenFull: 'writes nothing',
  async open(_setup, build): Promise<Log> {
    const { createLogger } = await loadBuild(build)
    const log = createLogger({ level: 'info' })
    return {
      text: (message) => log.debug(message),
      attributes: (message, attributes) => log.debug(message, attributes),
      flush() {
        const { emitted } = log.stats().exporters[0]!
        if (emitted > 0) throw new Error(`${emitted} records were logged at a disabled level`)
      },
    }
  },
  read: readNothing,
}
