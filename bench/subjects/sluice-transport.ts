import { load, read } from './sluice.ts'
import type { Subject } from './subject.ts'
import { winstonSubject } from './winston.ts'

/** winston with the transport of sluice as in its guide, without a format, because records need no text. */
export const sluiceTransport: Subject = winstonSubject(
  {
    title: 'winston 3.19, sluiceTransport with fdExporter({ onFull: "block", maxQueueBytes: 64 MiB })',
    whenFull: 'waits for the reader over 64 MiB',
  },
  async (_, build) => {
    const api = await load<typeof import('../../src/entries/winston.ts')>(build, 'winston')
    const { fdExporter } = await load<typeof import('../../src/entries/exporters.ts')>(build, 'exporters')
    const exporter = fdExporter({ format: 'json', onFull: 'block', maxQueueBytes: 64 * 1024 * 1024 })
    const transport = api.sluiceTransport({ exporter })
    return {
      transport,
      async drained() {
        const { ok, pending } = await transport.flush({ timeoutMillis: 60_000 })
        if (!ok) throw new Error(`${pending} records were not flushed in a minute`)
      },
    }
  },
  { read, format: () => undefined },
)
