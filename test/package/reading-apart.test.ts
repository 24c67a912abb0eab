import { describe, expect } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }
import { needs } from '../support/needs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const withBuild = needs('a build (npm run build)', existsSync(join(root, manifest.bin.sluice)))
/** Texts in the code of `sluice/read` and of the command line. Names of functions and classes are shortened there. */
const signs = /SLUICE_QUERY_SYNTAX|sync-window/

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
