import { afterAll, expect } from '@jest/globals'
import { readFileSync, writeFileSync } from 'node:fs'
import { textOf } from '../docs/ingest-texts.ts'
import { importOf } from '../support/processes/child.ts'
import { needs } from '../support/needs.ts'
import { canStartJournald, writeJournal } from '../support/processes/private-journal.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'

const testJournald = needs('systemd-journald and a mount namespace', canStartJournald)
const directory = temporaryDirectory()

afterAll(() => directory.remove())

interface Entry {
  readonly MESSAGE: string
  readonly PRIORITY: string
  readonly SYSLOG_IDENTIFIER: string
}

/** Returns the journal entries of a program that is started with the command of the guide. */
async function entriesOf(program: string): Promise<Entry[]> {
  const [, command] = /^\$ (systemd-cat .*)$/m.exec(textOf('journald', 'console'))!
  const file = directory.path('app.js')
  writeFileSync(file, program)
  const node = `${process.execPath} --disable-warning=ExperimentalWarning `
  await writeJournal(directory.path(''), command!.replace('node ', node), {
    entries: '--identifier=shop --output=json',
  })
  const lines = readFileSync(directory.path('entries'), 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Entry)
}

const logger = importOf('{ createLogger }', 'src/create/create-logger.ts')
const longRecord = (options: string): string => `${logger}
    createLogger(${options}).info('long', { body: 'é'.repeat(50_000) })`
const messages = (entries: readonly Entry[]): string[] => entries.map(({ MESSAGE }) => MESSAGE)

testJournald('journald stores each line as an entry with the identifier of the guide and one priority', async () => {
  const entries = await entriesOf(`${logger}
    const log = createLogger({ clock: () => 0 })
    log.info('order {orderId} placed', { orderId: 42, text: 'two\\nlines, a \\0 and naïve 😀' })
    log.error('order {orderId} failed', { orderId: 43 })`)
  expect(messages(entries)).toEqual([
    expect.stringContaining('"message":"order 42 placed"'),
    '{"timestamp":"1970-01-01T00:00:00.000Z","level":"error","message":"order 43 failed","attributes":{"orderId":43}}',
  ])
  expect(JSON.parse(entries[0]!.MESSAGE)).toMatchObject({ attributes: { text: 'two\nlines, a \0 and naïve 😀' } })
  expect(entries.map(({ PRIORITY, SYSLOG_IDENTIFIER }) => [PRIORITY, SYSLOG_IDENTIFIER])).toEqual([
    ['6', 'shop'],
    ['6', 'shop'],
  ])
  expect(textOf('journald', 'ini')).toContain('SyslogIdentifier=shop\n')
})

testJournald('journald splits a line of more than 48 KiB, but not with the limit of the guide', async () => {
  const [, limit] = /recordBytes: ([\d_]+)/.exec(textOf('journald', 'ts'))!
  expect((await entriesOf(longRecord('{}'))).length).toBeGreaterThan(1)
  const entries = await entriesOf(longRecord(`{ limits: { recordBytes: ${limit} } }`))
  expect(entries.length).toBe(1)
  expect(JSON.parse(entries[0]!.MESSAGE)).toMatchObject({ message: 'long' })
})
