import { describe, expect } from '@jest/globals'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }
import { needs } from '../support/needs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const withBuild = needs('a build (npm run build)', existsSync(join(root, manifest.bin.sluice)))
/** Texts in the code of `sluice/read`, of the command line and of the log viewer. Names of functions and classes are shortened there. */
const signs = /SLUICE_QUERY_SYNTAX|sync-window|sluice_token/

describe('the code that reads logs', () => {
  withBuild('is found by its texts', () => {
    const files = loadedByRequire('cjs/read.js')
    expect(files.some((file) => signs.test(readFileSync(file, 'utf8')))).toBe(true)
  })

  withBuild.each(['cjs/index.js', 'cjs/exporters.js', 'cjs/http.js', 'cjs/register.js'])(
    'is not loaded by %s',
    (entry) => {
      const files = loadedByRequire(entry)
      expect(files.length).toBeGreaterThan(0)
      expect(files.filter((file) => signs.test(readFileSync(file, 'utf8')))).toEqual([])
    },
  )

  withBuild.each(['esm/index.js', 'esm/core.js', 'esm/http.js'])('is not loaded by %s', (entry) => {
    const files = importedFrom(join(root, 'dist', entry))
    expect(files.length).toBeGreaterThan(1)
    expect(files.filter((file) => signs.test(readFileSync(file, 'utf8')))).toEqual([])
  })
})

describe('the program sluice', () => {
  /** Texts in the code of loggers, of reports, of the codemod, of queries, of following, of sorting and of the log viewer. */
  const parts = {
    logger: 'handleSignals',
    reports: 'write the files to read',
    codemod: 'cannot migrate from',
    queries: 'SLUICE_QUERY_SYNTAX',
    following: 'was rotated',
    sorting: 'while it was sorted',
    viewer: 'sluice_token',
  }
  const file = join(root, 'package.json')

  withBuild.each<[string[], (keyof typeof parts)[]]>([
    [['--help'], []],
    [[file], []],
    [['-l', 'error', file], ['queries']],
    [['-q', 'level=error', file], ['queries']],
    [['-s', file], ['sorting']],
    [
      ['check', file],
      ['reports', 'queries'],
    ],
    [['codemod', 'pino', file], ['codemod']],
    [
      ['ui', '--host', '192.0.2.1', '--token', 'a'.repeat(32)],
      ['logger', 'queries', 'following', 'viewer'],
    ],
  ])('loads for %j only the code that it needs', (args, expected) => {
    const texts = loadedByProgram(args).map((path) => readFileSync(path, 'utf8'))
    const loaded = Object.entries(parts).flatMap(([name, sign]) =>
      texts.some((text) => text.includes(sign)) ? [name] : [],
    )
    expect(loaded).toEqual(expected)
  })
})

/** Returns the files of the package that the program `sluice` loads. */
function loadedByProgram(args: readonly string[]): string[] {
  const hook = `process.on('exit', () => process.stderr.write(JSON.stringify(Object.keys(require('node:module')._cache))))`
  const preload = `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module'; const require = createRequire('/'); ${hook}`)}`
  const program = ['--import', preload, join(root, manifest.bin.sluice), ...args]
  const { stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' })
  return JSON.parse(stderr.slice(stderr.indexOf('['))) as string[]
}

/** Returns the files of the package that `require` of an entry loads. */
function loadedByRequire(entry: string): string[] {
  const program = `require(process.argv[1]); console.log(JSON.stringify(Object.keys(require.cache)))`
  const args = ['-e', program, join(root, 'dist', entry)]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[]
}

/** Returns an ES module and the modules that it imports, directly and indirectly. */
function importedFrom(entry: string): string[] {
  const files = new Set([entry])
  for (const file of files) {
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*["'`](\.[^"'`]+)["'`]/g)) {
      files.add(join(dirname(file), specifier!))
    }
  }
  return [...files]
}
