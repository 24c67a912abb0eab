import type { Encoding, Exporter } from '../../src/entries/exporters.ts'
import { loadBuild } from './part-build.ts'
import { partRecord, checkText } from './part-record.ts'
import type { Line, Log, Subject } from './subject.ts'

/** A text that nobody will read: one of them is judged before the clock starts. */
export interface Discarded {
  text: string
}

/** A logger whose exporter takes everything and writes nothing. `encodingOf` may throw text away before it gets there. */
export function discardingSubject(
  title: string,
  encodingOf: (own: Encoding, discarded: Discarded) => Encoding,
): Subject {
  async function open(_setup: unknown, build: string): Promise<Log> {
    const { createLogger, jsonLines } = await loadBuild(build)
    const discarded: Discarded = { text: '' }
    const exporter: Exporter = {
      name: 'nothing',
      encoding: encodingOf(jsonLines(), discarded),
      schedule: 'turn',
      delivery: {},
      export(batch) {
        if (discarded.text === '') discarded.text = batch.text()
        return { status: 'accepted' }
      },
    }
    const log = createLogger({ level: 'info', exporter })
    const { message, attributes } = partRecord(0)
    log.info(message, attributes)
    await flush()
    checkText(discarded.text, 0)

    async function flush(): Promise<void> {
      await log.flush({ timeoutMillis: 60_000 })
      const { emitted, written } = log.stats().exporters[0]!
      if (written !== emitted) throw new Error(`${written} of ${emitted} records got through`)
    }

    return {
      text: (message) => log.info(message),
      attributes: (message, attributes) => log.info(message, attributes),
      flush,
    }
  }
  return { title, whenFull: 'is never full', open, read: readNothing }
}

export function readNothing(): Line {
  throw new Error('a line was written where all are thrown away')
}
