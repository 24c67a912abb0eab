import type { Pino } from './pino.ts'
import { importRival } from './rival.ts'
import { load, logOf, sluice } from './sluice.ts'
import type { Line, Log, LogSetup, Subject } from './subject.ts'

const read = (): Line => {
  throw new Error('human-readable lines are not JSON')
}

/** Human-readable lines on standard output, without colors. */
export const sluicePretty: Subject = {
  title: 'sluice, fdExporter({ format: "pretty", onFull: "block", maxQueueBytes: 64 MiB })',
  whenFull: sluice.whenFull,
  async open(_setup: LogSetup, build: string): Promise<Log> {
    const { createLogger } = await load<typeof import('../../src/entries/index.ts')>(build, 'index')
    const { fdExporter } = await load<typeof import('../../src/entries/exporters.ts')>(build, 'exporters')
    const options = { onFull: 'block', maxQueueBytes: 64 * 1024 * 1024, format: 'pretty' } as const
    const exporter = hasWidth(fdExporter) ? fdExporter({ ...options, pretty: { width: 200 } }) : fdExporter(options)
    return logOf(createLogger({ level: 'info', exporter }))
  },
  read,
  /** Parses `10:56:03.123 INFO  request served  seq=1 path=/a` */
  readText(text) {
    const [, time = '', level = '', rest = ''] = /^(\S+) (\S+) {2}(.*)$/.exec(text) ?? []
    const [message, members = ''] = rest.split('  ')
    const attributes = Object.fromEntries(
      (members.match(/\S+=(?:"[^"]*"|\S+)/g) ?? []).map((member) => [nameOf(member), valueOf(member)]),
    )
    return lineOf(time, level, message, attributes)
  },
}

/** Returns whether a build supports the option `pretty`. Without it, lines have no maximum width. */
function hasWidth(fdExporter: (options: object) => unknown): boolean {
  try {
    fdExporter({ fd: 987, pretty: {} })
    return true
  } catch {
    return false
  }
}

/** pino-pretty in the process of the logger, as its documentation recommends for development. */
export const pinoPretty: Subject = {
  title: 'pino-pretty 13.2 as a stream, sync: true, singleLine: true',
  whenFull: 'blocks in each call',
  async open(): Promise<Log> {
    const { default: pino } = await importRival<{ default: Pino }>('pino')
    const { default: pretty } = await importRival<{ default: (options: object) => object }>('pino-pretty')
    const stream = pretty({ destination: 1, sync: true, singleLine: true, colorize: false })
    const log = pino({ level: 'info', base: null }, stream)
    return {
      text: (message) => log.info(message),
      attributes: (message, attributes) => log.info(attributes, message),
      flush: () => {},
    }
  },
  read,
  /** Parses `[10:56:03.123] INFO: request served {"seq":1,"path":"/a"}` */
  readText(text) {
    const [, time = '', level = '', message, attributes = '{}'] =
      /^\[(\S+)\] (\w+): (.*?)(?: (\{.*\}))?$/.exec(text) ?? []
    return lineOf(time, level, message, JSON.parse(attributes))
  },
}

function lineOf(time: string, level: string, message: unknown, attributes: unknown): Line {
  return { time: todayAt(time), level: level.toLowerCase(), message, attributes }
}

/** Returns the time of a local time of day, today or yesterday. */
function todayAt(text: string): number {
  const [hours, minutes, seconds] = text.split(':').map(Number) as [number, number, number]
  const time = new Date().setHours(hours, minutes, 0, Math.round(seconds * 1e3))
  return time > Date.now() + 3_600_000 ? time - 86_400_000 : time
}

const nameOf = (member: string) => member.slice(0, member.indexOf('='))

function valueOf(member: string): unknown {
  const text = member.slice(member.indexOf('=') + 1)
  try {
    return JSON.parse(text)
  } catch {
    return text // a word without quotes
  }
}
