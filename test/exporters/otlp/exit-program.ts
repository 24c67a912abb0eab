// Logs a burst by OTLP and exits. The argument is an ExitPlan as JSON; see exit-runs.ts.
import { Agent } from 'node:http'
import { writeSync } from 'node:fs'
import type { ExitPlan } from './exit-runs.ts'

const { url, way, records, logger, exporter, afterMillis, headers, agent, from } = JSON.parse(
  process.argv[2]!,
) as ExitPlan

const { createLogger } = (await import(`${from}/index.${from.endsWith('src/entries') ? 'ts' : 'js'}`)) as {
  createLogger: typeof import('../../../src/entries/index.ts').createLogger
}
const { otlpExporter } = (await import(`${from}/exporters.${from.endsWith('src/entries') ? 'ts' : 'js'}`)) as {
  otlpExporter: typeof import('../../../src/entries/exporters.ts').otlpExporter
}
const log = createLogger({
  exporter: otlpExporter({
    url,
    retry: { initialDelayMillis: 10_000 },
    ...exporter,
    ...(agent === true ? { agent: new Agent() } : {}),
    ...(headers === undefined ? {} : { headers: () => headersOf(headers) }),
  }),
  ...logger,
})
let calls = 0

process.on('exit', () => writeSync(1, `${JSON.stringify(log.stats().exporters[0])}\n`))

burst(0, records)
if (afterMillis === undefined) die()
else setTimeout(die, afterMillis)

function burst(from: number, count: number): void {
  for (let seq = from; seq < from + count; seq++) log.info('burst', { seq })
}

function die(): void {
  writeSync(2, `dying ${Date.now()}\n`)
  switch (way) {
    case 'end':
      return
    case 'exit':
      return process.exit(3)
    case 'throw':
      throw new Error('mine')
    case 'SIGTERM':
      setInterval(() => {}, 1_000)
      return void process.kill(process.pid, 'SIGTERM')
    case 'fatal':
      log.fatal('the end', { seq: records })
      return void process.kill(process.pid, 'SIGKILL')
    case 'flushSync':
      writeSync(1, `${JSON.stringify(log.flushSync(2_000))}\n`)
      return burst(records, 1)
  }
}

function headersOf(
  kind: 'sync' | 'async' | 'slow' | 'never',
): Record<string, string> | Promise<Record<string, string>> {
  const token = { token: `t${++calls}` }
  if (kind === 'sync') return token
  // The timer does not keep the process alive: only the exporter does.
  if (kind === 'slow') return new Promise((resolve) => setTimeout(resolve, 100, token).unref())
  return kind === 'async' ? Promise.resolve(token) : new Promise(() => {})
}
