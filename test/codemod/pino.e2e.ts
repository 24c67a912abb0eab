import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'

const root = fileURLToPath(new URL('../../', import.meta.url))
const program = join(root, 'src/cli/main.ts')

const imports = [
  `import pino from 'pino'`,
  `import pino, { type Logger, stdSerializers as std } from "pino";`,
  `import {\n  destination, // one 'of' them\n  multistream,\n} from 'pino'`,
  `import * as pino from 'pino'`,
  `import type { Logger } from 'pino'`,
  `import pino = require('pino')`,
  `import 'pino'`,
  `export { pino as default } from 'pino'`,
  `export * from 'pino'`,
  `const log = require('pino')({ level: 'debug' })`,
  `const { destination } = require( /* the fast one */ "pino" )`,
  `const { pino } = await import('pino')`,
  'const { pino } = await import(`pino`)',
  `let log: import('pino').Logger | undefined`,
  `jest.mock('pino', () => ({ pino: jest.fn() }))`,
  `jest.unstable_mockModule('pino', factory)`,
  `const real = jest.requireActual('pino')`,
  `vi.mock('pino')`,
  `const real = await vi.importActual('pino')`,
  `mock.module('pino', { defaultExport: fake })`,
  'const line = `${require("pino").version} and `',
  'const nested = `${[1].map(() => `${require("pino").version}`)} \\` ${{ a: {} }}`',
  `const half = total / 2; require('pino'); const third = total / 3`,
  `if (/["'\`]/.test(text)) require('pino')`,
  `const odd = 'return' / 2; require('pino'); const third = total / 3`,
  'const odd = `of` / 2; require("pino"); const third = total / 3',
  `const ratio = count.delete / 2; require('pino'); const third = total / 3`,
  `const ratio = this.of / 2; require('pino'); const third = total / 3`,
  `const all = [...await /'/]; require('pino')`,
  `const text = "it's"; require('pino')`,
  `const page = <b>Don't</b>\nrequire('pino')`,
]
const others = [
  `// import pino from 'pino'`,
  `/* require('pino') */`,
  `const help = "import pino from 'pino'"`,
  'const help = `require("pino") ${name}`',
  `const rule = /require\\('pino'\\)/`,
  `import pretty from 'pino-pretty'`,
  `const transport = { target: 'pino/file', options: { destination: 1 } }`,
  `import { pino } from './pino'`,
  `const targets = ['pino-pretty']`,
]
const doubts = [
  [`import pinoHttp from 'pino-http'`, 'pino-http creates a logger'],
  [`import tools from 'pino/lib/tools'`, 'has no module'],
  [`declare module 'pino' { interface LogFnFields { id: string } }`, 'declares types'],
  [`const serverExternalPackages = ['pino']`, 'is not an import'],
  [`proxyquire('./log', { pino: fake, 'pino': fake })`, 'is not an import'],
  [`const path = require.resolve('pino')`, 'is not an import'],
  ['const line = `never closed ${pino}', 'not changed'],
] as const
const options = [
  `import pino from 'pino'`,
  `const log = pino({ prettyPrint: true, transport: { target: 'pino/file' } })`,
  `process.on('uncaughtException', pino.final(log, (error, last) => last.fatal(error)))`,
  `const out = pino.transport({ target: './send.js' })`,
].join('\n')
const cases = [...imports, ...others, ...doubts.map(([source]) => source), options]
const pathOf = (source: string): string => `cases/${cases.indexOf(source) + 100}.tsx`

let folder = ''
/** The reported lines of each file. */
const reported = new Map<string, readonly string[]>()

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-codemod-'))
  for (const source of cases) write(pathOf(source), source)
  write('cases/__mocks__/pino.js', `export default () => 'pinocchio'`)
  for (const block of run('--write', 'cases').split(/\n(?! )/)) {
    const [path, ...lines] = block.split('\n  ')
    reported.set(path!, lines)
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
const run = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [program, 'codemod', 'pino', ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })

