import { afterAll, describe, expect } from '@jest/globals'
import { readFileSync, writeFileSync } from 'node:fs'
import { temporaryDirectory } from '../../support/files/pipes.ts'
import { needs } from '../../support/needs.ts'
import { canStartJournald, writeJournal } from '../../support/processes/private-journal.ts'
import { recordsIn } from '../lines/read-bytes.ts'

const testJournald = needs('systemd-journald and a mount namespace', canStartJournald)
const directory = temporaryDirectory()
afterAll(() => directory.remove())

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const stack = ['Error: no route', '    at pay (/app/pay.js:3:9)']
/** Lines of a program, of which one is longer than the 48 KiB of journald's `LineMax`, and one has control characters. */
const lines = [
  `{"level":50,"time":1795254963123,"trace_id":"${traceId}","msg":"failed","order":43}`,
  ...stack,
  '<4>with a priority',
  `{"level":30,"time":1795254963124,"msg":"${'é'.repeat(60_000)}"}`,
  'a tab\tand an escape\u001B[31m',
  'one more',
]
const fields = ['MESSAGE=of the service', 'PRIORITY=3', 'ORDER=43', 'CODE_FILE=pay.c', 'CODE_LINE=7']

describe('what journald stores of a program', () => {
  let written: Promise<void> | undefined
  const write = (): Promise<void> => {
    writeFileSync(directory.path('lines.txt'), lines.map((line) => `${line}\n`).join(''))
    writeFileSync(directory.path('fields.txt'), fields.map((line) => `${line}\n`).join(''))
    return (written ??= writeJournal(
      directory.path(''),
      'systemd-cat -t shop cat lines.txt; sleep 0.1; logger --journald=fields.txt',
      {
        export: '--output=export --identifier=shop --identifier=logger',
        json: '--output=json --identifier=shop --identifier=logger',
        short: '--output=short-iso-precise --identifier=shop --identifier=logger --utc',
      },
    ))
  }

  testJournald.each(['export', 'json'])('is read from journalctl -o %s', async (format) => {
    await write()
    const records = recordsIn(readFileSync(directory.path(format)))
    expect(records.map(({ format, level, message }) => [format, level, message])).toEqual([
      ['pino', 'error', 'failed'],
      ['journald', 'warn', 'with a priority'],
      ['pino', 'info', 'é'.repeat(60_000)],
      ['journald', 'info', 'a tab\tand an escape\u001B[31m'],
      ['journald', 'info', 'one more'],
      ['journald', 'error', 'of the service'],
    ])
    expect(records[0]).toMatchObject({ traceId, time: 1_795_254_963_123, origin: { container: 'shop' } })
    expect(Object.fromEntries(records[0]!.attributes)).toEqual({
      order: 43,
      'exception.stacktrace': stack.join('\n'),
    })
    const last = records.at(-1)!
    expect(Object.fromEntries(last.attributes)).toEqual({
      ORDER: '43',
      'code.file.path': 'pay.c',
      'code.line.number': 7,
    })
    expect(Math.abs(last.time! - Date.now())).toBeLessThan(120_000)
    expect(last.resource.get('process.pid')).toEqual(expect.any(Number))
    // The time is written with microseconds.
    expect(last.timeUnixNano! % 1_000n).toBe(0n)
  })

  testJournald(
    'is read from journalctl in its default form, without the parts that this form does not mark',
    async () => {
      await write()
      const records = recordsIn(readFileSync(directory.path('short')))
      expect(records[0]).toMatchObject({ format: 'pino', level: 'error', traceId, origin: { container: 'shop' } })
      expect(records[0]!.attributes.get('exception.stacktrace')).toBe(stack.join('\n'))
      expect(records[1]).toMatchObject({ format: 'syslog', level: '', message: 'with a priority' })
      expect(records.at(-1)).toMatchObject({ message: 'of the service', origin: { container: 'logger' } })
    },
  )
})
