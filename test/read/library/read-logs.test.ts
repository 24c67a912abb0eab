import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { appendFileSync, readdirSync, readlinkSync } from 'node:fs'
import { readLogs, type ReadLogsOptions, type ReadRecord } from '../../../src/entries/read.ts'
import { TimeLimit } from '../../../src/read/query/time-limit.ts'
import { needs } from '../../support/needs.ts'
import { line, LogFolder } from '../sort/sorting.ts'

let folder: LogFolder
let file: string
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
beforeAll(() => {
  folder = new LogFolder()
  file = folder.write(
    'app.log',
    line('2026-01-01T00:00:02.000Z', 'two', { trace_id: traceId }) +
      'a text\n' +
      line('2026-01-01T00:00:01.000Z', 'one', { level: 'error', trace_id: traceId }) +
      line('2026-01-01T00:00:05.000Z', 'five', { level: 'warn', tenant: 'acme' }),
  )
})
afterAll(() => folder.remove())

async function messagesOf(options: ReadLogsOptions, files: string | readonly string[] = file): Promise<unknown[]> {
  const messages: unknown[] = []
  for await (const { message } of readLogs(files, options)) messages.push(message)
  return messages
}

const isOpen = (path: string): boolean =>
  readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path
    } catch {
      return false // The descriptor with which the folder was read.
    }
  })

function throwNo(): boolean {
  throw new Error('no')
}

/** Counts the calls of `TimeLimit.run`, each of which takes some 50 microseconds, during a function. */
async function countTimeLimits(callee: () => Promise<unknown>): Promise<number> {
  const run = jest.spyOn(TimeLimit.prototype, 'run')
  try {
    await callee()
    return run.mock.calls.length
  } finally {
    run.mockRestore()
  }
}

describe('queries whose regular expressions have a time limit', () => {
  let many: string
  beforeAll(() => {
    const lines = Array.from({ length: 1_000 }, (_, index) =>
      line(new Date(index).toISOString(), index % 2 === 0 ? 'a'.repeat(20) : 'b', {
        trace_id: index.toString(16).padStart(32, '1'),
      }),
    )
    many = folder.write('many.log', lines.join(''))
  })

  it.each<[string, ReadLogsOptions]>([
    ['where', { where: "message~'^(a+)+$'" }],
    ['where with sort', { where: "message~'^(a+)+$'", sort: true }],
    ['traceOf', { traceOf: "message~'^(a+)+$'" }],
  ])('are tested for many records at once by %s', async (_, options) => {
    let messages: unknown[] = []
    const count = await countTimeLimits(async () => (messages = await messagesOf(options, many)))
    expect(messages).toEqual(Array.from({ length: 500 }, () => 'a'.repeat(20)))
    expect(count).toBeLessThanOrEqual(10)
  })
})

describe('options of readLogs', () => {
  it.each<[ReadLogsOptions, string[]]>([
    [{}, ['two', 'one', 'five']],
    [{ text: true }, ['two', 'a text', 'one', 'five']],
    [{ where: 'tenant=acme' }, ['five']],
    [{ where: ({ severityNumber }) => severityNumber > 9 }, ['one', 'five']],
    [{ level: 'error' }, ['one']],
    [{ level: 13 }, ['one', 'five']],
    [{ since: '2026-01-01T00:00:02Z' }, ['two', 'five']],
    [{ until: new Date('2026-01-01T00:00:02Z') }, ['one']],
    [{ since: Date.parse('2026-01-01T00:00:01Z'), until: '2026-01-01T00:00:03Z' }, ['two', 'one']],
    [{ sort: true, text: true }, ['one', 'two', 'a text', 'five']],
    [{ traceOf: "message='one'" }, ['two', 'one']],
    [{ traceOf: ({ message }) => message === 'one', sort: true }, ['one', 'two']],
    [{ tail: 2 }, ['one', 'five']],
    [{ map: { message: 'tenant' }, where: 'message=acme' }, ['acme']],
  ])('returns the records that %j selects', async (options, messages) => {
    expect(await messagesOf(options)).toEqual(messages)
  })

  it('returns text that a logger or a container wrote, also without the option text', async () => {
    const docker = { log: 'of a container\n', stream: 'stdout', time: '2026-01-01T00:00:03Z' }
    const path = folder.write('text.log', `info: of winston\n\n${JSON.stringify(docker)}\nof no known format\n`)
    expect(await messagesOf({}, path)).toEqual(['of winston', 'of a container'])
    expect(await messagesOf({ sort: true }, path)).toEqual(['of winston', 'of a container'])
  })

  it.each<[unknown, string]>([
    [{ levl: 'a' }, 'readLogs: levl: unknown option; did you mean "level"?'],
    [{ query: 'a' }, "readLogs: query: unknown option; write where: 'level>=warn', or a function"],
    [{ where: 5 }, "readLogs: where: must be a query, such as 'level>=warn', or a function"],
    [{ level: 'inof' }, 'readLogs: level: unknown level "inof"; did you mean "info"?'],
    [{ level: 25 }, 'readLogs: level: must be an integer from 1 to 24, not 25'],
    [{ since: 'soon' }, 'readLogs: since: must be a Date, milliseconds since 1970 or a time such as'],
    [{ until: new Date(Number.NaN) }, 'readLogs: until: must be a Date, milliseconds'],
    [{ input: 'simpel' }, 'readLogs: input: must be one of'],
    [{ map: { lvl: 'severity' } }, 'readLogs: map.lvl: unknown option'],
    [{ map: 'level=severity' }, "readLogs: map: must be an object, such as { level: 'severity' }"],
    [{ tail: -1 }, 'readLogs: tail: must be an integer'],
    [{ signal: {} }, 'readLogs: signal: must be an AbortSignal'],
    [{ follow: true, sort: true }, 'readLogs: follow: cannot be used with sort'],
    [{ follow: true, traceOf: 'a=1' }, 'readLogs: follow: cannot be used with traceOf'],
    [[], 'readLogs: must be an object with options, not an array'],
  ])('throws a ConfigurationError for the options %j when it is called', (options, message) => {
    expect(() => readLogs(file, options as ReadLogsOptions)).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', message: expect.stringContaining(message) }),
    )
  })

  it.each<[unknown, string]>([
    [5, 'readLogs: files: must be a path or an array of paths, not a number'],
    ['', 'readLogs: files: must be a path'],
    [['a', 1], 'readLogs: files[1]: must be a string, not a number'],
  ])('throws a ConfigurationError for the files %j', (files, message) => {
    expect(() => readLogs(files as string)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message) }),
    )
  })

  it.each(['where', 'traceOf'])('throws a QueryError with the name of the option %s for an invalid query', (option) => {
    expect(() => readLogs(file, { [option]: 'level>=' })).toThrow(
      expect.objectContaining({
        name: 'QueryError',
        message: `SLUICE_QUERY_SYNTAX: readLogs: ${option}: expected a value instead of the end of the query (at character 8)`,
        option,
        position: 7,
        excerpt: 'level>=\n       ^',
      }),
    )
  })
})