test.each(imports)('the codemod rewrites an import of pino to sluice/pino: %s', (source) => {
  expect(read(pathOf(source))).toBe(source.replace(/(['"`])pino\1/, '$1sluice/pino$1'))
  expect(reported.get(pathOf(source))!.filter((line) => line.includes('?'))).toEqual([])
})

test.each(others)('the codemod does not change code that only resembles an import of pino: %s', (source) => {
  expect(read(pathOf(source))).toBe(source)
  expect(reported.has(pathOf(source))).toBe(false)
})

test.each(doubts)('the codemod reports a place that needs a manual change: %s', (source, what) => {
  expect(read(pathOf(source))).toBe(source)
  expect(reported.get(pathOf(source))).toEqual([expect.stringMatching(/^1: \? /)])
  expect(reported.get(pathOf(source))!.join('')).toContain(what)
})

test('the codemod reports removed options with their line, in addition to a rewritten import', () => {
  expect(reported.get(pathOf(options))).toEqual([
    "1: - import pino from 'pino'",
    "1: + import pino from 'sluice/pino'",
    expect.stringMatching(/^2: \? pino 7 removed prettyPrint/),
    expect.stringMatching(/^2: \? transports work unchanged/),
    expect.stringMatching(/^3: \? pino 7 removed pino\.final/),
    expect.stringMatching(/^4: \? transports work unchanged/),
  ])
})

test('the codemod reports a mock of the package in a separate file', () => {
  expect(reported.get('cases/__mocks__/pino.js')).toEqual([expect.stringContaining('__mocks__/sluice/pino')])
})

test('the codemod reports how many files it read and changed, and how many places are left', () => {
  const places = doubts.length + 4 + 1
  expect(
    reported.has(`${cases.length + 1} files read, ${imports.length + 1} changed, ${places} places to look at`),
  ).toBe(true)
})

test.each([
  [[], 'sluice: codemod: write the library to migrate from and its files, such as sluice codemod pino src\n'],
  [['winston', 'cases'], `sluice: codemod: cannot migrate from 'winston', only from pino\n`],
  [['pino'], 'sluice: codemod: write files or directories, such as sluice codemod pino src\n'],
  [['pino', 'missing', 'cases'], 'sluice: codemod: missing: no such file or directory; no file was changed\n'],
])('the codemod changes nothing and exits with code 2 for the arguments %j', (args, message) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'codemod', '--write', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect([status, stdout, stderr]).toEqual([2, '', message])
})

test('the codemod writes only with --write, and reads only programs', () => {
  const source = `import pino from 'pino'\n`
  for (const path of ['app/log.ts', 'app/node_modules/a/index.js', 'app/.git/hook.js', 'app/notes.md'])
    write(path, source)
  expect(run('app')).toBe(
    `app/log.ts\n  1: - import pino from 'pino'\n  1: + import pino from 'sluice/pino'\n` +
      '1 files read, 1 to change, 0 places to look at\n',
  )
  expect(read('app/log.ts')).toBe(source)
  run('--write', 'app')
  expect(read('app/log.ts')).toBe(`import pino from 'sluice/pino'\n`)
  for (const path of ['app/node_modules/a/index.js', 'app/.git/hook.js', 'app/notes.md'])
    expect(read(path)).toBe(source)
})

test('the codemod skips directories whose names end like those of programs', () => {
  const source = `import pino from 'pino'\n`
  write('named/highlight.js/lib/index.js', source)
  write('named/z.js', source)
  expect(run('--write', 'named')).toContain('2 files read, 2 changed, 0 places to look at')
  expect(read('named/z.js')).toBe(`import pino from 'sluice/pino'\n`)
})

test('the codemod changes a file that several arguments name once', () => {
  write('twice/log.js', `import pino from 'pino'\n`)
  symlinkSync('log.js', join(folder, 'twice/link.js'))
  expect(run('--write', 'twice', './twice/log.js', join(folder, 'twice'))).toContain(
    '1 files read, 1 changed, 0 places',
  )
  expect(read('twice/log.js')).toBe(`import pino from 'sluice/pino'\n`)
})

test('the codemod reports files that it cannot read or that are not UTF-8, and changes the others', () => {
  const latin1 = Buffer.from(`import pino from 'pino' // caf\u00e9\n`, 'latin1')
  write('bytes/a.js', '')
  writeFileSync(join(folder, 'bytes/a.js'), latin1)
  symlinkSync('missing.js', join(folder, 'bytes/b.js'))
  execFileSync('mkfifo', [join(folder, 'bytes/c.js')])
  write('bytes/d.js', `\ufeffimport pino from 'pino'\n`)
  expect(run('--write', 'bytes', 'bytes/c.js')).toBe(
    [
      'bytes/a.js',
      '  1: ? not changed: the file is not UTF-8',
      'bytes/b.js',
      `  1: ? not changed: ENOENT: no such file or directory, open 'bytes/b.js'`,
      'bytes/d.js',
      `  1: - import pino from 'pino'`,
      `  1: + import pino from 'sluice/pino'`,
      '1 files read, 1 changed, 2 places to look at',
      '',
    ].join('\n'),
  )
  expect(readFileSync(join(folder, 'bytes/a.js'))).toEqual(latin1)
  expect(read('bytes/d.js')).toBe(`\ufeffimport pino from 'sluice/pino'\n`)
})

test('the codemod finds the same imports in real programs as a parser', () => {
  const patterns = [
    'src/**/*.ts',
    'test/**/*.ts',
    'node_modules/{pino,winston,tslog,bunyan,rolldown}/**/*.{js,mjs,cjs}',
  ]
  const found = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }))
  const expected = new Map<string, string>()
  for (const file of found) {
    const source = readFileSync(join(root, file), 'utf8')
    const places = specifiersOf(source, file)
    // A file with 'pino' may contain an import that the search below does not find, such as a mock.
    if (places === undefined || places.length === 0 || /(['"`])pino\1/.test(source)) continue
    const put = (name: string): string =>
      places.reduceRight((text, [start, end]) => text.slice(0, start + 1) + name + text.slice(end - 1), source)
    const path = `real/${file.replaceAll('node_modules', 'packages')}`
    write(path, put('pino'))
    expected.set(path, put('sluice/pino'))
  }
  expect(expected.size).toBeGreaterThan(500)
  run('--write', 'real')
  expect([...expected].filter(([path, text]) => read(path) !== text).map(([path]) => path)).toEqual([])
})

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Returns the positions of import and require specifiers, including quotes, or undefined if the file does not parse. */
function specifiersOf(source: string, file: string): (readonly [number, number])[] | undefined {
  const places: (readonly [number, number])[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) return value.forEach(visit)
    const node = value as Node & Record<string, unknown>
    const { callee, arguments: args } = node as { callee?: Node & { name?: string }; arguments?: Node[] }
    const source =
      node.type === 'CallExpression' && callee?.type === 'Identifier' && callee.name === 'require'
        ? args![0]
        : node['source']
    const given = source as (Node & { value?: unknown }) | null | undefined
    if (given?.type === 'Literal' && typeof given.value === 'string') places.push([given.start, given.end])
    Object.values(node).forEach(visit)
  }
  try {
    visit(parseAst(source, { lang: /\.[cm]?ts$/.test(file) ? 'ts' : 'jsx' }))
  } catch {
    return undefined
  }
  return places.toSorted(([a], [b]) => a - b)
}
