import type { Stats } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import {
  reasonToDistrustDirectory,
  reasonToDistrustOwnFile,
  excludesOtherUsers,
  reasonToDistrustLink,
  reasonToDistrustHardLinks,
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

describe('reasonToDistrustDirectory', () => {
  const user = 1_000
  const reason = (entry: Entry, rules?: DirectoryRules) =>
    asUser(user, () => reasonToDistrustDirectory(path, stats(entry), rules))

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
  ])('reasonToDistrustDirectory accepts a directory %s', (_, entry, rules) => {
    expect(reason(entry, rules)).toBeUndefined()
  })

  it.each<[string, Entry, DirectoryRules]>([
    ['of another user', { uid: other, mode: 0o755 }, {}],
    ['of another user that is sticky', { uid: other, mode: 0o1777 }, {}],
    ['of root, where it must be private', { uid: root, mode: 0o700 }, { isPrivate: true }],
    ['of another user, where it must be private', { uid: other, mode: 0o700 }, { isPrivate: true }],
  ])('reasonToDistrustDirectory rejects a directory %s and reports its owner', (_, entry, rules) => {
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
  ])('reasonToDistrustDirectory rejects a directory %s and reports its mode', (_, entry, rules) => {
    const mode = entry.mode.toString(8).padStart(4, '0')
    expect(reason(entry, rules)).toBe(
      `other users can write to ${path} (mode ${mode}): run chmod 700 on it, or choose another directory`,
    )
  })
})

describe('reasonToDistrustOwnFile', () => {
  it('reasonToDistrustOwnFile accepts a regular file of this user with one hard link', () => {
    expect(reasonToDistrustOwnFile(path, stats({ uid: me, mode: 0o600, kind: 'file' }))).toBeUndefined()
  })

  it.each<[string, Entry, string]>([
    ['is a link', { uid: me, mode: 0o777, kind: 'link' }, 'is not a regular file'],
    ['is a directory', { uid: me, mode: 0o700, kind: 'directory' }, 'is not a regular file'],
    ['belongs to another user', { uid: other, mode: 0o600, kind: 'file' }, `is owned by user ${other}`],
    ['has a second hard link', { uid: me, mode: 0o600, nlink: 2, kind: 'file' }, 'has 2 hard links'],
  ])('reasonToDistrustOwnFile rejects a path that %s', (_, entry, reason) => {
    expect(reasonToDistrustOwnFile(path, stats(entry))).toBe(`${path} ${reason}`)
  })

  it('reasonToDistrustOwnFile rejects a file of root when this user is not root', () => {
    const file = stats({ uid: root, mode: 0o600, kind: 'file' })
    expect(asUser(1_000, () => reasonToDistrustOwnFile(path, file))).toBe(`${path} is owned by user 0`)
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
const directoryOf = (entry: Entry | undefined) => ({ excludesOtherUsers: excludesOtherUsers(known(entry)) })

describe('excludesOtherUsers', () => {
  it.each(exclusive)('excludesOtherUsers is true for a directory %s', (_, entry) => {
    expect(excludesOtherUsers(stats(entry))).toBe(true)
  })

  it.each(shared)('excludesOtherUsers is false for a directory %s', (_, entry) => {
    expect(excludesOtherUsers(known(entry))).toBe(false)
  })

  it('excludesOtherUsers is true for a directory of root and false for another user when this user is not root', () => {
    asUser(1_000, () => {
      expect(excludesOtherUsers(stats({ uid: root, mode: 0o755 }))).toBe(true)
      expect(excludesOtherUsers(stats({ uid: 1_000, mode: 0o755 }))).toBe(true)
      expect(excludesOtherUsers(stats({ uid: 1_001, mode: 0o755 }))).toBe(false)
    })
  })
})

const link = (uid: number, nlink = 1): Stats => stats({ uid, mode: 0o777, nlink, kind: 'link' })

describe('reasonToDistrustLink', () => {
  it.each(shared)(
    'reasonToDistrustLink accepts a link of this user or root in a directory %s, and rejects one of another user',
    (_, entry) => {
      for (const uid of [me, root]) expect(reasonToDistrustLink(path, link(uid), directoryOf(entry))).toBeUndefined()
      expect(reasonToDistrustLink(path, link(other), directoryOf(entry))).toBe(
        `${path} is a symbolic link of user ${other}: remove it, or choose another path`,
      )
    },
  )

  it.each(shared)(
    'reasonToDistrustLink rejects a link of root with a second hard link in a directory %s',
    (_, entry) => {
      expect(reasonToDistrustLink(path, link(root, 2), directoryOf(entry))).toContain(`${path} has 2 hard links`)
    },
  )

  it.each(exclusive)('reasonToDistrustLink accepts any link in a directory %s', (_, entry) => {
    for (const uid of [me, root, other])
      expect(reasonToDistrustLink(path, link(uid, 2), directoryOf(entry))).toBeUndefined()
  })

  it('reasonToDistrustLink rejects a link of a third user when this user is not root', () => {
    const directory = directoryOf({ uid: root, mode: 0o1777 })
    asUser(1_000, () => {
      expect(reasonToDistrustLink(path, link(1_000), directory)).toBeUndefined()
      expect(reasonToDistrustLink(path, link(root), directory)).toBeUndefined()
      expect(reasonToDistrustLink(path, link(1_001), directory)).toContain('is a symbolic link of user 1001')
    })
  })
})

const file = (nlink: number): Stats => stats({ uid: me, mode: 0o600, nlink, kind: 'file' })

describe('reasonToDistrustHardLinks', () => {
  it.each(shared)('reasonToDistrustHardLinks rejects a file with a second hard link in a directory %s', (_, entry) => {
    expect(reasonToDistrustHardLinks(path, file(2), directoryOf(entry))).toBe(
      `${path} has 2 hard links, and other users can create files in its directory: remove it, or choose another path`,
    )
    expect(reasonToDistrustHardLinks(path, file(1), directoryOf(entry))).toBeUndefined()
  })

  it.each(exclusive)(
    'reasonToDistrustHardLinks accepts a file with a second hard link in a directory %s',
    (_, entry) => {
      expect(reasonToDistrustHardLinks(path, file(2), directoryOf(entry))).toBeUndefined()
    },
  )

  it('reasonToDistrustHardLinks accepts a path that is not a regular file, such as a device with several hard links', () => {
    const device = stats({ uid: root, mode: 0o666, nlink: 2, kind: 'link' })
    expect(reasonToDistrustHardLinks(path, device, directoryOf({ uid: root, mode: 0o777 }))).toBeUndefined()
  })
})

it('every owner and mode is trusted on a system without users (Windows)', () => {
  const { geteuid } = process
  Object.assign(process, { geteuid: undefined })
  try {
    const directory = stats({ uid: other, mode: 0o777 })
    expect(reasonToDistrustDirectory(path, directory, { isPrivate: true })).toBeUndefined()
    expect(reasonToDistrustOwnFile(path, stats({ uid: other, mode: 0o666, kind: 'file' }))).toBeUndefined()
    expect(excludesOtherUsers(directory)).toBe(true)
    expect(
      reasonToDistrustLink(path, stats({ uid: other, mode: 0o777, kind: 'link' }), {
        excludesOtherUsers: excludesOtherUsers(directory),
      }),
    ).toBeUndefined()
  } finally {
    Object.assign(process, { geteuid })
  }
})
