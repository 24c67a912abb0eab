import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory, type TemporaryDirectory } from '../support/pipes.ts'

const program = fileURLToPath(new URL('pollution/entry-program.mjs', import.meta.url))
const dist = fileURLToPath(new URL('../../dist', import.meta.url))
const reports = new URL('../../docs/api/', import.meta.url)

type Kind = 'text' | 'flag' | 'function' | 'object' | 'hidden' | 'throwing'
interface Plan {
  readonly entry: string
  readonly format?: 'esm' | 'cjs'
  readonly when: 'before' | 'after' | 'never'
  readonly on?: 'object' | 'array' | 'function'
  readonly kind?: Kind
  readonly keys: readonly string[]
}

/** A member of an interface, class or module in a report. */
const memberName = /^\s+(?:(?:readonly|static|protected|get|set) )*["']?([A-Za-z_$][\w$]*)["']?\??(?=[:(<;])/gm

/** The entries of the package, as their files are called. */
const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  exports: Record<string, unknown>
}
const entries = Object.keys(exports)
  .filter((path) => path !== './package.json')
  .map((path) => (path === '.' ? 'index' : path.slice(2)))

/** Every name in the public API of any entry: a new option is covered as soon as it is in its report. */
const publicNames = readdirSync(reports)
  .filter((file) => file.endsWith('.api.md'))
  .flatMap((file) => [...readFileSync(new URL(file, reports), 'utf8').matchAll(memberName)].map(([, name]) => name!))

/** Descriptors of properties, hooks of the language, indexes, and a name that means nothing. */
const languageNames = ['x', 'value', 'writable', 'enumerable', 'configurable', 'toJSON', '0', '1', '2']

/** Names that Node itself reads from objects of its own: with these no promise holds. The control fails where one is missing. */
const readByNode = new Set(
  `then path mode encoding fetch headers body handle fd signal removeListener ready set get auth host family method write destroy
  error`.split(/\s+/),
)
const names = [...new Set([...publicNames, ...languageNames])].filter(
  (name) => !readByNode.has(name) && !(name in Object.prototype),
)

/** Names that Node also reads without looking at what they hold: where that throws, Node cannot work. */
const lookedAtByNode = new Set(
  `name done destination keepalive keepAlive writable enumerable value configurable fatal message stack 0 1 2`.split(
    /\s+/,
  ),
)
const throwingNames = names.filter((name) => !lookedAtByNode.has(name))

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly seen: string
}

function run(plan: Plan): Promise<Outcome> {
  const argument = { dist, directory: directory.path('.'), format: 'esm', on: 'object', kind: 'text', ...plan }
  const child = spawn(process.execPath, [program, JSON.stringify(argument)], {
    env: { PATH: process.env['PATH'], OTEL_LOGS_EXPORTER: 'console' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  const texts = ['', '', '', '']
  for (const at of [1, 2, 3]) child.stdio[at]!.on('data', (chunk: Buffer) => (texts[at] += chunk.toString('latin1')))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      const [, stdout, stderr, seen] = texts.map(repeatable) as [string, string, string, string]
      resolve({ code, stdout, stderr, seen })
    })
  })
}

/** Without times, ids and ports, which are others in each run. */
function repeatable(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b1[67]\d{11}\b/g, 'time')
    .replaceAll(/\\?"(?:pid|durationMs|exportMillis)\\?":[\d.]+/g, 'number')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'uuid')
}

describe('what another library put on a prototype changes nothing that an entry does (row 31)', () => {
  const clean = new Map<string, Outcome>()

  test('the names are those of the whole public API', () => {
    expect(names.length).toBeGreaterThan(450)
    expect(names).toEqual(
      expect.arrayContaining(['transport', 'customLevels', 'silent', 'stderrLevels', 'redact', 'stream']),
    )
    expect(entries).toHaveLength(21)
  })

  test.each(['before', 'after'] as const)('Node itself works with these names, %s', async (when) => {
    const expected = await run({ entry: 'control', when: 'never', keys: [] })
    expect(expected).toMatchObject({ code: 0, seen: expect.stringContaining('to the child') as unknown })
    for (const kind of ['text', 'function', 'object'] as const) {
      expect(await run({ entry: 'control', when, kind, keys: names })).toEqual(expected)
    }
  })

  describe.each(entries)('%s', (entry) => {
    beforeAll(async () => {
      const outcome = await run({ entry, when: 'never', keys: [] })
      expect(outcome).toMatchObject({ code: 0, stderr: '', seen: expect.stringMatching(/^\{"outcome":/) as unknown })
      clean.set(entry, outcome)
    })

    test.each<[Plan['when'], NonNullable<Plan['on']>, Kind]>([
      ['before', 'object', 'text'],
      ['before', 'object', 'function'],
      ['after', 'object', 'text'],
      ['after', 'object', 'object'],
      ['after', 'object', 'hidden'],
      ['before', 'array', 'text'],
      ['before', 'function', 'text'],
    ])('does the same with all names %s it is loaded on the prototype of %s, as %s', async (when, on, kind) => {
      const keys = on === 'object' ? names : names.filter((name) => name !== 'toJSON')
      expect(await run({ entry, when, on, kind, keys })).toEqual(clean.get(entry))
    })

    test('does the same with getters that throw on the prototype of object', async () => {
      expect(await run({ entry, when: 'after', kind: 'throwing', keys: throwingNames })).toEqual(clean.get(entry))
    })

    test('does the same with a member that means nothing, required as CommonJS', async () => {
      expect(await run({ entry, format: 'cjs', when: 'before', keys: ['x'] })).toEqual(clean.get(entry))
    })
  })
})
