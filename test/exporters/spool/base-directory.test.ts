import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { BaseDirectory } from '../../../src/exporters/spool/base-directory.ts'
import type { SpoolFileSystem } from '../../../src/exporters/spool/files.ts'
import { UntrustedPathError } from '../../../src/platform/node/path-trust.ts'
import { needs } from '../../support/needs.ts'
import { canBeOtherUser, otherUser, twoUsers } from '../../support/files/other-user.ts'

let folder: string
let path: string
const open = new Set<number>()
/** The file system, with the descriptors that are open. */
const files: SpoolFileSystem = {
  ...fs,
  openSync: (...args) => {
    const fd = fs.openSync(...args)
    open.add(fd)
    return fd
  },
  closeSync: (fd) => {
    open.delete(fd)
    fs.closeSync(fd)
  },
}
let reasons: string[]
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'sluice-base-'))
  path = join(folder, 'spool')
  reasons = []
})
afterEach(() => {
  fs.rmSync(folder, { recursive: true })
  expect([...open]).toEqual([])
})

const base = (allowGroupWrite = false): BaseDirectory =>
  new BaseDirectory(files, path, allowGroupWrite, (reason) => reasons.push(reason))
const modeOf = (name: string): number => fs.statSync(name).mode & 0o777

describe('base directory', () => {
  it('the base directory is created for this user only, opened once and closed', () => {
    const directory = base()
    const handle = directory.open()
    expect(modeOf(path)).toBe(0o700)
    expect(directory.open()).toBe(handle)
    directory.close()
    expect(() => handle.pathOf('name')).toThrow('the directory is missing')
    directory.close()
    expect(directory.open()).not.toBe(handle)
    directory.close()
  })

  it('the base directory is created again after removal, and a new directory at its path is opened', () => {
    const directory = base()
    directory.open()
    fs.rmdirSync(path)
    const again = directory.open()
    expect(fs.statSync(again.pathOf('.')).ino).toBe(fs.statSync(path).ino)
    fs.renameSync(path, join(folder, 'moved'))
    fs.mkdirSync(path, { mode: 0o700 })
    expect(fs.statSync(directory.open().pathOf('.')).ino).toBe(fs.statSync(path).ino)
    directory.close()
  })

  it('a world-writable base directory is rejected, and a group-writable one unless allowGroupWrite is set', () => {
    fs.mkdirSync(path)
    fs.chmodSync(path, 0o770)
    expect(() => base().open()).toThrow(UntrustedPathError)
    const allowed = base(true)
    allowed.open()
    allowed.close()
    fs.chmodSync(path, 0o777)
    expect(() => base(true).open()).toThrow(UntrustedPathError)
  })
})

/** Opens a directory with this mode in a sticky one, in both ways. Returns its inode, or undefined if it is not used. */
function child(mode: number, allowGroupWrite = false): number | undefined {
  fs.mkdirSync(join(path, 'child'), { recursive: true })
  fs.chmodSync(path, 0o1777)
  fs.chmodSync(join(path, 'child'), mode)
  const directory = base(allowGroupWrite)
  const inode = directory.withChild('child', (handle) => fs.statSync(handle.pathOf('.')).ino)
  expect(isOpened(directory, 'child')).toBe(inode !== undefined)
  directory.close()
  return inode
}

function isOpened(directory: BaseDirectory, name: string): boolean {
  try {
    directory.openChild(name).close()
    return true
  } catch (error) {
    if (error instanceof UntrustedPathError) return false
    throw error
  }
}

function failing(): string {
  throw new Error('failed')
}

describe('directories in the base directory', () => {
  it.each(['0700', '0755'])('a directory with mode %s is used', (mode) => {
    expect(child(Number.parseInt(mode, 8))).toBe(fs.statSync(join(path, 'child')).ino)
    expect(reasons).toEqual([])
  })

  it.each(['0770', '0777', '1777', '1700'])(
    'a directory with mode %s is used only if no other user can write to it',
    (mode) => {
      const isUsed = child(Number.parseInt(mode, 8)) !== undefined
      expect(isUsed).toBe(mode === '1700')
      expect(reasons).toEqual(
        isUsed
          ? []
          : [`other users can write to ${path}/child (mode ${mode}): run chmod 700 on it, or choose another directory`],
      )
    },
  )

  it('a group-writable directory is used with allowGroupWrite', () => {
    expect(child(0o770, true)).toBeDefined()
    expect(child(0o777, true)).toBeUndefined()
  })

  needs(twoUsers, canBeOtherUser)('a directory of another user is not used, which is reported', () => {
    fs.mkdirSync(join(path, 'child'), { recursive: true })
    fs.chownSync(join(path, 'child'), otherUser, otherUser)
    expect(child(0o700)).toBeUndefined()
    expect(reasons).toEqual([expect.stringContaining(`${path}/child is owned by user ${otherUser}`)])
  })

  it('a missing directory or a link is not used, which is not reported', () => {
    fs.mkdirSync(path, { mode: 0o700 })
    fs.mkdirSync(join(folder, 'outside'), { mode: 0o700 })
    fs.symlinkSync(join(folder, 'outside'), join(path, 'link'))
    const directory = base()
    for (const name of ['missing', 'link']) expect(directory.withChild(name, () => 'used')).toBeUndefined()
    expect(() => directory.openChild('link')).toThrow(expect.objectContaining({ code: expect.any(String) }))
    directory.close()
    expect(reasons).toEqual([])
  })

  it('a directory is closed after its use, even when the callback throws', () => {
    fs.mkdirSync(join(path, 'child'), { recursive: true, mode: 0o700 })
    const directory = base()
    expect(directory.withChild('child', failing)).toBeUndefined()
    directory.close()
    expect(reasons).toEqual([])
  })
})
