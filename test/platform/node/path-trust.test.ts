import type { Stats } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import {
  directoryDistrust,
  fileDistrust,
  isExclusive,
  linkDistrust,
  nameDistrust,
  type DirectoryRules,
} from '../../../src/platform/node/path-trust.ts'

const me = process.geteuid?.() ?? 0
const root = 0
const other = 4_711
const path = '/logs/app'

interface Entry {
  readonly uid: number
  readonly mode: number
  readonly nlink?: number
  readonly kind?: 'file' | 'link' | 'directory'
}

function stats({ uid, mode, nlink = 1, kind = 'directory' }: Entry): Stats {
  const is = (what: string) => () => kind === what
  return { uid, mode, nlink, isFile: is('file'), isSymbolicLink: is('link'), isDirectory: is('directory') } as Stats
}

/** Calls `action` as a process of this user, independent of the user that runs the tests. */
function asUser<T>(uid: number, action: () => T): T {
  const { geteuid } = process
  process.geteuid = () => uid
  try {
    return action()
  } finally {
    process.geteuid = geteuid!
  }
}

describe('directoryDistrust', () => {
  const user = 1_000
  const reason = (entry: Entry, rules?: DirectoryRules) =>
    asUser(user, () => directoryDistrust(path, stats(entry), rules))

  it.each<[string, Entry, DirectoryRules]>([
    ['of this user', { uid: user, mode: 0o755 }, {}],
    ['of root', { uid: root, mode: 0o755 }, {}],
    ['that is sticky', { uid: user, mode: 0o1777 }, {}],
    ['of root that is sticky', { uid: root, mode: 0o1777 }, {}],
    ['whose group may write to it, with allowGroupWrite', { uid: user, mode: 0o770 }, { allowGroupWrite: true }],
    ['of this user, where it must be private', { uid: user, mode: 0o700 }, { isPrivate: true }],
    [
      'of this user, private with allowGroupWrite',
      { uid: user, mode: 0o770 },
      { isPrivate: true, allowGroupWrite: true },
    ],
  ])('directoryDistrust accepts a directory %s', (_, entry, rules) => {
    expect(reason(entry, rules)).toBeUndefined()
  })

  it.each<[string, Entry, DirectoryRules]>([
    ['of another user', { uid: other, mode: 0o755 }, {}],
    ['of another user that is sticky', { uid: other, mode: 0o1777 }, {}],
    ['of root, where it must be private', { uid: root, mode: 0o700 }, { isPrivate: true }],
    ['of another user, where it must be private', { uid: other, mode: 0o700 }, { isPrivate: true }],
  ])('directoryDistrust rejects a directory %s and reports its owner', (_, entry, rules) => {
    expect(reason(entry, rules)).toBe(
      `${path} is owned by user ${entry.uid}, but this process runs as user ${user}: choose another directory, or chown it`,
    )
  })

  it.each<[string, Entry, DirectoryRules]>([
    ['whose group can write to it', { uid: user, mode: 0o770 }, {}],
    ['to which all others can write', { uid: user, mode: 0o702 }, {}],
    ['to which all can write, with allowGroupWrite', { uid: user, mode: 0o777 }, { allowGroupWrite: true }],
    ['that is sticky, where it must be private', { uid: user, mode: 0o1777 }, { isPrivate: true }],
    ['whose group can write to it, where it must be private', { uid: user, mode: 0o720 }, { isPrivate: true }],
  ])('directoryDistrust rejects a directory %s and reports its mode', (_, entry, rules) => {
    const mode = entry.mode.toString(8).padStart(4, '0')
    expect(reason(entry, rules)).toBe(
      `other users can write to ${path} (mode ${mode}): run chmod 700 on it, or choose another directory`,
    )
  })
})

describe('fileDistrust', () => {
  it('fileDistrust accepts a regular file of this user with one hard link', () => {
    expect(fileDistrust(path, stats({ uid: me, mode: 0o600, kind: 'file' }))).toBeUndefined()
  })

  it.each<[string, Entry, string]>([
    ['is a link', { uid: me, mode: 0o777, kind: 'link' }, 'is not a regular file'],
    ['is a directory', { uid: me, mode: 0o700, kind: 'directory' }, 'is not a regular file'],
    ['belongs to another user', { uid: other, mode: 0o600, kind: 'file' }, `is owned by user ${other}`],
    ['has a second hard link', { uid: me, mode: 0o600, nlink: 2, kind: 'file' }, 'has 2 hard links'],
  ])('fileDistrust rejects a path that %s', (_, entry, reason) => {
    expect(fileDistrust(path, stats(entry))).toBe(`${path} ${reason}`)
  })

  it('fileDistrust rejects a file of root when this user is not root', () => {
    const file = stats({ uid: root, mode: 0o600, kind: 'file' })
    expect(asUser(1_000, () => fileDistrust(path, file))).toBe(`${path} is owned by user 0`)
  })
})

