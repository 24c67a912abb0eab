import { afterEach, beforeEach, describe, expect, it, test } from '@jest/globals'
import {
  appendFileSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FollowOptions } from '../../../src/read/follow/follow-item.ts'
import { PathFollower } from '../../../src/read/follow/path-follower.ts'
import { needs } from '../../support/needs.ts'
import { canBeOtherUser, otherUser, twoUsers } from '../../support/files/other-user.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'

let directory: TemporaryDirectory
let log: string
let follower: PathFollower
/** The time of the checks, in ms. */
let now: number
let events: string[]

beforeEach(() => {
  directory = temporaryDirectory()
  log = directory.path('app.log')
  now = 0
  events = []
})
afterEach(() => {
  follower.close()
  directory.remove()
})

function follow(options: FollowOptions = {}): Promise<string> {
  follower = new PathFollower(log, options)
  return check()
}

/** Returns the text of the lines since the last check. */
async function check(millis = 100): Promise<string> {
  now += millis
  let text = ''
  for await (const item of follower.check(now)) {
    if ('event' in item) events.push(item.event)
    else text += item.bytes.toString()
  }
  return text
}

function compress(path: string): void {
  writeFileSync(`${path}.gz`, gzipSync(readFileSync(path)))
  rmSync(path)
}

describe('PathFollower', () => {
  it('reads the end of a renamed file before the new one', async () => {
    writeFileSync(log, 'a\n')
    expect(await follow()).toBe('a\n')
    appendFileSync(log, 'b\n')
    renameSync(log, `${log}.1`)
    appendFileSync(`${log}.1`, 'c\n')
    writeFileSync(log, 'd\n')
    expect(await check()).toBe('b\nc\nd\n')
    expect(events).toEqual(['rotated'])
  })

  it('reads files that were rotated between two checks, in order', async () => {
    writeFileSync(log, 'a\n')
    expect(await follow()).toBe('a\n')
    for (const letter of ['b', 'c', 'd', 'e']) {
      for (let age = 4; age > 0; age--)
        if (names().includes(`app.log.${age}`)) renameSync(`${log}.${age}`, `${log}.${age + 1}`)
      renameSync(log, `${log}.1`)
      writeFileSync(log, `${letter}\n`)
    }
    expect(await check()).toBe('b\nc\nd\ne\n')
    expect(await check()).toBe('')
  })

  test.each([
    ['numbers before the extension', 'app.1.log'],
    ['a date after a hyphen', 'app.log-20261121'],
    ['a date before the extension', 'app-2026-11-21.log'],
    ['the names of sluice', 'app.2026-11-21T10-00-00-000Z.log'],
    ['a date in front', '20261121-1000-01-app.log'],
  ])('finds a missed file whose name has %s', async (_, name) => {
    writeFileSync(log, 'a\n')
    await follow()
    rmSync(log)
    writeFileSync(log, 'missed\n')
    renameSync(log, directory.path(name))
    writeFileSync(log, 'new\n')
    expect(await check()).toBe('missed\nnew\n')
  })

  it('reads a missed file that was compressed', async () => {
    writeFileSync(log, 'a\n')
    await follow()
    renameSync(log, `${log}.2`)
    writeFileSync(log, 'missed\n')
    renameSync(log, `${log}.1`)
    compress(`${log}.1`)
    compress(`${log}.2`)
    writeFileSync(log, 'new\n')
    expect(await check()).toBe('missed\nnew\n')
  })

  it('does not read files that were rotated before, when they are renamed or compressed', async () => {
    writeFileSync(`${log}.1`, 'old\n')
    writeFileSync(`${log}.2.gz`, gzipSync('older\n'))
    writeFileSync(log, 'a\n')
    expect(await follow()).toBe('a\n')
    renameSync(`${log}.2.gz`, `${log}.3.gz`)
    compress(`${log}.1`)
    renameSync(`${log}.1.gz`, `${log}.2.gz`)
    renameSync(log, `${log}.1`)
    writeFileSync(log, 'b\n')
    expect(await check()).toBe('b\n')
    compress(`${log}.1`)
    rmSync(log)
    writeFileSync(log, 'c\n')
    expect(await check()).toBe('c\n')
  })

  it('does not read files of other logs, and does not follow links with the name of a rotated file', async () => {
    writeFileSync(log, 'a\n')
    await follow()
    rmSync(log)
    writeFileSync(directory.path('secret'), 'secret\n')
    symlinkSync(directory.path('secret'), `${log}.1`)
    writeFileSync(directory.path('application.log.1'), 'other\n')
    writeFileSync(directory.path('app-error.log'), 'other\n')
    mkdirSync(`${log}.2`)
    writeFileSync(log, 'b\n')
    expect(await check()).toBe('b\n')
  })

  it('reads the rest of a truncated file in its copy', async () => {
    writeFileSync(log, 'a\n')
    await follow()
    appendFileSync(log, 'b\nincomplete')
    expect(await check()).toBe('b\n')
    appendFileSync(log, ' line\nc\n')
    copyFileSync(log, `${log}.1`)
    truncateSync(log)
    appendFileSync(log, 'd\n')
    expect(await check()).toBe('incomplete line\nc\nd\n')
    expect(events).toEqual(['truncated'])
  })

  it('reads the rest of a truncated file in its compressed copy', async () => {
    writeFileSync(log, 'a\n')
    await follow()
    appendFileSync(log, 'b\n')
    copyFileSync(log, `${log}.1`)
    truncateSync(log)
    compress(`${log}.1`)
    expect(await check()).toBe('b\n')
    appendFileSync(log, 'c\n')
    expect(await check()).toBe('c\n')
  })

  it('detects that a file was truncated and has grown to more than its old size', async () => {
    writeFileSync(log, 'a\n')
    await follow()
    appendFileSync(log, 'b\n')
    copyFileSync(log, `${log}.1`)
    truncateSync(log)
    appendFileSync(log, 'c is a longer line\n')
    expect(await check()).toBe('b\nc is a longer line\n')
  })

  it('reads copies of all contents when a file was copied and truncated several times between two checks', async () => {
    writeFileSync(log, 'a\n')
    await follow()
    appendFileSync(log, 'b\n')
    copyFileSync(log, `${log}.1`)
    truncateSync(log)
    appendFileSync(log, 'c\n')
    renameSync(`${log}.1`, `${log}.2`)
    copyFileSync(log, `${log}.1`)
    truncateSync(log)
    appendFileSync(log, 'd\n')
    expect(await check()).toBe('b\nc\nd\n')
    expect(await check()).toBe('')
  })

  it('reads the copy of a file that was truncated before anything was read of it', async () => {
    writeFileSync(log, '')
    expect(await follow()).toBe('')
    appendFileSync(log, 'a\n')
    copyFileSync(log, `${log}.1`)
    truncateSync(log)
    expect(await check()).toBe('a\n')
    appendFileSync(log, 'b\n')
    expect(await check()).toBe('b\n')
  })

  it('does not read a copy of a file that was not truncated', async () => {
    writeFileSync(log, '')
    expect(await follow()).toBe('')
    appendFileSync(log, 'a\n')
    copyFileSync(log, `${log}.1`)
    expect(await check()).toBe('a\n')
    expect(await check()).toBe('')
  })

  it('continues a file that is replaced by a longer copy of it', async () => {
    const lines = 'a line of some length\n'.repeat(20)
    writeFileSync(log, lines)
    expect(await follow()).toBe(lines)
    writeFileSync(`${log}.new`, `${lines}more\n`)
    renameSync(`${log}.new`, log)
    expect(await check()).toBe('more\n')
  })

  it('reads a file from its start that is replaced by another one', async () => {
    writeFileSync(log, 'a\nb\n')
    await follow()
    writeFileSync(`${log}.new`, 'c\n')
    renameSync(`${log}.new`, log)
    expect(await check()).toBe('c\n')
  })

  it('reads a deleted file until it is replaced, and waits for a file that does not exist', async () => {
    expect(await follow()).toBe('')
    expect(events).toEqual(['missing'])
    writeFileSync(log, 'a\n')
    expect(await check()).toBe('a\n')
    rmSync(log)
    expect(await check()).toBe('')
    expect(events.filter((event) => event === 'missing')).toHaveLength(2)
    writeFileSync(log, 'b\n')
    expect(await check()).toBe('b\n')
  })

  it('reports a path that cannot be read once, and reads the file as soon as it can', async () => {
    mkdirSync(log)
    await follow()
    await check()
    expect(events).toEqual(['unreadable'])
    rmSync(log, { recursive: true })
    writeFileSync(log, 'a\n')
    expect(await check()).toBe('a\n')
    expect(events).toEqual(['unreadable', 'readable'])
  })

  it('returns an incomplete line after 1 s, and then its rest as a continuation', async () => {
    writeFileSync(log, 'a\nincom')
    expect(await follow()).toBe('a\n')
    expect(await check(900)).toBe('')
    expect(await check(100)).toBe('incom')
    appendFileSync(log, 'plete\nb\n')
    now += 100
    const items = []
    for await (const item of follower.check(now)) items.push(item)
    expect(items).toMatchObject([{ bytes: Buffer.from('plete\nb\n'), continuesLine: true, firstLine: 2, offset: 7 }])
  })

  it('returns a line of JSON only with its end, which a program with a buffer writes later', async () => {
    writeFileSync(log, 'a\nweb-1 | {"msg":"')
    expect(await follow()).toBe('a\n')
    expect(await check(5_000)).toBe('')
    appendFileSync(log, 'x","y":{}')
    expect(await check(5_000)).toBe('')
    appendFileSync(log, '}\n{')
    expect(await check(5_000)).toBe('web-1 | {"msg":"x","y":{}}\n')
    appendFileSync(log, '"msg":1} ')
    expect(await check()).toBe('')
    expect(await check(1_000)).toBe('{"msg":1} ')
  })

  it('returns a part of JSON at the end of a rotated file', async () => {
    writeFileSync(log, '{"msg":"')
    await follow()
    renameSync(log, `${log}.1`)
    writeFileSync(log, '{"msg":2}\n')
    expect((await check()) + (await check(20_000))).toBe('{"msg":2}\n{"msg":"')
  })

  it('returns the event quiet once after new lines', async () => {
    writeFileSync(log, 'a\n')
    await follow()
    await check()
    await check()
    expect(events).toEqual(['quiet'])
    expect(follower.isUnchanged()).toBe(true)
    appendFileSync(log, 'b\n')
    expect(follower.isUnchanged()).toBe(false)
  })

  test.each([
    [0, ''],
    [2, 'b\nc\n'],
    [9, 'a\nb\nc\n'],
  ])('returns only the last %i lines of the first file', async (tail, expected) => {
    writeFileSync(log, 'a\nb\nc\n')
    expect(await follow({ tail })).toBe(expected)
    appendFileSync(log, 'd\n')
    expect(await check()).toBe('d\n')
    renameSync(log, `${log}.1`)
    writeFileSync(log, 'e\nf\ng\nh\n')
    expect(await check()).toBe('e\nf\ng\nh\n')
  })

  it('detects the truncation of a file of which only the end was read', async () => {
    writeFileSync(log, 'a\nb\nc\n')
    expect(await follow({ tail: 1 })).toBe('c\n')
    appendFileSync(log, 'd\n')
    copyFileSync(log, `${log}.1`)
    truncateSync(log)
    appendFileSync(log, 'e is longer than all lines before\n')
    expect(await check()).toBe('d\ne is longer than all lines before\n')
  })

  it('follows a link that is changed to another file', async () => {
    writeFileSync(directory.path('app.1.log'), 'a\n')
    symlinkSync('app.1.log', log)
    expect(await follow()).toBe('a\n')
    appendFileSync(directory.path('app.1.log'), 'b\n')
    writeFileSync(directory.path('app.2.log'), 'c\n')
    writeFileSync(directory.path('app.3.log'), 'd\n')
    symlinkSync('app.3.log', directory.path('new'))
    renameSync(directory.path('new'), log)
    expect(await check()).toBe('b\nc\nd\n')
  })

  it('keeps the byte order mark of each file', async () => {
    writeFileSync(log, '\uFEFFa\n')
    expect(await follow()).toBe('\uFEFFa\n')
    renameSync(log, `${log}.1`)
    writeFileSync(log, '\uFEFFb\n')
    expect(await check()).toBe('\uFEFFb\n')
  })

  needs(twoUsers, canBeOtherUser)('does not read a rotated file of another user', async () => {
    writeFileSync(log, 'a\n')
    await follow()
    rmSync(log)
    writeFileSync(`${log}.1`, 'planted\n')
    chownSync(`${log}.1`, otherUser, otherUser)
    writeFileSync(log, 'b\n')
    expect(await check()).toBe('b\n')
  })

  it('reads a compressed file once', async () => {
    writeFileSync(log, gzipSync('a\nb\n'))
    expect(await follow({ tail: 1 })).toBe('b\n')
    expect(await check()).toBe('')
  })

  it('closes all files', async () => {
    const before = openFiles()
    writeFileSync(log, 'a\n')
    await follow()
    for (let rotation = 0; rotation < 20; rotation++) {
      renameSync(log, `${log}.${rotation}`)
      writeFileSync(log, `line ${rotation}\n`)
      expect(await check()).toBe(`line ${rotation}\n`)
    }
    expect(openFiles()).toBeLessThan(before + 15)
    follower.close()
    expect(openFiles()).toBeLessThanOrEqual(before)
  })
})

function names(): string[] {
  return readdirSync(directory.path('.'))
}

function openFiles(): number {
  return readdirSync('/proc/self/fd').length
}
