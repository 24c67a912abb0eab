import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { gzipFile } from '../../../src/exporters/rotation/gzip-file.ts'
import { fileKeyOf } from '../../../src/exporters/fd/descriptor.ts'
import { RotatedFileSweeper, type SweeperSettings } from '../../../src/exporters/rotation/rotated-file-sweeper.ts'
import { importOf, runModule } from '../../support/processes/child.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { waitUntil } from '../../support/wait-until.ts'

let directory: TemporaryDirectory
const started: RotatedFileSweeper[] = []
beforeAll(() => {
  directory = temporaryDirectory()
})
afterEach(() => started.splice(0).forEach((files) => files.stop()))
afterAll(() => directory.remove())

/** Creates files in a new directory, and returns the path of the log there. */
function place(name: string, files: readonly string[] = []): string {
  mkdirSync(directory.path(name))
  for (const file of ['app.log', ...files]) writeFileSync(directory.path(join(name, file)), `${file}\n`.repeat(1_000))
  return directory.path(join(name, 'app.log'))
}

function sweeper(path: string, settings: Partial<SweeperSettings>): { problems: string[]; files: RotatedFileSweeper } {
  const problems: string[] = []
  const files = new RotatedFileSweeper({
    path,
    keep: Infinity,
    compress: false,
    currentKey: () => undefined,
    report: (code, message) => problems.push(`${code} ${message}`),
    quietMillis: 20,
    ...settings,
  })
  started.push(files)
  files.requestSweep()
  return { problems, files }
}

const old = (second: number, end = '.log'): string => `app.2026-11-21T12-00-0${second}-000Z${end}`
const there = (path: string): string[] => readdirSync(dirname(path)).toSorted()