/** Directories in which another user can create names. */
const shared: readonly (readonly [string, Entry | undefined])[] = [
  ['that all can write to', { uid: me, mode: 0o777 }],
  ['that all others can write to', { uid: me, mode: 0o702 }],
  ['that is sticky', { uid: me, mode: 0o1777 }],
  ['of root that is sticky', { uid: root, mode: 0o1777 }],
  ['that its group can write to', { uid: root, mode: 0o2775 }],
  ['of another user', { uid: other, mode: 0o755 }],
  ['of another user that only that user can write to', { uid: other, mode: 0o700 }],
  ['without known stats', undefined],
]
const exclusive: readonly (readonly [string, Entry])[] = [
  ['of this user', { uid: me, mode: 0o755 }],
  ['of root', { uid: root, mode: 0o755 }],
]
const known = (entry: Entry | undefined): Stats | undefined => entry && stats(entry)
const directoryOf = (entry: Entry | undefined) => ({ isExclusive: isExclusive(known(entry)) })

describe('isExclusive', () => {
  it.each(exclusive)('isExclusive is true for a directory %s', (_, entry) => {
    expect(isExclusive(stats(entry))).toBe(true)
  })

  it.each(shared)('isExclusive is false for a directory %s', (_, entry) => {
    expect(isExclusive(known(entry))).toBe(false)
  })

  it('isExclusive is true for a directory of root and false for another user when this user is not root', () => {
    asUser(1_000, () => {
      expect(isExclusive(stats({ uid: root, mode: 0o755 }))).toBe(true)
      expect(isExclusive(stats({ uid: 1_000, mode: 0o755 }))).toBe(true)
      expect(isExclusive(stats({ uid: 1_001, mode: 0o755 }))).toBe(false)
    })
  })
})

const link = (uid: number, nlink = 1): Stats => stats({ uid, mode: 0o777, nlink, kind: 'link' })

describe('linkDistrust', () => {
  it.each(shared)(
    'linkDistrust accepts a link of this user or root in a directory %s, and rejects one of another user',
    (_, entry) => {
      for (const uid of [me, root]) expect(linkDistrust(path, link(uid), directoryOf(entry))).toBeUndefined()
      expect(linkDistrust(path, link(other), directoryOf(entry))).toBe(
        `${path} is a symbolic link of user ${other}: remove it, or choose another path`,
      )
    },
  )

  it.each(shared)('linkDistrust rejects a link of root with a second hard link in a directory %s', (_, entry) => {
    expect(linkDistrust(path, link(root, 2), directoryOf(entry))).toContain(`${path} has 2 hard links`)
  })

  it.each(exclusive)('linkDistrust accepts any link in a directory %s', (_, entry) => {
    for (const uid of [me, root, other]) expect(linkDistrust(path, link(uid, 2), directoryOf(entry))).toBeUndefined()
  })

  it('linkDistrust rejects a link of a third user when this user is not root', () => {
    const directory = directoryOf({ uid: root, mode: 0o1777 })
    asUser(1_000, () => {
      expect(linkDistrust(path, link(1_000), directory)).toBeUndefined()
      expect(linkDistrust(path, link(root), directory)).toBeUndefined()
      expect(linkDistrust(path, link(1_001), directory)).toContain('is a symbolic link of user 1001')
    })
  })
})

const file = (nlink: number): Stats => stats({ uid: me, mode: 0o600, nlink, kind: 'file' })

describe('nameDistrust', () => {
  it.each(shared)('nameDistrust rejects a file with a second hard link in a directory %s', (_, entry) => {
    expect(nameDistrust(path, file(2), directoryOf(entry))).toBe(
      `${path} has 2 hard links, and other users can create files in its directory: remove it, or choose another path`,
    )
    expect(nameDistrust(path, file(1), directoryOf(entry))).toBeUndefined()
  })

  it.each(exclusive)('nameDistrust accepts a file with a second hard link in a directory %s', (_, entry) => {
    expect(nameDistrust(path, file(2), directoryOf(entry))).toBeUndefined()
  })

  it('nameDistrust accepts a path that is not a regular file, such as a device with several hard links', () => {
    const device = stats({ uid: root, mode: 0o666, nlink: 2, kind: 'link' })
    expect(nameDistrust(path, device, directoryOf({ uid: root, mode: 0o777 }))).toBeUndefined()
  })
})

it('every owner and mode is trusted on a system without users (Windows)', () => {
  const { geteuid } = process
  Object.assign(process, { geteuid: undefined })
  try {
    const directory = stats({ uid: other, mode: 0o777 })
    expect(directoryDistrust(path, directory, { isPrivate: true })).toBeUndefined()
    expect(fileDistrust(path, stats({ uid: other, mode: 0o666, kind: 'file' }))).toBeUndefined()
    expect(isExclusive(directory)).toBe(true)
    expect(
      linkDistrust(path, stats({ uid: other, mode: 0o777, kind: 'link' }), { isExclusive: isExclusive(directory) }),
    ).toBeUndefined()
  } finally {
    Object.assign(process, { geteuid })
  }
})
