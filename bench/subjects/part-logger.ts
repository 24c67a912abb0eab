import type { Encoding, Exporter } from '../../src/entries/exporters.ts'
import { loadBuild } from './part-build.ts'
import { partRecord, checkText } from './part-record.ts'
import type { Line, Log, Subject } from './subject.ts'

/** The text of a record that is discarded. One text is checked before the timed part. */
export interface Discarded {
  text: string
}

/** Creates a subject whose exporter accepts all batches and writes nothing. `encodingOf` can discard text before that. */
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
      if (written !== emitted) throw new Error(`${written} of ${emitted} records were delivered`)
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
  throw new Error('a line was written, but all lines should be discarded')
}
