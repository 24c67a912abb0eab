import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { UntrustedPathError } from '../../../src/platform/node/path-trust.ts'
import { openDirectory, resolvePath, type PathCalls } from '../../../src/platform/node/resolve-path.ts'
import { needs } from '../../support/needs.ts'
import { withoutProcfs } from '../../support/files/procfs.ts'

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'sluice-directory-'))
  fs.mkdirSync(join(folder, 'checked'))
  fs.mkdirSync(join(folder, 'other'))
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

/** The file system, where `statSync` returns another number for some paths. */
function withStats(isChanged: (path: string) => boolean, field: 'dev' | 'ino'): PathCalls {
  return {
    ...fs,
    statSync: ((path: fs.PathLike, options?: fs.StatSyncOptions) => {
      const stats = fs.statSync(path, options) as fs.Stats | undefined
      if (stats !== undefined && isChanged(String(path))) stats[field]++
      return stats
    }) as typeof fs.statSync,
  }
}

const exchange = (): void => {
  fs.renameSync(join(folder, 'checked'), join(folder, 'moved'))
  fs.symlinkSync(join(folder, 'other'), join(folder, 'checked'))
}

const linux = needs('Linux', process.platform === 'linux')

describe('a directory handle', () => {
  linux('a directory handle resolves names in the opened directory, even when its path leads elsewhere', () => {
    const handle = openDirectory(join(folder, 'checked'), {})
    exchange()
    fs.writeFileSync(handle.pathOf('file'), 'text')
    fs.renameSync(handle.pathOf('file'), handle.pathOf('renamed'))
    expect(fs.readdirSync(handle.pathOf('.'))).toEqual(['renamed'])
    expect(fs.readdirSync(join(folder, 'moved'))).toEqual(['renamed'])
    expect(fs.readdirSync(join(folder, 'other'))).toEqual([])
    expect(handle.isStillAtPath).toBe(false)
    fs.unlinkSync(handle.pathOf('renamed'))
    handle.close()
  })

  it('a directory handle without /proc rejects names when another directory is at its path', () => {
    const handle = openDirectory(join(folder, 'checked'), {}, { files: withoutProcfs })
    expect(handle.pathOf('file')).toBe(join(fs.realpathSync(folder), 'checked', 'file'))
    exchange()
    expect(() => handle.pathOf('file')).toThrow(expect.objectContaining({ code: 'ENOENT' }))
    handle.close()
  })

  it.each([
    ['with', fs],
    ['without', withoutProcfs],
  ])('a closed directory handle resolves no names, %s /proc', (_, files) => {
    const handle = openDirectory(join(folder, 'checked'), {}, { files })
    expect(handle.isStillAtPath).toBe(true)
    handle.close()
    handle.close()
    expect(handle.isStillAtPath).toBe(false)
    expect(() => handle.pathOf('file')).toThrow(expect.objectContaining({ code: 'ENOENT' }))
  })

  linux.each(['dev', 'ino'] as const)(
    'a directory handle uses its path when /proc shows another %s for its descriptor',
    (field) => {
      const files = withStats((path) => path.startsWith('/proc/self/fd/'), field)
      const handle = openDirectory(join(folder, 'checked'), {}, { files })
      expect(handle.pathOf('file')).toBe(join(fs.realpathSync(folder), 'checked', 'file'))
      handle.close()
    },
  )

  it.each(['dev', 'ino'] as const)(
    'a directory handle is not current when the directory at its path has another %s',
    (field) => {
      let isOther = false
      const files = withStats((path) => isOther && path.endsWith('checked'), field)
      const handle = openDirectory(join(folder, 'checked'), {}, { files })
      expect(handle.isStillAtPath).toBe(true)
      isOther = true
      expect(handle.isStillAtPath).toBe(false)
      handle.close()
    },
  )

  it('a directory handle has the stats of its directory until it is closed', () => {
    for (const files of [fs, withoutProcfs]) {
      const { directory } = resolvePath('/', { files })
      expect(directory.stats?.ino).toBe(fs.statSync('/').ino)
      directory.close()
      const closed = resolvePath(join(folder, 'checked', 'file')).directory
      closed.close()
      expect(closed.stats).toBeUndefined()
    }
  })

  it('a directory handle opens a directory inside its own, and follows no link there', () => {
    fs.mkdirSync(join(folder, 'checked', 'inner'), { mode: 0o700 })
    fs.symlinkSync(join(folder, 'other'), join(folder, 'checked', 'link'))
    const handle = openDirectory(join(folder, 'checked'), {})
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

  it('openDirectory leaves no descriptor open when it rejects a directory', () => {
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
    expect(() => openDirectory(join(folder, 'checked'), {}, { files })).toThrow(UntrustedPathError)
    expect(() => fs.fstatSync(opened[0]!)).toThrow(expect.objectContaining({ code: 'EBADF' }))
  })
})
