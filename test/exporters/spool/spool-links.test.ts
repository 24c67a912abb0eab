import { execFileSync, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { fakeCollector, status, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { needs } from '../../support/needs.ts'
import { asOtherUser, canBeOtherUser, otherUser, twoUsers } from '../../support/files/other-user.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { closeLoggers, closeSpools, folder, numbers, segmentsIn, spoolLogger, takes } from './spool-logger.ts'

let server: FakeCollector
/** A directory of this user with files that a spool must not change. */
let outside: string
beforeEach(async () => {
  server = await fakeCollector()
  server.respondAlways(status(503))
  outside = folder()
  fs.chmodSync(outside, 0o755)
  fs.writeFileSync(join(outside, 'target'), 'precious')
  fs.writeFileSync(join(outside, segment), line)
  fs.writeFileSync(join(outside, 'old.corrupt'), 'evidence')
})
afterEach(async () => {
  await closeSpools()
  await server.close()
})

const segment = '0000000001.1.0.jsonl'
const line =
  '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[{"key":"seq","value":{"intValue":"99"}}]}]}]}]}\n'
const free = 'free-0123456789ab'

/** Starts a spool on the directory with a working collector, logs a record, and waits until all records are sent. */
async function run(directory: string) {
  const arrived = takes(server)
  const harness = spoolLogger({ url: server.url, directory })
  harness.logAll(1)
  await harness.log.flush()
  await waitUntil(() => harness.stats().waiting === 0)
  return { ...harness, arrived }
}

/** Renames the owner directories to those of ended processes. */
async function restart(directory: string): Promise<void> {
  await closeLoggers()
  for (const [index, name] of fs.globSync('owner-*', { cwd: directory }).entries()) {
    fs.renameSync(join(directory, name), join(directory, `free-${String(index).padStart(12, '0')}`))
  }
}

/** Expects that the files outside of the spool are unchanged. */
function untouched(): void {
  const read = (name: string): string => fs.readFileSync(join(outside, name), 'utf8')
  expect({ names: fs.readdirSync(outside), target: read('target'), segment: read(segment) }).toEqual({
    names: [segment, 'old.corrupt', 'target'],
    target: 'precious',
    segment: line,
  })
}

const fifo = (path: string): void => void execFileSync('mkfifo', [path])
async function socket(path: string): Promise<void> {
  const listener = createServer()
  await new Promise<void>((resolve) => listener.listen(path, resolve))
  // The name of the socket remains.
  listener.unref()
}

type Plant = (path: string) => void | Promise<void>
const plants: readonly (readonly [string, Plant])[] = [
  ['a symbolic link to a file', (path) => fs.symlinkSync(join(outside, 'target'), path)],
  ['a symbolic link to a segment', (path) => fs.symlinkSync(join(outside, segment), path)],
  ['a dangling symbolic link', (path) => fs.symlinkSync(join(outside, 'new'), path)],
  ['a symbolic link to a directory', (path) => fs.symlinkSync(outside, path)],
  ['a hard link', (path) => fs.linkSync(join(outside, segment), path)],
  ['a named pipe', fifo],
  ['a socket', socket],
  ['a directory', (path) => fs.mkdirSync(path)],
]

describe('files in an orphaned directory', () => {
  it.each(plants)(
    '%s with the name of a segment is neither sent, followed nor removed, and counted once',
    async (what, plant) => {
      const directory = folder()
      fs.mkdirSync(join(directory, free), { mode: 0o700 })
      await plant(join(directory, free, segment))
      const { arrived, stats, codes } = await run(directory)
      untouched()
      expect(arrived).toEqual([0])
      expect(stats()).toMatchObject({ spooled: 1, corrupt: 1, missing: 1 })
      expect(codes()).toContain('SLUICE_PATH_UNTRUSTED')
      const [kept, ...more] = fs.globSync(`*/untrusted-${segment}`, { cwd: directory })
      expect(more).toEqual([])
      expect(fs.lstatSync(join(directory, kept!)).isFile()).toBe(what === 'a hard link')
      // The next process must neither count nor report it again.
      await restart(directory)
      const next = await run(directory)
      expect(next.arrived).toEqual([0])
      expect(next.stats()).toMatchObject({ spooled: 0, corrupt: 0, missing: 0 })
      expect(next.codes()).toEqual([])
      expect(fs.globSync(`*/untrusted-${segment}`, { cwd: directory })).toHaveLength(1)
      untouched()
    },
  )

  it('a file that cannot be renamed is counted by each process, and an existing file is not replaced', async () => {
    const directory = folder()
    fs.mkdirSync(join(directory, free), { mode: 0o700 })
    fs.linkSync(join(outside, segment), join(directory, free, segment))
    fs.writeFileSync(join(directory, free, `untrusted-${segment}`), 'evidence')
    for (let round = 0; round < 2; round++) {
      const { stats } = await run(directory)
      expect(stats()).toMatchObject({ missing: 1 })
      await restart(directory)
    }
    const [kept] = fs.globSync(`*/untrusted-${segment}`, { cwd: directory })
    expect(fs.readFileSync(join(directory, kept!), 'utf8')).toBe('evidence')
    untouched()
  })

  it.each(plants)(
    '%s with the name of the heartbeat file is neither written to nor blocks the spool',
    async (_, plant) => {
      const directory = folder()
      fs.mkdirSync(join(directory, free), { mode: 0o700 })
      fs.writeFileSync(join(directory, free, '0000000002.1.0.jsonl'), line)
      await plant(join(directory, free, 'alive'))
      const { arrived } = await run(directory)
      untouched()
      expect(arrived.toSorted((a, b) => a - b)).toEqual([0, 99])
    },
  )
})

describe('files next to the owner directories', () => {
  it('a link with the name of an orphaned directory is not followed', async () => {
    const directory = folder()
    fs.symlinkSync(outside, join(directory, free))
    const { arrived } = await run(directory)
    untouched()
    expect(arrived).toEqual([0])
    expect(fs.readdirSync(directory)).toContain(free)
  })

  it.each(plants)('%s in place of the quarantine directory is not used', async (what, plant) => {
    const directory = folder()
    fs.mkdirSync(join(directory, free), { mode: 0o700 })
    fs.writeFileSync(join(directory, free, segment), `${line}{"resourceLogs":[],}\n`)
    await plant(join(directory, 'quarantine'))
    const { stats, problems } = await run(directory)
    untouched()
    expect(stats()).toMatchObject({ quarantined: 1 })
    const outcome = what === 'a directory' ? 'was moved to quarantine' : 'could not be moved to quarantine'
    expect(problems).toContainEqual({ code: 'SLUICE_SPOOL_DAMAGED', message: expect.stringContaining(outcome) })
  })

  it('links in the quarantine directory are not removed to free space', async () => {
    const directory = folder()
    fs.mkdirSync(join(directory, 'quarantine'), { mode: 0o700 })
    for (let index = 0; index < 60; index++) {
      fs.symlinkSync(join(outside, 'target'), join(directory, 'quarantine', `${index}.corrupt`))
    }
    fs.mkdirSync(join(directory, free), { mode: 0o700 })
    fs.writeFileSync(join(directory, free, segment), `${line}${'x'.repeat(60_000)}\n{"resourceLogs":[],}\n`)
    const arrived = takes(server)
    const harness = spoolLogger({ url: server.url, directory, maxBytes: 2 ** 20 })
    await waitUntil(() => harness.stats().waiting === 0)
    expect(arrived).toEqual([99])
    untouched()
    expect(fs.globSync('quarantine/*', { cwd: directory })).toHaveLength(62)
  })
})

/** The message of the error when a spool is created with this directory, or 'none'. */
function refusal(directory: string): string {
  try {
    spoolLogger({ url: server.url, directory })
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}

/** A directory in which everyone can create files, like /tmp. */
function shared(): string {
  const directory = folder()
  fs.chmodSync(directory, 0o1777)
  return directory
}

describe('the spool directory', () => {
  it.each(['0777', '0775', '0770', '0702'])('a directory with mode %s is rejected with instructions', (mode) => {
    const directory = folder()
    fs.chmodSync(directory, mode)
    const reason = `other users can write to ${directory} (mode ${mode}): run chmod 700`
    expect(refusal(directory)).toMatch(/^SLUICE_CONFIG: spool\.directory: /)
    expect(refusal(directory)).toContain(reason)
  })

  it.each(['0700', '0755', '1777', '1770'])('a directory with mode %s is accepted', async (mode) => {
    const directory = folder()
    fs.chmodSync(directory, mode)
    const harness = spoolLogger({ url: server.url, directory })
    harness.logAll(1)
    await harness.log.flush()
    expect(harness.stats()).toMatchObject({ spooled: 1, waiting: 1 })
  })

  it('a group-writable directory is accepted with allowGroupWrite, but a world-writable one is not', async () => {
    const directory = folder()
    const left = spoolLogger({ url: server.url, directory })
    left.logAll(3)
    await left.log.shutdown()
    for (const path of [directory, ...fs.globSync('*', { cwd: directory }).map((name) => join(directory, name))]) {
      fs.chmodSync(path, 0o2770)
    }
    expect(refusal(directory)).toContain('mode 2770')
    const arrived = takes(server)
    const harness = spoolLogger({ url: server.url, directory, allowGroupWrite: true })
    await waitUntil(() => harness.stats().replayed === 3)
    expect(arrived).toEqual(numbers(3))
    fs.chmodSync(directory, 0o777)
    expect(() => spoolLogger({ url: server.url, directory, allowGroupWrite: true })).toThrow(/mode 0777/)
  })

  it('a link of this user to the spool directory is followed', async () => {
    const link = join(folder(), 'link')
    const directory = folder()
    fs.symlinkSync(directory, link)
    const harness = spoolLogger({ url: server.url, directory: link })
    harness.logAll(1)
    await harness.log.flush()
    expect(segmentsIn(directory)).toHaveLength(1)
  })

  it('the spool still uses its directory when the path is replaced, and writes nothing to the new one', async () => {
    const parent = folder()
    const directory = join(parent, 'below', 'spool')
    const harness = spoolLogger({ url: server.url, directory, fsync: 'batch' })
    harness.logAll(1)
    await harness.log.flush()
    fs.renameSync(join(parent, 'below'), join(parent, 'moved'))
    fs.mkdirSync(join(parent, 'below'))
    fs.symlinkSync(outside, directory)
    for (let round = 0; round < 3; round++) {
      harness.logAll(1)
      await harness.log.flush()
    }
    untouched()
    expect(harness.stats()).toMatchObject({ spooled: 4, waiting: 4, corrupt: 0 })
    expect(segmentsIn(join(parent, 'moved', 'spool')).length).toBeGreaterThan(0)
  })
})

const twoUsersIt = needs(twoUsers, canBeOtherUser)

describe('files of another user', () => {
  twoUsersIt('a directory of another user is rejected with its path and owner', () => {
    const directory = join(shared(), 'spool')
    asOtherUser('mkdir "$1"', directory)
    expect(() => spoolLogger({ url: server.url, directory })).toThrow(
      `${directory} is owned by user ${otherUser}, but this process runs as user 0: choose another directory, or chown it`,
    )
  })

  twoUsersIt('a link of another user is not followed, even to a directory of this user', async () => {
    const directory = join(shared(), 'spool')
    // At construction, and when the link is created later.
    asOtherUser('ln -s "$2" "$1"', directory, outside)
    expect(refusal(directory)).toContain(`${directory} is a symbolic link of user ${otherUser}`)
    fs.unlinkSync(directory)
    const harness = spoolLogger({ url: server.url, directory })
    fs.rmSync(directory, { recursive: true })
    asOtherUser('ln -s "$2" "$1"', directory, outside)
    harness.logAll(1)
    await harness.log.flush({ timeoutMillis: 500 })
    untouched()
    expect(harness.codes()).toContain('SLUICE_SPOOL_FAILED')
    expect(harness.problems.map(({ message }) => message).join()).toContain('(SLUICE_PATH_UNTRUSTED)')
  })

  twoUsersIt('neither directories nor files are created behind a link of another user', async () => {
    const parent = shared()
    asOtherUser('ln -s "$2" "$1/logs"; ln -s "$2/new" "$1/new"', parent, outside)
    for (const path of ['logs/spool', 'logs/deep/spool', 'new', 'new/spool']) {
      const directory = join(parent, path)
      expect(refusal(directory)).toContain(
        `${join(parent, path.split('/')[0]!)} is a symbolic link of user ${otherUser}`,
      )
    }
    untouched()
    // Also when the link is created later.
    const harness = spoolLogger({ url: server.url, directory: join(parent, 'later', 'spool') })
    fs.rmSync(join(parent, 'later'), { recursive: true })
    asOtherUser('ln -s "$2" "$1/later"', parent, outside)
    harness.logAll(1)
    await harness.log.flush({ timeoutMillis: 500 })
    untouched()
    expect(harness.problems.map(({ message }) => message).join()).toContain('(SLUICE_PATH_UNTRUSTED)')
  })

  twoUsersIt(
    'files that another user created in a sticky directory are neither followed, sent nor removed',
    async () => {
      const directory = shared()
      asOtherUser(
        `mkdir "$1/$3" && ln -s "$2/target" "$1/$3/alive" && ln -s "$2/$4" "$1/$3/$4"
       mkdir "$1/quarantine" && ln -s "$2/old.corrupt" "$1/quarantine/0.corrupt"
       ln -s "$2" "$1/free-ba9876543210"
       mkdir "$1/owner-1-1-00000000-0123456789ab" && ln -s "$2/target" "$1/owner-1-1-00000000-0123456789ab/alive"
       touch -h -d '1 hour ago' "$1/owner-1-1-00000000-0123456789ab/alive" "$1/owner-1-1-00000000-0123456789ab"`,
        directory,
        outside,
        free,
        segment,
      )
      fs.mkdirSync(join(directory, 'free-000000000000'), { mode: 0o700 })
      fs.writeFileSync(join(directory, 'free-000000000000', segment), `${line}{"resourceLogs":[],}\n`)
      const before = fs.globSync('**', { cwd: directory })
      const { arrived, problems } = await run(directory)
      untouched()
      expect(arrived.toSorted((a, b) => a - b)).toEqual([0, 99])
      const gone = before.filter((path) => !fs.lstatSync(join(directory, path), { throwIfNoEntry: false }))
      expect(gone.every((path) => path.startsWith('free-000000000000'))).toBe(true)
      expect(problems).toContainEqual({
        code: 'SLUICE_PATH_UNTRUSTED',
        message: expect.stringContaining(`is owned by user ${otherUser}`),
      })
      expect(problems).toContainEqual({
        code: 'SLUICE_SPOOL_DAMAGED',
        message: expect.stringContaining('could not be moved to quarantine'),
      })
    },
  )

  twoUsersIt('a file of another user in a directory of this user is not sent', async () => {
    const directory = folder()
    fs.mkdirSync(join(directory, free), { mode: 0o700 })
    fs.writeFileSync(join(directory, free, segment), line)
    fs.chownSync(join(directory, free, segment), otherUser, otherUser)
    const { arrived, stats } = await run(directory)
    expect(arrived).toEqual([0])
    expect(stats()).toMatchObject({ missing: 1 })
  })

  twoUsersIt('a link that repeatedly replaces a directory is never followed', async () => {
    const directory = shared()
    const swap = spawn(
      'sh',
      [
        '-c',
        'cd "$1"; while :; do mkdir free-0123456789ab && rmdir free-0123456789ab; ln -s "$2" free-0123456789ab; rm free-0123456789ab; done',
        'sh',
        directory,
        outside,
      ],
      { uid: otherUser, gid: otherUser, stdio: 'ignore' },
    )
    const ended = new Promise((resolve) => swap.once('exit', resolve))
    try {
      const arrived = takes(server)
      for (let round = 0; round < 200; round++) {
        const harness = spoolLogger({ url: server.url, directory })
        await harness.log.shutdown()
      }
      untouched()
      expect(arrived).toEqual([])
    } finally {
      swap.kill('SIGKILL')
      await ended
    }
  })
})
