import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { gzipFile } from '../../../src/exporters/rotation/gzip-file.ts'
import { RotatedFileSweeper } from '../../../src/exporters/rotation/rotated-file-sweeper.ts'
import { RotationLock } from '../../../src/exporters/rotation/rotation-lock.ts'
import { RotatingFileStream } from '../../../src/compat/bunyan/rotating-file.ts'
import { batchOf } from '../../support/pipeline/batch.ts'
import { needs } from '../../support/needs.ts'
import { asOtherUser, canBeOtherUser, otherUser, twoUsers } from '../../support/files/other-user.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { rotatingWriter } from '../../support/files/rotating-writer.ts'
import { waitUntil } from '../../support/wait-until.ts'

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
/** Returns whether the old files of these seconds are gone: they were deleted, or replaced by their compressed forms. */
const areGone = (...seconds: number[]): boolean =>
  seconds.every((second) => !fs.existsSync(directory.path(old(second))))
const line = `${'x'.repeat(99)}\n`
const plants: readonly (readonly [string, (at: string) => void])[] = [
  ['a symbolic link', (at) => fs.symlinkSync(target, at)],
  ['a dangling link', (at) => fs.symlinkSync(directory.path('new'), at)],
  ['a named pipe', (at) => void execFileSync('mkfifo', [at])],
  ['a directory', (at) => fs.mkdirSync(at)],
]

/** Writes the given number of lines, each of which fills a file. */
function write(count: number): void {
  const writer = rotatingWriter(path, { size: 100 }, { wall: noon, monotonic: 0 })
  for (let index = 0; index < count; index++) void writer.export(batchOf([line]), undefined)
  writer.close()
}

/** Sweeps until `isDone` returns true. */
async function sweep(keep: number, isDone: () => boolean, problems: string[] = []): Promise<string[]> {
  const files = new RotatedFileSweeper({
    path,
    keep,
    compress: true,
    currentKey: () => undefined,
    report: (code, message) => problems.push(`${code} ${message}`),
    quietMillis: 10,
  })
  files.requestSweep()
  await waitUntil(isDone)
  files.stop()
  return problems
}

describe('files at the path of the rotation lock', () => {
  it.each(plants)('%s at the path of the lock is not followed, and the file still rotates', (_, plant) => {
    plant(directory.path('.app.log.rotation'))
    write(3)
    expect(fs.readFileSync(target, 'utf8')).toBe('precious')
    expect(fs.existsSync(directory.path('new'))).toBe(false)
    expect(fs.readFileSync(path, 'utf8').length).toBeLessThan(300_000)
  })

  it.each(plants.slice(0, 3))('%s at the path of the lock becomes stale by its age', (_, plant) => {
    const at = directory.path('.lock')
    plant(at)
    let now = 0
    const lock = new RotationLock(() => now)
    expect(lock.tryAcquire(at)).toBe(false)
    now = 6_000
    expect(lock.tryAcquire(at)).toBe(true)
    expect(fs.lstatSync(at).isFile()).toBe(true)
    expect(fs.readFileSync(target, 'utf8')).toBe('precious')
    lock.release(at)
  })
})

