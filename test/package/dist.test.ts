import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }

const root = fileURLToPath(new URL('../..', import.meta.url))
const entries = Object.entries(manifest.exports).flatMap(([key, target]) =>
  typeof target === 'string' ? [] : [{ specifier: key.replace('.', 'sluice'), name: target.import.default }],
)

/** The entries whose types use Node streams, like those of the packages that they are compatible with. */
const ofStreams = ['sluice/bunyan', 'sluice/pino', 'sluice/winston']

/** A program that depends on the package, with nothing else installed. */
let program: string

beforeAll(() => {
  program = mkdtempSync(join(realpathSync(tmpdir()), 'sluice-dist-'))
  mkdirSync(join(program, 'node_modules'))
  symlinkSync(root, join(program, 'node_modules/sluice'), 'junction')
})

afterAll(() => rmSync(program, { recursive: true }))

test('the package works when code generation from strings is disabled', () => {
  const path = join(program, 'no-eval.mjs')
  writeFileSync(
    path,
    `import { createLogger } from 'sluice'
     let refused = false
     try { new Function('return 1') } catch { refused = true }
     const log = createLogger({ redact: { paths: ['a[*].b', '**.c'], keys: [/pin/i] } })
     log.child({ c: 1 }).info('{n} %s', { n: 1, a: [{ b: 2 }], PIN: 3, refused }, 'x', new Error('e'))`,
  )
  const line = execFileSync(process.execPath, ['--disallow-code-generation-from-strings', path], { encoding: 'utf8' })
  expect(JSON.parse(line)).toMatchObject({
    message: '1 x',
    attributes: { c: '[REDACTED]', n: 1, a: [{ b: '[REDACTED]' }], PIN: '[REDACTED]', refused: true },
  })
})

describe('package entries', () => {
  const names = new Map<string, readonly string[]>()
  /** The compiler output for all entries at once, because starting the compiler takes longer than checking an entry. */
  let complaints: string

  beforeAll(() => {
    const withStreams: string[] = []
    const without: string[] = []
    for (const { specifier } of entries) {
      const imported = run('esm.mjs', `Object.keys(await import('${specifier}')).sort()`) as string[]
      names.set(specifier, imported)
      const used = imported.map((name) => (name === 'default' ? 'standard' : name))
      const members = imported.map((name) => (name === 'default' ? 'default as standard' : name))
      const typed = `import { ${members.join(', ')} } from '${specifier}'\nvoid [${used.join(', ')}]\n`
      for (const file of typedFiles(specifier)) {
        writeFileSync(join(program, file), typed)
        if (ofStreams.includes(specifier)) withStreams.push(file)
        else without.push(file)
      }
    }
    complaints = compile('', ...without) + compile('node', ...withStreams)
  })

  test.each(entries)(
    '$specifier: import resolves to the ESM file, and require to the CommonJS file',
    ({ specifier, name }) => {
      expect(run('esm.mjs', `import.meta.resolve('${specifier}')`)).toMatch(name.slice(1))
      expect(run('cjs.cjs', `require.resolve('${specifier}')`)).toMatch(name.slice(1).replace('/esm/', '/cjs/'))
    },
  )

  test.each(entries)('$specifier: import and require export the same names', ({ specifier }) => {
    expect(names.get(specifier)).not.toEqual([])
    expect(run('cjs.cjs', `Object.keys(require('${specifier}')).sort()`)).toEqual(names.get(specifier))
  })

  test.each(entries)('$specifier: every name has a type for import and for require', ({ specifier }) => {
    const errors = complaints.split('\n').filter((line) => typedFiles(specifier).some((file) => line.startsWith(file)))
    expect(errors).toEqual([])
  })

  test('the compiler reports no other error in the types of the entries', () => {
    expect(complaints).toBe('')
  })

  // Otherwise one entry would load types that only another entry needs.
  test('no declaration file references the types of another package', () => {
    const files = globSync('dist/**/*.d.{ts,cts,mts}', { cwd: root })
    expect(files.length).toBeGreaterThan(entries.length)
    expect(files.filter((file) => /<reference types/.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })
})

function typedFiles(specifier: string): readonly string[] {
  const base = specifier.replaceAll('/', '-')
  return [`${base}.types.mts`, `${base}.types.cts`]
}

test('require of sluice/pino returns the function itself, with matching types', () => {
  expect(run('callable.cjs', `(({ silent }) => typeof silent)(require('sluice/pino')({ enabled: false }))`)).toBe(
    'function',
  )
  writeFileSync(
    join(program, 'callable.cts'),
    `import pino = require('sluice/pino')\nconst log: pino.Logger = pino({ level: 'info' })\nlog.info('x')\n`,
  )
  writeFileSync(
    join(program, 'named.cts'),
    `import { pino, type Logger } from 'sluice/pino'\nconst log: Logger = pino(pino.destination(1))\nlog.info('x')\n`,
  )
  expect(compile('node', 'callable.cts', 'named.cts')).toBe('')
})

test.each(['esm.mjs', 'cjs.cjs'])('entries that export the same class or helper export one value (%s)', (file) => {
  const load = file === 'esm.mjs' ? 'await import' : 'require'
  const same = ['ConfigurationError', 'currentRequestId', 'defineEvent', 'jsonLines'] as const
  // The ES module of sluice/read has the class of the CommonJS build: see shared-errors.test.ts.
  const excluded = file === 'esm.mjs' ? ['sluice/register', 'sluice/read'] : ['sluice/register']
  const exporting = entries.map(({ specifier }) => specifier).filter((specifier) => !excluded.includes(specifier))
  const all = exporting.map((specifier) => `${load}('${specifier}')`).join(', ')
  const values = `((all) => ${JSON.stringify(same)}.map((name) => {
    const found = all.flatMap((entry) => (name in entry ? [entry[name]] : []))
    return [name, found.length > 1, new Set(found).size]
  }))([${all}])`
  expect(run(file, values)).toEqual(same.map((name) => [name, true, 1]))
})

test.each(['core', 'http', 'hono', 'next'])(
  'sluice/%s loads no Node module, so that it runs on edge runtimes',
  (entry) => {
    const files = new Set([`${entry}.js`])
    const others: string[] = []
    for (const file of files) {
      const text = readFileSync(join(root, 'dist/esm', file), 'utf8')
      for (const [, specifier] of text.matchAll(/\b(?:from|import)\s*\(?["'`]([^"'`\s]+)["'`]/g)) {
        if (specifier!.startsWith('./')) files.add(specifier!.slice(2))
        else others.push(`${file} loads ${specifier}`)
      }
    }
    expect(files.size).toBeGreaterThan(1)
    expect(others).toEqual([])
  },
)

/** Returns the result of an expression that is evaluated in a separate process. */
function run(file: string, expression: string): unknown {
  const path = join(program, file)
  writeFileSync(path, file.endsWith('.mjs') ? print(`await ${expression}`) : print(expression))
  return JSON.parse(execFileSync(process.execPath, [path], { encoding: 'utf8' }))
}

function print(expression: string): string {
  return `console.log(JSON.stringify(${expression}))`
}

/** Returns the compiler errors of a program with the given types. */
function compile(types: string, ...files: string[]): string {
  const typeRoots = join(root, 'node_modules/@types')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--types', types, '--typeRoots', typeRoots]
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  try {
    return execFileSync(process.execPath, [tsc, ...options, ...files], { cwd: program, encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
