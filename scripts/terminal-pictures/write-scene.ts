// Writes one scene with one logger: node write-scene.ts <logger> <scene> <width> <color>
import { createRequire } from 'node:module'
import type { SceneRecord } from './scenes.ts'
import { scenes } from './scenes.ts'
import { durationText } from '../../src/encode/template/duration-text.ts'

const [loggerName = 'sluice', scene = 'start', width = '80', color = 'true'] = process.argv.slice(2)
const records = (await scenes())[scene]!
const start = Date.UTC(2026, 10, 21, 9, 56, 3, 123)
const requirePeer = createRequire(new URL('../../bench/package.json', import.meta.url))

const writers: Readonly<Record<string, () => Promise<(record: SceneRecord, index: number) => void>>> = {
  async sluice() {
    const { createLogger } = await import('../../src/entries/index.ts')
    const { fdExporter } = await import('../../src/entries/exporters.ts')
    const { withContext } = await import('../../src/entries/index.ts')
    let now = start
    const log = createLogger({
      level: 'trace',
      name: 'shop',
      clock: () => now,
      exporter: fdExporter({
        format: 'pretty',
        pretty: { width: Number(width), colors: color === 'true', time: 'utc' },
        write: 'sync',
      }),
    })
    return ({ level, message, attributes, error, request }, index) => {
      now = start + index * 41
      const all = error === undefined ? [attributes] : [attributes, error]
      const args = all.filter((one) => one !== undefined)
      const write = () => (log[level] as (...args: unknown[]) => void)(message, ...args)
      if (request === undefined) write()
      else withContext(request, write)
    }
  },
  async 'pino-pretty'() {
    const pino = requirePeer('pino')
    const pretty = requirePeer('pino-pretty')
    const stream = pretty({ destination: 1, sync: true, colorize: color === 'true', translateTime: 'UTC:HH:MM:ss.l' })
    let now = start
    const log = pino({ level: 'trace', name: 'shop', base: null, timestamp: () => `,"time":${now}` }, stream)
    return ({ level, message, attributes, error, request }, index) => {
      now = start + index * 41
      const fields = { ...request, ...attributes, ...(error === undefined ? {} : { err: error }) }
      log[level](fields, inserted(message, attributes))
    }
  },
  async tslog() {
    const { Logger } = await import('tslog')
    const log = new Logger({
      name: 'shop',
      type: 'pretty',
      pretty: { style: color === 'true' },
    })
    return ({ level, message, attributes, error, request }) => {
      const rest = [
        request === undefined && attributes === undefined ? undefined : { ...request, ...attributes },
        error,
      ]
      log[level](inserted(message, attributes), ...rest.filter((one) => one !== undefined))
    }
  },
}

const write = await writers[loggerName]!()
records.forEach(write)

/** Returns a message with its attributes, as users of loggers without templates write it. */
function inserted(message: string, attributes: SceneRecord['attributes']): string {
  return message.replace(/\{([\w.]+)(?::(\w+))?\}/g, (_, name: string, format: string | undefined) =>
    format === 'duration' ? durationText(Number(attributes?.[name])) : String(attributes?.[name]),
  )
}