describe('errors of readLogs', () => {
  it('throws what a function threw, with the line', async () => {
    const cause = new RangeError('too far')
    const where = ({ message }: ReadRecord): boolean => {
      if (message === 'one') throw cause
      return true
    }
    await expect(messagesOf({ where })).rejects.toMatchObject({
      message: `readLogs: where threw for line 3 of ${file}: RangeError: too far`,
      cause,
    })
  })

  it('throws if a function returns a promise', async () => {
    const where = (async () => false) as unknown as () => boolean
    await expect(messagesOf({ where })).rejects.toThrow('readLogs: where returned a promise for line 1 of')
  })

  it('throws an InputError for a missing file after the other files were read', async () => {
    const messages: unknown[] = []
    const reading = async (): Promise<void> => {
      for await (const { message } of readLogs(['/does/not/exist', file])) messages.push(message)
    }
    await expect(reading()).rejects.toMatchObject({ name: 'InputError', file: '/does/not/exist' })
    expect(messages).toEqual(['two', 'one', 'five'])
  })

  it.each([{}, { sort: true }, { traceOf: 'level>=trace' }])(
    'passes the error of a missing file to onError with the options %j',
    async (options) => {
      const errors: string[] = []
      await messagesOf({ ...options, onError: ({ message }) => errors.push(message) }, [file, '/does/not/exist'])
      expect(errors).toEqual(['/does/not/exist: cannot be read: no such file (ENOENT)'])
    },
  )
})

describe('the end of readLogs', () => {
  const linuxTest = needs('/proc', process.platform === 'linux')

  linuxTest('closes the file when the loop is left', async () => {
    const large = folder.write('large.log', line(1000, 'a').repeat(100_000))
    let wasOpen = false
    for await (const _ of readLogs(large)) {
      wasOpen = isOpen(large)
      break
    }
    expect([wasOpen, isOpen(large)]).toEqual([true, false])
  })

  it('reads a file only as fast as records are requested', async () => {
    const large = folder.write('slow.log', line(1000, 'a').repeat(100_000))
    const tested: unknown[] = []
    const records = readLogs(large, { where: (record) => tested.push(record) > 0 })
    await records.next()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(tested.length).toBeLessThan(10_000)
    await records.return!()
  })

  it('ends without an error when the signal is aborted', async () => {
    const controller = new AbortController()
    const messages: unknown[] = []
    for await (const { message } of readLogs(file, { signal: controller.signal })) {
      messages.push(message)
      if (message === 'one') controller.abort()
    }
    expect(messages).toEqual(['two', 'one'])
  })

  it('returns nothing if the signal is aborted already', async () => {
    expect(await messagesOf({ signal: AbortSignal.abort() })).toEqual([])
  })

  it('ends a request that waits for new lines when return is called', async () => {
    const records = readLogs(file, { follow: true, tail: 0 })
    const waiting = records.next()
    await new Promise((resolve) => setTimeout(resolve, 50))
    await records.return!()
    expect(await waiting).toEqual({ done: true, value: undefined })
  })
})

describe('following with readLogs', () => {
  it('returns the records of several files as they are written', async () => {
    const files = [folder.write('f1.log', line(1, 'old')), folder.write('f2.log', '')]
    const messages: unknown[] = []
    for await (const { message } of readLogs(files, { follow: true })) {
      messages.push(message)
      if (message === 'old') appendFileSync(files[1]!, line(2, 'new in f2'))
      if (message === 'new in f2') appendFileSync(files[0]!, line(3, 'new in f1'))
      if (message === 'new in f1') break
    }
    expect(messages).toEqual(['old', 'new in f2', 'new in f1'])
  })

  it('throws what a function threw while it follows several files', async () => {
    const files = [folder.write('f3.log', line(1, 'a')), folder.write('f4.log', '')]
    await expect(messagesOf({ follow: true, where: throwNo }, files)).rejects.toThrow(
      'readLogs: where threw for line 1',
    )
  })
})
