import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Log, LogSetup, Subject } from './subject.ts'
import { winston } from './winston.ts'

/** `sluice/winston` with the configuration of winston, and a queue for the whole burst. */
export const sluiceWinston: Subject = {
  title:
    'sluice/winston, Console transport ({ onFull: "block", maxQueueBytes: 64 MiB }), format.timestamp() and format.json()',
  whenFull: 'waits for the reader over 64 MiB',
  open,
  read: winston.read,
}

async function open({ bound, nestedBound, redact }: LogSetup, build: string): Promise<Log> {
  const entry = pathToFileURL(join(build, 'winston.js')).href
  const { createLogger, format, transports } = (await import(entry)) as typeof import('../../src/entries/winston.ts')
  const root = createLogger({
    level: 'info',
    format: format.combine(format.timestamp(), format.json()),
    transports: new transports.Console({ onFull: 'block', maxQueueBytes: 64 * 1024 * 1024 }),
    ...(redact === undefined ? {} : { redact }),
  })
  const child = bound === undefined ? root : root.child(bound)
  const log = nestedBound === undefined ? child : child.child(nestedBound)
  return {
    text: (message) => log.info(message),
    attributes: (message, attributes) => log.info(message, attributes),
    disabled: (message, attributes) => log.debug(message, attributes),
    async flush() {
      const { ok, pending } = await root.flush({ timeoutMillis: 60_000 })
      if (!ok) throw new Error(`${pending} records were not flushed in a minute`)
    },
  }
}