describe('files with names of old files', () => {
  it.each(plants)(
    '%s with the name of an old file is neither deleted, compressed, followed nor counted',
    async (_, plant) => {
      fs.writeFileSync(path, 'current\n')
      for (const second of [1, 2, 3]) fs.writeFileSync(directory.path(old(second)), 'old\n')
      plant(directory.path(old(0)))
      plant(directory.path(old(9)))
      const problems = await sweep(2, () => areGone(2, 3))
      expect(fs.readdirSync(dirname(path)).filter((name) => name.startsWith('app.2'))).toEqual([
        old(0),
        old(2, '.log.gz'),
        old(3, '.log.gz'),
        old(9),
      ])
      expect(fs.readFileSync(target, 'utf8')).toBe('precious')
      expect(problems).toEqual([])
    },
  )

  it.each(plants.slice(0, 3))('%s that replaces an old file is not compressed', async (_, plant) => {
    const at = directory.path('planted')
    plant(at)
    const signal = new AbortController().signal
    const files = { pathOf: directory.path, isOwnRegularFile: (stats: fs.Stats) => stats.isFile() }
    const result = await gzipFile(files, 'planted', 'temporary', signal).catch(
      (error: NodeJS.ErrnoException) => error.code,
    )
    expect(['ELOOP', 'EINVAL']).toContain(result)
    expect(fs.readdirSync(dirname(path)).filter((name) => name.includes('.gz') || name === 'temporary')).toEqual([])
  })

  it('a link at the path of the temporary file of a compression is not written to', async () => {
    fs.writeFileSync(path, 'old\n')
    fs.symlinkSync(target, directory.path('temporary'))
    const done = gzipFile(
      { pathOf: directory.path, isOwnRegularFile: () => true },
      'app.log',
      'temporary',
      new AbortController().signal,
    )
    await expect(done).rejects.toHaveProperty('code', 'EEXIST')
    expect(fs.readFileSync(target, 'utf8')).toBe('precious')
    expect(fs.readlinkSync(directory.path('temporary'))).toBe(target)
  })
})

describe('directories that are replaced during a rotation', () => {
  it('a directory that is replaced with a link during a rotation does not redirect the rotation', () => {
    const logs = directory.path('logs')
    const outside = directory.path('outside')
    fs.mkdirSync(logs)
    fs.mkdirSync(outside)
    for (const name of ['app.log', old(0), '.app.log.rotation']) fs.writeFileSync(join(outside, name), 'precious')
    path = join(logs, 'app.log')
    let isExchanged = false
    const clocks = {
      monotonic: 0,
      // Read when the name of the old file is chosen.
      get wall() {
        if (!isExchanged) {
          fs.renameSync(logs, directory.path('moved'))
          fs.symlinkSync(outside, logs)
        }
        isExchanged = true
        return noon
      },
    }
    const writer = rotatingWriter(path, { size: 100 }, clocks)
    for (let index = 0; index < 2; index++) void writer.export(batchOf([line]), undefined)
    writer.close()
    expect(isExchanged).toBe(true)
    expect(fs.readdirSync(directory.path('moved'))).toEqual([old(0)])
    expect(fs.readFileSync(join(outside, old(0)), 'utf8')).toBe('precious')
    expect(fs.readFileSync(join(outside, '.app.log.rotation'), 'utf8')).toBe('precious')
    expect(fs.readFileSync(join(outside, 'app.log'), 'utf8')).toContain(line)
  })
})

describe('paths in /proc/self/fd', () => {
  needs('a /proc', fs.existsSync('/proc/self'))('a log path in /proc/self/fd is not rotated, which is reported', () => {
    const fd = fs.openSync(path, 'a')
    path = `/proc/self/fd/${fd}`
    const writer = rotatingWriter(path, { size: 100 }, { wall: noon, monotonic: 0 })
    for (let index = 0; index < 2; index++) void writer.export(batchOf([line]), undefined)
    writer.close()
    fs.closeSync(fd)
    expect(writer.host.diagnostics).toEqual([
      {
        code: 'SLUICE_ROTATION_FAILED',
        message: `file:${path}: cannot be rotated (EINVAL); the old file stays in use; retrying`,
      },
    ])
    expect(fs.readFileSync(directory.path('app.log'), 'utf8')).toBe(line + line)
    expect(fs.readdirSync(dirname(directory.path('app.log'))).toSorted()).toEqual(['app.log', 'target'])
  })
})

/** Creates three old files, of which the first and the last are also linked in another directory. */
function linked(): void {
  fs.writeFileSync(path, 'current\n')
  fs.writeFileSync(directory.path(old(2)), 'old\n')
  for (const name of [old(1), old(3)]) {
    fs.mkdirSync(directory.path('kept'), { recursive: true })
    fs.writeFileSync(directory.path(join('kept', name)), 'precious')
    fs.linkSync(directory.path(join('kept', name)), directory.path(name))
  }
}
const oldNames = (): string[] => fs.readdirSync(dirname(path)).filter((name) => name.startsWith('app.2'))

