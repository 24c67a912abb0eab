import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { basename, dirname } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { gzipFile } from '../../../src/export/rotation/gzip-file.ts'
import { RotatedFiles } from '../../../src/export/rotation/rotated-files.ts'
import { RotationLock } from '../../../src/export/rotation/rotation-lock.ts'
import { RotatingFileStream } from '../../../src/bridges/bunyan/rotating-file.ts'
import { batchOf } from '../../support/batch.ts'
import { needs } from '../../support/needs.ts'
import { asOtherUser, canBeOtherUser, twoUsers } from '../../support/other-user.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/pipes.ts'
import { rotatingWriter } from '../../support/rotating-writer.ts'
import { until } from '../../support/until.ts'

let directory: TemporaryDirectory
let path: string
let target: string
beforeEach(() => {
  directory = temporaryDirectory()
  path = directory.path('app.log')
  target = directory.path('target')
  fs.writeFileSync(target, 'precious')
})
afterEach(() => directory.remove())

const noon = Date.parse('2026-11-21T12:00:00.000Z')
const old = (second: number, end = '.log'): string => `app.2026-11-21T12-00-0${second}-000Z${end}`
const line = `${'x'.repeat(99)}\n`
const plants: readonly (readonly [string, (at: string) => void])[] = [
  ['a symbolic link', (at) => fs.symlinkSync(target, at)],
  ['a link to nothing', (at) => fs.symlinkSync(directory.path('new'), at)],
  ['a named pipe', (at) => void execFileSync('mkfifo', [at])],
  ['a directory', (at) => fs.mkdirSync(at)],
]

/** Writes so many lines, of which each fills a file. */
function write(count: number): void {
  const writer = rotatingWriter(path, { size: 100 }, { wall: noon, monotonic: 0 })
  for (let index = 0; index < count; index++) void writer.export(batchOf([line]), undefined)
  writer.close()
}

/** Sweeps until nothing is left to do. */
async function sweep(keep: number, isDone: () => boolean): Promise<string[]> {
  const problems: string[] = []
  const files = new RotatedFiles({
    path,
    keep,
    compress: true,
    current: () => undefined,
    tell: (code, message) => problems.push(`${code} ${message}`),
    quietMillis: 10,
  })
  files.sweepSoon()
  await until(isDone)
  files.stop()
  return problems
}

describe('in the place of the lock of a rotation', () => {
  it.each(plants)('%s is neither followed nor waited for, and the file still rotates', (_, plant) => {
    plant(directory.path('.app.log.rotation'))
    write(3)
    expect(fs.readFileSync(target, 'utf8')).toBe('precious')
    expect(fs.existsSync(directory.path('new'))).toBe(false)
    expect(fs.readFileSync(path, 'utf8').length).toBeLessThan(300_000)
  })

  it.each(plants.slice(0, 3))('%s becomes stale by its age', (_, plant) => {
    const at = directory.path('.lock')
    plant(at)
    let now = 0
    const lock = new RotationLock(at, () => now)
    expect(lock.take()).toBe(false)
    now = 6_000
    expect(lock.take()).toBe(true)
    expect(fs.lstatSync(at).isFile()).toBe(true)
    expect(fs.readFileSync(target, 'utf8')).toBe('precious')
    lock.release()
  })
})

describe('among the old files', () => {
  it.each(plants)('%s is neither deleted, compressed, followed nor counted', async (_, plant) => {
    fs.writeFileSync(path, 'current\n')
    for (const second of [1, 2, 3]) fs.writeFileSync(directory.path(old(second)), 'old\n')
    plant(directory.path(old(0)))
    plant(directory.path(old(9)))
    const problems = await sweep(2, () => !fs.existsSync(directory.path(old(3))))
    expect(fs.readdirSync(dirname(path)).filter((name) => name.startsWith('app.2'))).toEqual([
      old(0),
      old(2, '.log.gz'),
      old(3, '.log.gz'),
      old(9),
    ])
    expect(fs.readFileSync(target, 'utf8')).toBe('precious')
    expect(problems).toEqual([])
  })

  it.each(plants.slice(0, 3))('%s that takes the place of a file is not compressed', async (_, plant) => {
    const at = directory.path('planted')
    plant(at)
    const temporary = directory.path('temporary')
    const signal = new AbortController().signal
    const result = await gzipFile(at, temporary, signal).catch((error: NodeJS.ErrnoException) => error.code)
    expect(['ELOOP', 'EINVAL']).toContain(result)
    expect(fs.readdirSync(dirname(path)).filter((name) => name.includes('.gz') || name === 'temporary')).toEqual([])
  })

  it('a link in the place of the temporary file of a compression is not written to', async () => {
    fs.writeFileSync(path, 'old\n')
    fs.symlinkSync(target, directory.path('temporary'))
    await expect(gzipFile(path, directory.path('temporary'), new AbortController().signal)).rejects.toHaveProperty(
      'code',
      'EEXIST',
    )
    expect(fs.readFileSync(target, 'utf8')).toBe('precious')
  })
})

describe('the rotating file of the bunyan API', () => {
  it('renames links in the place of its old files, and follows none', () => {
    for (const index of [0, 1]) fs.symlinkSync(target, `${path}.${index}`)
    const stream = new RotatingFileStream({ path, count: 3 })
    stream.write('line\n')
    stream.rotate()
    stream.destroy()
    expect(fs.readFileSync(target, 'utf8')).toBe('precious')
    expect(fs.readFileSync(`${path}.0`, 'utf8')).toBe('line\n')
    expect(fs.readlinkSync(`${path}.2`)).toBe(target)
  })
})

const twoUsersIt = needs(twoUsers, canBeOtherUser)

describe('with another user who can write to the directory', () => {
  beforeEach(() => fs.chmodSync(dirname(path), 0o1777))

  twoUsersIt(
    'files of that user with the names of old files neither push out those of the log nor are deleted',
    async () => {
      fs.writeFileSync(path, 'current\n')
      for (const second of [1, 2]) fs.writeFileSync(directory.path(old(second)), 'old\n')
      asOtherUser(
        'cd "$1"; for n in 3 4 5 6; do echo planted > "app.2026-11-21T12-00-0$n-000Z.log"; done',
        dirname(path),
      )
      await sweep(2, () => !fs.existsSync(directory.path(old(2))))
      const names = fs.readdirSync(dirname(path)).filter((name) => name.startsWith('app.2'))
      expect(names).toEqual([old(1, '.log.gz'), old(2, '.log.gz'), old(3), old(4), old(5), old(6)])
    },
  )

  twoUsersIt('a file of that user from the year 9999 does not decide the name of the next old file', () => {
    asOtherUser('touch "$1/app.9999-12-31T23-59-59-999Z.log"', dirname(path))
    write(2)
    const names = fs.readdirSync(dirname(path)).map((name) => basename(name))
    expect(names).toContain('app.2026-11-21T12-00-00-000Z.log')
    expect(names).toContain('app.9999-12-31T23-59-59-999Z.log')
  })
})
