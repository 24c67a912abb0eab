import { afterAll, beforeAll, describe, expect } from '@jest/globals'
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { needs } from '../../support/needs.ts'
import { line, LogFolder } from './sorting.ts'

/** The number of records in all files. `SORTED_RECORDS=10000000` tests the full size, which takes minutes and 5 GB of disk. */
const recordCount = Number(process.env['SORTED_RECORDS'] ?? 300_000)
const fileCount = 20
const maxResidentKilobytes = 400_000
const timeoutMillis = 60_000 + recordCount / 10
const program = fileURLToPath(new URL('sort-program.ts', import.meta.url))

let folder: LogFolder
beforeAll(() => {
  folder = new LogFolder()
})
afterAll(() => folder.remove())

/** Writes files that together have `recordCount` records. The times of a file differ from their order by up to `jitterOf(file)` ms. */
function writeFiles(name: string, jitterOf: (file: number) => number): string[] {
  const padding = 'x'.repeat(200)
  return Array.from({ length: fileCount }, (_, file) => {
    const path = join(folder.path, `${name}-${file}.log`)
    const descriptor = openSync(path, 'w')
    let text = ''
    for (let index = 0; index < recordCount / fileCount; index++) {
      // A multiplication that distributes the indexes, so that the files are the same in every run.
      const jitter = Math.floor((((index + 1) * 0x9e37_79b1) % 4_294_967_296) * 2 ** -32 * jitterOf(file))
      text += line(1_767_225_600_000 + index * 30 + jitter, `request ${index}`, {
        attributes: { file, index, padding },
      })
      if (text.length > 1_000_000) {
        writeSync(descriptor, text)
        text = ''
      }
    }
    writeSync(descriptor, text)
    closeSync(descriptor)
    return path
  })
}

/** Sorts files with the program of this test, and returns the hash of the output and the greatest resident set. */
function sortWithProgram(
  files: readonly string[],
  temporary: string,
): { readonly hash: string; readonly kilobytes: number } {
  const output = join(folder.path, 'sorted.log')
  const descriptor = openSync(output, 'w')
  const { stderr, status } = spawnSync(process.execPath, [program, ...files], {
    stdio: ['ignore', descriptor, 'pipe'],
    env: { ...process.env, TMPDIR: temporary },
    encoding: 'utf8',
  })
  closeSync(descriptor)
  if (status !== 0) throw new Error(stderr)
  return { hash: hashOf(execFileSync('sha256sum', [output], { encoding: 'utf8' })), kilobytes: Number(stderr.trim()) }
}

/** Returns the hash of what `sort -s` of GNU writes, with the time of the line as its key. */
function sortWithGnu(files: readonly string[]): string {
  const command = `LC_ALL=C sort -s -t '"' -k 4,4 -- "$@" | sha256sum`
  return hashOf(execFileSync('sh', ['-c', command, 'sh', ...files], { encoding: 'utf8', cwd: folder.path }))
}

const hashOf = (output: string): string => /^[\da-f]{64}/.exec(output)![0]

/** Creates a folder for temporary files. */
function temporaryFolder(name: string): string {
  const path = join(folder.path, name)
  mkdirSync(path)
  return path
}

const gnuTest = needs(
  'sort of GNU coreutils',
  spawnSync('sort', ['--version'], { encoding: 'utf8' }).stdout.includes('GNU'),
)

describe('sorting 20 files', () => {
  gnuTest.each([
    ['files that are in order', 'ordered', () => 0],
    ['files whose records are up to 10 s late', 'late', (file: number) => (file % 2) * 10_000],
    ['files in random order', 'random', (file: number) => (file % 4 === 0 ? recordCount : 0)],
  ])(
    'returns %s as sort -s does, within 400 MB of memory',
    (_title, name, jitterOf) => {
      const files = writeFiles(name, jitterOf)
      const temporary = temporaryFolder(`tmp-${name}`)
      const { hash, kilobytes } = sortWithProgram(files, temporary)
      expect(hash).toBe(sortWithGnu(files))
      expect(kilobytes).toBeLessThan(maxResidentKilobytes)
      expect(readdirSync(temporary)).toEqual([])
    },
    timeoutMillis,
  )
})

describe('limits of the system', () => {
  const limitTest = needs('prlimit', spawnSync('prlimit', ['--version']).status === 0)

  limitTest('sorts 300 files if the process can have 64 descriptors', () => {
    const files = Array.from({ length: 300 }, (_, index) =>
      folder.write(`open-${index}.log`, line(1000 + index, 'a') + line(9000 - index, 'b') + line(5000, 'c')),
    )
    const run = spawnSync('prlimit', ['--nofile=64:64', process.execPath, program, ...files], { encoding: 'utf8' })
    expect(run.stderr).toMatch(/^\d+\n$/)
    const times = run.stdout
      .trimEnd()
      .split('\n')
      .map((each) => each.slice(9, 33))
    expect(times).toHaveLength(900)
    expect(times).toEqual(times.toSorted())
  })
})