describe('old files that are hard links', () => {
  it('a hard link is deleted and compressed where only this user can create files, and its other name stays', async () => {
    linked()
    await sweep(2, () => areGone(2, 3))
    expect(oldNames()).toEqual([old(2, '.log.gz'), old(3, '.log.gz')])
    expect(fs.readFileSync(directory.path(join('kept', old(1))), 'utf8')).toBe('precious')
  })

  it.each(['0775', '0777', '1777'])(
    'a hard link is neither deleted, compressed nor counted in a directory with mode %s',
    async (mode) => {
      linked()
      fs.chmodSync(dirname(path), Number.parseInt(mode, 8))
      const problems = await sweep(1, () => areGone(2))
      expect(oldNames()).toEqual([old(1), old(2, '.log.gz'), old(3)])
      expect(problems).toEqual([])
    },
  )

  it('a hard link does not affect the name of the next old file where other users can create files', () => {
    fs.writeFileSync(directory.path('late'), '')
    fs.linkSync(directory.path('late'), directory.path('app.9999-12-31T23-59-59-999Z.log'))
    fs.chmodSync(dirname(path), 0o777)
    write(2)
    expect(oldNames()).toContain(old(0))
  })
})

describe('names of compressed files', () => {
  it.each(plants)('a compressed file does not replace %s', async (_, plant) => {
    fs.writeFileSync(path, 'current\n')
    fs.writeFileSync(directory.path(old(1)), 'old\n')
    plant(directory.path(old(1, '.log.gz')))
    const before = fs.lstatSync(directory.path(old(1, '.log.gz'))).ino
    const problems: string[] = []
    await sweep(9, () => problems.length > 0, problems)
    expect(problems[0]).toBe(`SLUICE_ROTATION_FAILED file:${directory.path(old(1))}: cannot compress the file (EEXIST)`)
    expect(fs.lstatSync(directory.path(old(1, '.log.gz'))).ino).toBe(before)
    expect(fs.readFileSync(directory.path(old(1)), 'utf8')).toBe('old\n')
    expect(fs.readdirSync(dirname(path)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

/** Rotates a file of the bunyan API, and returns the errors. */
function shift(): string[] {
  const stream = new RotatingFileStream({ path, count: 3 })
  const errors: string[] = []
  stream.on('error', ({ message }: Error) => errors.push(message))
  stream.write('line\n')
  stream.rotate()
  stream.write('more\n')
  stream.end()
  return errors
}

describe('the rotating file of the bunyan API', () => {
  it.each(plants)('the bunyan file is not rotated when %s is at the path of an old file', async (_, plant) => {
    fs.writeFileSync(`${path}.0`, 'old\n')
    plant(`${path}.1`)
    const before = fs.lstatSync(`${path}.1`).ino
    expect(shift()).toEqual([`${path}.1 is not a regular file of this log, so the log is not rotated`])
    await waitUntil(() => fs.readFileSync(path, 'utf8').includes('more'))
    expect(fs.readFileSync(path, 'utf8')).toBe('line\nmore\n')
    expect(fs.readFileSync(`${path}.0`, 'utf8')).toBe('old\n')
    expect(fs.lstatSync(`${path}.1`).ino).toBe(before)
    expect(fs.existsSync(`${path}.2`)).toBe(false)
    expect(fs.readFileSync(target, 'utf8')).toBe('precious')
  })

  it('the bunyan file renames a hard link only where no other user can create files', () => {
    fs.linkSync(target, `${path}.1`)
    expect(shift()).toEqual([])
    expect(fs.readFileSync(`${path}.2`, 'utf8')).toBe('precious')
    fs.renameSync(`${path}.2`, `${path}.1`)
    fs.chmodSync(dirname(path), 0o777)
    expect(shift()).toEqual([`${path}.1 is not a regular file of this log, so the log is not rotated`])
  })

  it('the bunyan file renames the target of a link of this user and not the link', async () => {
    const data = directory.path('data')
    fs.mkdirSync(data)
    fs.symlinkSync(join(data, 'real.log'), path)
    expect(shift()).toEqual([])
    await waitUntil(() => fs.readFileSync(path, 'utf8') === 'more\n')
    expect(fs.readFileSync(join(data, 'real.log.0'), 'utf8')).toBe('line\n')
    expect(fs.readdirSync(data)).toEqual(['real.log', 'real.log.0'])
    expect(fs.readlinkSync(path)).toBe(join(data, 'real.log'))
  })

  needs('a /proc', fs.existsSync('/proc/self'))('the bunyan file does not rename a link in /proc/self/fd', () => {
    const fd = fs.openSync(path, 'a')
    path = `/proc/self/fd/${fd}`
    expect(shift()).toEqual([expect.stringContaining('is not a regular file of this log')])
    fs.closeSync(fd)
    expect(fs.readdirSync(dirname(target)).toSorted()).toEqual(['app.log', 'target'])
  })
})

const twoUsersIt = needs(twoUsers, canBeOtherUser)

describe('directories that another user can write to', () => {
  beforeEach(() => fs.chmodSync(dirname(path), 0o1777))

  twoUsersIt(
    'files of another user with the names of old files are not deleted and do not cause other deletions',
    async () => {
      fs.writeFileSync(path, 'current\n')
      for (const second of [1, 2]) fs.writeFileSync(directory.path(old(second)), 'old\n')
      asOtherUser(
        'cd "$1"; for n in 3 4 5 6; do echo planted > "app.2026-11-21T12-00-0$n-000Z.log"; done',
        dirname(path),
      )
      await sweep(2, () => areGone(1, 2))
      const names = fs.readdirSync(dirname(path)).filter((name) => name.startsWith('app.2'))
      expect(names).toEqual([old(1, '.log.gz'), old(2, '.log.gz'), old(3), old(4), old(5), old(6)])
    },
  )

  twoUsersIt('a file of another user is not replaced by a renamed or compressed file', async () => {
    fs.writeFileSync(path, 'current\n')
    fs.writeFileSync(directory.path(old(1)), 'old\n')
    asOtherUser('cd "$1"; echo theirs > "$2"; echo theirs > app.log.1', dirname(path), old(1, '.log.gz'))
    const problems: string[] = []
    await sweep(9, () => problems.length > 0, problems)
    expect(problems[0]).toContain('cannot compress the file (EEXIST)')
    expect(shift()).toEqual([`${path}.1 is not a regular file of this log, so the log is not rotated`])
    for (const name of [old(1, '.log.gz'), 'app.log.1']) {
      expect(fs.readFileSync(directory.path(name), 'utf8')).toBe('theirs\n')
    }
  })

  twoUsersIt('old files of the user who owns the log are deleted', async () => {
    fs.writeFileSync(path, 'current\n')
    for (const second of [1, 2, 3]) fs.writeFileSync(directory.path(old(second)), 'old\n')
    for (const name of ['app.log', old(1)]) fs.chownSync(directory.path(name), otherUser, otherUser)
    await sweep(2, () => !fs.existsSync(directory.path(old(1))) && fs.existsSync(directory.path(old(3, '.log.gz'))))
  })

  twoUsersIt('a file of another user with the name of an orphaned temporary file is not deleted', async () => {
    fs.writeFileSync(path, 'current\n')
    fs.writeFileSync(directory.path(old(1)), 'old\n')
    const temporary = `.${old(1)}.gz.4194304-0.tmp`
    asOtherUser('echo theirs > "$1"', directory.path(temporary))
    await sweep(9, () => fs.existsSync(directory.path(old(1, '.log.gz'))))
    expect(fs.readFileSync(directory.path(temporary), 'utf8')).toBe('theirs\n')
  })

  twoUsersIt('a file of another user from the year 9999 does not affect the name of the next old file', () => {
    asOtherUser('touch "$1/app.9999-12-31T23-59-59-999Z.log"', dirname(path))
    write(2)
    const names = fs.readdirSync(dirname(path)).map((name) => basename(name))
    expect(names).toContain('app.2026-11-21T12-00-00-000Z.log')
    expect(names).toContain('app.9999-12-31T23-59-59-999Z.log')
  })
})
