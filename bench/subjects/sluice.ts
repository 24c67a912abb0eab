import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Line, Log, LogSetup, Subject } from './subject.ts'

/** Room for a whole burst, as pino's memory without a bound has. */
const maxQueueBytes = 64 * 1024 * 1024

/** What ships: the built package, written to the standard output with the defaults, except that nothing may be lost. */
export const sluice: Subject = {
  title: 'sluice, fdExporter({ onFull: "block", maxQueueBytes: 64 MiB })',
  whenFull: 'waits for the reader beyond 64 MiB',
  open,
  read,
}

/** Another build of the same package, to tell what a change has done. */
export const baseline: Subject = { ...sluice, title: 'sluice, the build given as --baseline' }

async function open({ bound, redact }: LogSetup, build: string): Promise<Log> {
  const { createLogger } = await load<typeof import('../../src/index.ts')>(build, 'index')
  const { fdExporter } = await load<typeof import('../../src/exporters.ts')>(build, 'exporters')
  const root = createLogger({
    level: 'info',
    redact,
    exporter: fdExporter({ format: 'json', onFull: 'block', maxQueueBytes }),
  })
  const log = bound === undefined ? root : root.child(bound)
  return {
    text: (message) => log.info(message),
    attributes: (message, attributes) => log.info(message, attributes),
    disabled: log.debug,
    async flush() {
      const { ok, pending } = await log.flush({ timeoutMillis: 60_000 })
      if (!ok) throw new Error(`${pending} records were not flushed in a minute`)
    },
    ledger() {
      const { written, dropped } = log.stats()
      return { written, lost: dropped.total }
    },
  }
}

async function load<T>(build: string, entry: string): Promise<T> {
  return (await import(pathToFileURL(join(build, `${entry}.js`)).href)) as T
}

function read({ timestamp, level, message, attributes = {} }: Readonly<Record<string, unknown>>): Line {
  return { time: Date.parse(String(timestamp)), level: String(level), message, attributes }
}
