import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { LastItems } from '../../../src/cli/view/last-items.ts'
import { readFiles, type FileReading } from '../../../src/cli/view/read-files.ts'
import { readLastRecords } from '../../../src/cli/view/read-last-records.ts'
import type { RecordSink } from '../../../src/read/lines/record-sink.ts'

let folder: string

const nothing = (): void => {}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-last-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** Returns about 2.5 MB of lines. Every 5000th has the level error. */
function jsonLines(end: string): string {
  let content = ''
  for (let index = 0; index < 20_000; index++) {
    const level = index % 5000 === 7 ? 'error' : 'info'
    content += `{"timestamp":"2026-03-01T10:00:00.000Z","level":"${level}","message":"number ${index} ${'é'.repeat(20)}"}${end}`
  }
  return content
}

/** Reads a file from its end, and returns whether that was possible and the messages of the last records of a level. */
async function fromEnd(file: string, count: number, level?: string): Promise<readonly [boolean, readonly string[]]> {
  const last = new LastItems(count)
  const isFound = await readLastRecords(readingOf(file, last, level), last)
  return [isFound, messagesIn(last)]
}

/** Reads a file from its start, and returns the messages of the last records of a level. */
async function fromStart(file: string, count: number, level?: string): Promise<readonly string[]> {
  const last = new LastItems(count)
  await readFiles(readingOf(file, last, level))
  return messagesIn(last)
}

function readingOf(file: string, last: LastItems, level: string | undefined): FileReading {
  const sink: RecordSink = {
    record: (record) => (level === undefined || record.level === level) && last.record(record),
    text: (bytes, origin) => last.text(bytes, origin),
  }
  const callbacks = { flush: nothing, onFileEnd: nothing, onQuiet: nothing, onInputError: nothing, isDone: () => false }
  return {
    ...callbacks,
    files: [file],
    input: undefined,
    fieldNames: undefined,
    sink,
    needed: undefined,
    keepsRecords: true,
  }
}

function messagesIn(last: LastItems): readonly string[] {
  const messages: string[] = []
  last.releaseTo({
    record: (record) => messages.push(String(record.message)),
    text: (bytes) => messages.push(Buffer.from(bytes).toString()),
  })
  return messages
}

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test.each([
  ['\n', 3, undefined],
  ['\r\n', 3, undefined],
  ['\n', 1, 'error'],
] as const)(
  'the last records are found at the end of a file: line end %j, %d records, level %s',
  async (end, count, level) => {
    const file = write('app.log', jsonLines(end))
    expect(await fromEnd(file, count, level)).toEqual([true, await fromStart(file, count, level)])
  },
)

test('a file is read from its start when the parts at its end that are smaller than it have too few records', async () => {
  expect(await fromEnd(write('app.log', jsonLines('\n')), 12_000)).toEqual([false, []])
})

test('an incomplete last line is the last record', async () => {
  const file = write('cut.log', jsonLines('\n') + '{"level":"info","mess')
  expect(await fromEnd(file, 2)).toEqual([true, await fromStart(file, 2)])
})

test('a larger part is read when the first part has too few records', async () => {
  const file = write('large.log', jsonLines('\n').repeat(5))
  const [isFound, messages] = await fromEnd(file, 5, 'error')
  expect(isFound).toBe(true)
  expect(messages).toEqual(await fromStart(file, 5, 'error'))
})

test.each([
  ['a stack trace', jsonLines('\n') + '    at run (app.js:1:2)\n'],
  ['an envelope', jsonLines('\n') + '{"log":"x\\n","stream":"stdout","time":"2026-03-01T10:00:00Z"}\n'],
  ['one long line', `{"message":"${'x'.repeat(3_000_000)}"}\n`],
  ['few bytes', '{"message":"x"}\n'],
  ['UTF-16', Buffer.from(`\uFEFF${jsonLines('\n')}`, 'utf16le')],
  ['compressed content', gzipSync(Buffer.from(jsonLines('\n')), { level: 0 })],
])('a file with %s is not read from its end', async (name, content) => {
  expect(await fromEnd(write(`${name}.txt`, content), 1)).toEqual([false, []])
})

test('a file that is missing is not read from its end', async () => {
  expect(await fromEnd(join(folder, 'missing.log'), 1)).toEqual([false, []])
})
