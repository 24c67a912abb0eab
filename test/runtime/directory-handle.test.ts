import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { DirectoryHandle, type DirectoryCalls } from '../../src/runtime/directory-handle.ts'
import { UntrustedPathError } from '../../src/runtime/path-trust.ts'

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'sluice-directory-'))
  fs.mkdirSync(join(folder, 'checked'))
  fs.mkdirSync(join(folder, 'other'))
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

/** The file system of a machine without /proc. */
const withoutProcfs: DirectoryCalls = {
  ...fs,
  statSync: ((path: fs.PathLike, options?: fs.StatSyncOptions) => {
    if (!String(path).startsWith('/proc/')) return fs.statSync(path, options)
    throw Object.assign(new Error('none'), { code: 'ENOENT' })
  }) as typeof fs.statSync,
}

const exchange = (): void => {
  fs.renameSync(join(folder, 'checked'), join(folder, 'moved'))
  fs.symlinkSync(join(folder, 'other'), join(folder, 'checked'))
}

const linux = process.platform === 'linux' ? it : it.skip
if (process.platform !== 'linux') process.stderr.write('skipped: names relative to a descriptor need Linux\n')

describe('a directory handle', () => {
  linux('reaches names in the directory that was opened, wherever its path leads by then', () => {
    const handle = DirectoryHandle.open(join(folder, 'checked'), {})
    exchange()
    fs.writeFileSync(handle.at('file'), 'text')
    fs.renameSync(handle.at('file'), handle.at('renamed'))
    expect(fs.readdirSync(handle.at('.'))).toEqual(['renamed'])
    expect(fs.readdirSync(join(folder, 'moved'))).toEqual(['renamed'])
    expect(fs.readdirSync(join(folder, 'other'))).toEqual([])
    expect(handle.isCurrent).toBe(false)
    fs.unlinkSync(handle.at('renamed'))
    handle.close()
  })

  it('refuses names where the system has no such place and another directory is at the path', () => {
    const handle = DirectoryHandle.open(join(folder, 'checked'), {}, withoutProcfs)
    expect(handle.at('file')).toBe(join(fs.realpathSync(folder), 'checked', 'file'))
    exchange()
    expect(() => handle.at('file')).toThrow(expect.objectContaining({ code: 'ENOENT' }))
    handle.close()
  })

  it.each([
    ['with', fs],
    ['without', withoutProcfs],
  ])('gives no names once it is closed, %s /proc', (_, files) => {
    const handle = DirectoryHandle.open(join(folder, 'checked'), {}, files)
    expect(handle.isCurrent).toBe(true)
    handle.close()
    handle.close()
    expect(handle.isCurrent).toBe(false)
    expect(() => handle.at('file')).toThrow(expect.objectContaining({ code: 'ENOENT' }))
  })

  it('opens a directory in it, and follows no link there', () => {
    fs.mkdirSync(join(folder, 'checked', 'inner'), { mode: 0o700 })
    fs.symlinkSync(join(folder, 'other'), join(folder, 'checked', 'link'))
    const handle = DirectoryHandle.open(join(folder, 'checked'), {})
    const inner = handle.open('inner', { isPrivate: true })
    expect(inner.path).toBe(join(folder, 'checked', 'inner'))
    expect(() => handle.open('link', {})).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/ELOOP|ENOTDIR/) }),
    )
    fs.chmodSync(join(folder, 'checked', 'inner'), 0o1777)
    expect(() => handle.open('inner', { isPrivate: true })).toThrow(UntrustedPathError)
    expect(() => handle.open('inner', {})).not.toThrow()
    inner.close()
    handle.close()
  })

  it('leaves no descriptor open when a directory is refused', () => {
    fs.chmodSync(join(folder, 'checked'), 0o777)
    const opened: number[] = []
    const files = {
      ...fs,
      openSync: ((...args: Parameters<typeof fs.openSync>) => {
        const fd = fs.openSync(...args)
        opened.push(fd)
        return fd
      }) as typeof fs.openSync,
    }
    expect(() => DirectoryHandle.open(join(folder, 'checked'), {}, files)).toThrow(UntrustedPathError)
    expect(() => fs.fstatSync(opened[0]!)).toThrow(expect.objectContaining({ code: 'EBADF' }))
  })
})
