import { afterAll, expect } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createLogger } from '../../src/create/create-logger.ts'
import { fileExporter } from '../../src/exporters/file/file-exporter.ts'
import { textOf } from '../docs/ingest-texts.ts'
import { needs } from '../support/needs.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'
import { startProgram } from '../support/processes/start-program.ts'
import { waitUntil } from '../support/wait-until.ts'

const testRsyslog = needs('rsyslog', spawnSync('rsyslogd', ['-v']).status === 0)
const directory = temporaryDirectory()
const logs = directory.path('logs')
const at = (name: string): string => `${logs}/${name}`
const linesOf = (name: string): string[] =>
  existsSync(at(name)) ? readFileSync(at(name), 'utf8').split('\n').slice(0, -1) : []

afterAll(() => directory.remove())

testRsyslog('rsyslog with the configuration of the guide keeps each line unchanged and parses its fields', async () => {
  for (const path of [logs, directory.path('work')]) mkdirSync(path)
  const configuration = directory.path('rsyslog.conf')
  const text = textOf('rsyslog', 'conf')
  writeFileSync(
    configuration,
    text.replaceAll('/var/log/shop', logs).replace('/var/spool/rsyslog', directory.path('work')),
  )

  const exporter = fileExporter({ path: at('app.log') })
  const log = createLogger({ exporter, handleExit: false, clock: () => Date.UTC(2026, 10, 21, 9, 56, 3, 123) })
  log.info('order {orderId} placed', { orderId: 42, name: 'naïve 😀', text: 'two\nlines\ttab %msg% "quoted"' })
  log.error('order {orderId} failed', { orderId: 43 }, new Error('no route'))
  // Longer than the default limit of a record.
  log.warn('long', { body: 'é'.repeat(200_000) })
  log.fatal('the end')
  await log.shutdown()
  const written = linesOf('app.log')
  writeFileSync(at('app.log'), 'not JSON\n', { flag: 'a' })

  const args = ['-n', '-f', configuration, '-i', directory.path('pid')]
  // rsyslogd prints nothing when it is ready, so its shell prints a line.
  const rsyslogd = await startProgram({
    command: 'sh',
    args: ['-c', 'echo begins; exec rsyslogd "$@"', 'sh', ...args],
    ready: /begins/,
  })
  await waitUntil(() => linesOf('other.log').length > 0 && linesOf('alarms.log').length > 1, 30_000)
  await rsyslogd.stop()

  expect(Math.max(...written.map((line) => Buffer.byteLength(line)))).toBeGreaterThan(250_000)
  expect(linesOf('all.jsonl')).toEqual(written)
  expect(linesOf('alarms.log')).toEqual([
    '2026-11-21T09:56:03.123Z error order 43 failed',
    '2026-11-21T09:56:03.123Z fatal the end',
  ])
  expect(textOf('rsyslog', 'console')).toContain(`${linesOf('alarms.log')[0]}\n`)
  expect(linesOf('other.log')).toEqual(['not JSON'])
})