describe('the keep option', () => {
  test('keep does not delete the current file after another process renamed it', async () => {
    const path = place('renamed', [old(1), old(2), old(3)])
    const { dev, ino } = statSync(join(dirname(path), old(1)))
    sweeper(path, { keep: 1, currentKey: () => fileKeyOf({ dev, ino }) })
    await waitUntil(() => !existsSync(join(dirname(path), old(2))))
    expect(there(path)).toEqual([old(1), old(3), 'app.log'])
  })

  test('keep leaves no descriptor open, even when the log file is missing', async () => {
    const path = place('descriptors', [old(1), old(2)])
    const { files } = sweeper(path, { keep: 1 })
    await waitUntil(() => !existsSync(join(dirname(path), old(1))))
    const before = readdirSync('/dev/fd').length
    for (let round = 0; round < 40; round++) {
      if (round === 20) renameSync(path, `${path}.moved`)
      const name = join(dirname(path), old(1))
      writeFileSync(name, 'old')
      files.requestSweep()
      if (round < 20) await waitUntil(() => !existsSync(name))
      else await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(readdirSync('/dev/fd').length - before).toBeLessThan(10)
  })

  test('keep counts files that were rotated during a sweep before stop', async () => {
    const path = place('stopped', [old(1)])
    const { files } = sweeper(path, { keep: 1 })
    writeFileSync(join(dirname(path), old(2)), 'old')
    files.requestSweep()
    files.stop()
    await waitUntil(() => !existsSync(join(dirname(path), old(1))))
    expect(there(path)).toEqual([old(2), 'app.log'])
  })

  test('keep deletes the oldest rotated files and no files with similar names', async () => {
    const others = [
      'app.2026-11-21T12-00-00-000Z.log.bak',
      'app.2026-11-21T12-00-00-000Z.logs',
      'app.2026-11-21T12-00-00.log',
      'app.2026-13-21T12-00-00-000Z.log',
      'app.2026-02-30T12-00-00-000Z.log',
      'app.old.log',
      'app.log.1',
      'app.web.2026-11-21T12-00-00-000Z.log',
      'my-app.2026-11-21T12-00-00-000Z.log',
      'App.2026-11-21T12-00-00-000Z.log',
    ]
    const path = place('keep', [...others, old(1), old(2, '.log.gz'), old(3), old(4)])
    mkdirSync(join(dirname(path), old(0)))
    symlinkSync(path, join(dirname(path), old(0, '.log.gz')))
    sweeper(path, { keep: 2 })
    await waitUntil(() => !existsSync(join(dirname(path), old(2, '.log.gz'))))
    expect(there(path)).toEqual([...others, 'app.log', old(0), old(0, '.log.gz'), old(3), old(4)].toSorted())
  })

  test('keep: 0 deletes all old files', async () => {
    const path = place('none', [old(1), old(2)])
    sweeper(path, { keep: 0 })
    await waitUntil(() => there(path).length === 1)
    expect(there(path)).toEqual(['app.log'])
  })

  test('keep counts a file and its compressed form as one', async () => {
    const path = place('one', [old(1), old(2), old(2, '.log.gz'), old(3)])
    sweeper(path, { keep: 2 })
    await waitUntil(() => !existsSync(join(dirname(path), old(1))))
    expect(there(path)).toEqual([old(2), old(2, '.log.gz'), old(3), 'app.log'])
  })
})

describe('the compress option', () => {
  test('compress replaces each old file with a complete gzip file of the same mode and time', async () => {
    const path = place('gzip', [old(1), old(2)])
    const file = join(dirname(path), old(1))
    utimesSync(file, 1_000, 2_000)
    sweeper(path, { compress: true })
    await waitUntil(() => there(path).every((name) => name === 'app.log' || name.endsWith('.gz')))
    expect(there(path)).toEqual([old(1, '.log.gz'), old(2, '.log.gz'), 'app.log'])
    expect(gunzipSync(await readFile(`${file}.gz`)).toString()).toBe(`${old(1)}\n`.repeat(1_000))
    expect(statSync(`${file}.gz`)).toMatchObject({ mtimeMs: 2_000_000, mode: statSync(path).mode })
  })

  test('compress skips the current file and a file that is still growing', async () => {
    const path = place('grows', [old(1), old(2), old(3)])
    const { dev, ino } = statSync(join(dirname(path), old(1)))
    const growing = join(dirname(path), old(2))
    const timer = setInterval(() => writeFileSync(growing, 'more\n', { flag: 'a' }), 5)
    const { files } = sweeper(path, { compress: true, quietMillis: 300, currentKey: () => fileKeyOf({ dev, ino }) })
    await waitUntil(() => !existsSync(join(dirname(path), old(3))))
    files.requestSweep()
    expect(there(path)).toEqual([old(1), old(2), old(3, '.log.gz'), 'app.log'])
    clearInterval(timer)
    await waitUntil(() => existsSync(`${growing}.gz`) && !existsSync(growing))
    expect(gunzipSync(await readFile(`${growing}.gz`)).toString()).toMatch(/(?:more\n)+$/)
    expect(there(path)).toContain(old(1))
  })

  test('a file that grows while it is read is not compressed', async () => {
    const path = place('late')
    writeFileSync(path, 'x'.repeat(5_000_000))
    const done = gzipFile(
      { pathOf: (name) => name, isOwnRegularFile: () => true },
      path,
      `${path}.tmp`,
      new AbortController().signal,
    )
    await waitUntil(() => existsSync(`${path}.tmp`))
    writeFileSync(path, 'late\n', { flag: 'a' })
    expect(await done).toBe(false)
    expect(there(path)).toEqual(['app.log'])
  })

  test('a file that is replaced while it is read is not compressed', async () => {
    const path = place('exchanged')
    writeFileSync(path, 'x'.repeat(5_000_000))
    writeFileSync(`${path}.other`, 'y'.repeat(5_000_000))
    const files = { pathOf: (name: string) => name, isOwnRegularFile: () => true }
    const done = gzipFile(files, path, `${path}.tmp`, new AbortController().signal)
    await waitUntil(() => existsSync(`${path}.tmp`))
    renameSync(`${path}.other`, path)
    expect(await done).toBe(false)
    expect(there(path)).toEqual(['app.log'])
    expect(new Set(readFileSync(path, 'utf8'))).toEqual(new Set('y'))
  })

  test('compress finishes the files of a dead process and deletes its temporary files', async () => {
    const dead = `.${old(1)}.gz.4194304-0.tmp`
    const path = place('died', [old(1), dead, old(2), old(2, '.log.gz'), '.app.old.log.gz.4194304-0.tmp'])
    truncateSync(join(dirname(path), dead), 100)
    writeFileSync(join(dirname(path), old(3)), '')
    sweeper(path, { compress: true })
    const left = ['.app.old.log.gz.4194304-0.tmp', old(1, '.log.gz'), old(2, '.log.gz'), 'app.log']
    await waitUntil(() => there(path).length === left.length)
    expect(there(path)).toEqual(left)
    expect(gunzipSync(await readFile(join(dirname(path), old(2, '.log.gz')))).toString()).toContain(old(2))
  })

  test('compress skips a file that another process is compressing', async () => {
    const theirs = `.${old(1)}.gz.${process.ppid}-0.tmp`
    const path = place('theirs', [old(1), theirs, old(2)])
    sweeper(path, { compress: true })
    await waitUntil(() => !there(path).includes(old(2)))
    expect(there(path)).toEqual([theirs, old(1), old(2, '.log.gz'), 'app.log'])
  })

  test('a failed compression is reported and keeps the file', async () => {
    const path = place('told', [old(1)])
    mkdirSync(join(dirname(path), old(1, '.log.gz')))
    const { problems } = sweeper(path, { compress: true })
    await waitUntil(() => problems.length > 0)
    const file = join(dirname(path), old(1))
    expect(problems[0]).toBe(`SLUICE_ROTATION_FAILED file:${file}: cannot compress the file (EEXIST)`)
    expect(there(path)).toEqual([old(1), old(1, '.log.gz'), 'app.log'])
  })

  test('compression does not keep the process alive', async () => {
    const path = place('end', [old(1)])
    writeFileSync(join(dirname(path), old(1)), Buffer.alloc(200_000_000, 'log line\n'))
    const text =
      importOf('{ fileExporter }', 'src/exporters/file/file-exporter.ts') +
      importOf('{ gzipFile }', 'src/exporters/rotation/gzip-file.ts') +
      `
      import { existsSync } from 'node:fs'
      const file = ${JSON.stringify(join(dirname(path), old(1)))}
      const files = { pathOf: (name) => name, isOwnRegularFile: () => true }
      void gzipFile(files, file, file + '.tmp', new AbortController().signal)
      const timer = setInterval(() => existsSync(file + '.tmp') && clearInterval(timer), 1)
      process.on('exit', () => console.log(existsSync(file), existsSync(file + '.gz')))
      `
    expect(await runModule(text)).toMatchObject({ code: 0, stdout: 'true false\n' })
  })
})
