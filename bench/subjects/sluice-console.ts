import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CaptureConsoleOptions } from '../../src/entries/console.ts'
import { plainLine, readPlainLine } from './plain-line.ts'
import { sluice } from './sluice.ts'
import type { Log, Subject } from './subject.ts'

const whenFull = 'waits for the reader over 16 MiB'

/** The output of the program is not changed. */
export const sluiceConsole: Subject = {
  title: 'sluice, captureConsole(), console.log(JSON.stringify({ time, level, message, ... }))',
  whenFull,
  open: (_, build) => open(build, {}, plainLine),
  read: readPlainLine,
}

/** The same call without JSON from the program: the line is created from a record. */
export const sluiceRecords: Subject = {
  title: 'sluice, captureConsole({ mode: "records", objects: "attributes" }), console.log(message, attributes)',
  whenFull: sluice.whenFull,
  open: (_, build) => open(build, { mode: 'records', objects: 'attributes' }),
  read: sluice.read,
}

async function open(build: string, options: CaptureConsoleOptions, line?: typeof plainLine): Promise<Log> {
  const load = async <T>(entry: string) => (await import(pathToFileURL(join(build, `${entry}.js`)).href)) as T
  const { captureConsole } = await load<typeof import('../../src/entries/console.ts')>('console')
  const { createLogger } = await load<typeof import('../../src/entries/index.ts')>('index')
  const { fdExporter } = await load<typeof import('../../src/entries/exporters.ts')>('exporters')
  const exporter = fdExporter({ onFull: 'block', maxQueueBytes: 64 * 1024 * 1024, format: 'json' })
  const logger = options.mode === 'records' ? { logger: createLogger({ level: 'info', exporter }) } : {}
  const capture = captureConsole({ ...options, ...logger })
  return {
    text: line === undefined ? (message) => console.log(message) : (message) => console.log(line(message)),
    attributes:
      line === undefined
        ? (message, attributes) => console.log(message, attributes)
        : (message, attributes) => console.log(line(message, attributes)),
    async flush() {
      const { ok, pending } = await capture.flush({ timeoutMillis: 60_000 })
      if (!ok) throw new Error(`${pending} lines were not flushed in a minute`)
    },
    stats() {
      const { written, dropped } = capture.stats()
      return { written, lost: dropped.total }
    },
  }
}
