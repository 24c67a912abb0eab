import { jest } from '@jest/globals'
import { Writable } from 'node:stream'
import * as logTape from '@logtape/logtape'
import { ecsFormat as ecsPinoFormat } from '@elastic/ecs-pino-format'
import { ecsFormat as ecsWinstonFormat } from '@elastic/ecs-winston-format'
import realBunyan from 'bunyan'
import realPino from 'pino'
import { Logger as Tslog5 } from 'tslog'
import { Logger as Tslog4 } from 'tslog-4'
import realWinston from 'winston'

/** Collects lines that a library writes. */
export class Lines {
  private text = ''

  /** A destination of pino and bunyan. */
  readonly write = (chunk: string): void => {
    this.text += chunk
  }
  /** Returns the lines since the last call, and forgets them. */
  take(): string[] {
    const lines = this.text.split('\n').filter((line) => line !== '')
    this.text = ''
    return lines
  }
}

/** Returns the lines that pino writes. */
export function pinoLines(options: realPino.LoggerOptions, use: (log: realPino.Logger) => void): string[] {
  const lines = new Lines()
  use(realPino(options, lines))
  return lines.take()
}

/** Returns the lines that pino writes with the format of Elastic. */
export function ecsPinoLines(use: (log: realPino.Logger) => void): string[] {
  return pinoLines(ecsPinoFormat(), use)
}

/** Returns the lines that bunyan writes. */
export function bunyanLines(options: Omit<realBunyan.LoggerOptions, 'name'>, use: (log: realBunyan) => void): string[] {
  const lines = new Lines()
  const stream = new Writable({ write: (chunk, _encoding, callback) => (lines.write(String(chunk)), callback()) })
  use(realBunyan.createLogger({ name: 'shop', ...options, streams: [{ stream, level: 'trace' }] }))
  return lines.take()
}

/** Returns the lines that winston writes in a format. */
export function winstonLines(
  format: (formats: typeof realWinston.format) => realWinston.Logform.Format,
  use: (log: realWinston.Logger) => void,
  options: realWinston.LoggerOptions = {},
): string[] {
  const lines = new Lines()
  const stream = new Writable({ write: (chunk, _encoding, callback) => (lines.write(String(chunk)), callback()) })
  const transports = [new realWinston.transports.Stream({ stream })]
  const log = realWinston.createLogger({ level: 'silly', format: format(realWinston.format), transports, ...options })
  use(log)
  log.close()
  return lines.take()
}

/** Returns the lines that winston writes with the format of Elastic. */
export function ecsWinstonLines(use: (log: realWinston.Logger) => void): string[] {
  return winstonLines(() => ecsWinstonFormat(), use)
}

/** Returns the lines that tslog writes: version 4 to the console, version 5 to standard output. */
export async function tslogLines(version: 4 | 5, use: (log: Tslog4<unknown>) => void): Promise<string[]> {
  const lines = new Lines()
  const spies = [
    jest.spyOn(console, 'log').mockImplementation((line: string) => lines.write(`${line}\n`)),
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => (lines.write(String(text)), true)),
  ]
  const Logger = (version === 4 ? Tslog4 : Tslog5) as typeof Tslog4
  try {
    const log = new Logger({ type: 'json', name: 'main' })
    use(log)
    if (version === 5) await (log as unknown as Tslog5<unknown>).flush()
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return lines.take()
}

/** Returns the lines of LogTape's JSON lines formatter. */
export async function logTapeLines(
  options: logTape.JsonLinesFormatterOptions,
  use: (log: logTape.Logger) => void,
): Promise<string[]> {
  const lines = new Lines()
  const formatter = logTape.getJsonLinesFormatter(options)
  await logTape.configure({
    reset: true,
    sinks: { lines: (record) => lines.write(formatter(record)) },
    loggers: [
      { category: 'app', lowestLevel: 'trace', sinks: ['lines'] },
      { category: ['logtape', 'meta'], lowestLevel: 'error', sinks: [] },
    ],
  })
  use(logTape.getLogger(['app', 'db']))
  await logTape.reset()
  return lines.take()
}
