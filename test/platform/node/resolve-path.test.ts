import type { StdioOptions } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { UntrustedPathError } from '../../../src/platform/node/path-trust.ts'
import {
  openDirectory,
  resolvePath,
  type PathCalls,
  type ResolveOptions,
} from '../../../src/platform/node/resolve-path.ts'
import { needs } from '../../support/needs.ts'
import { importOf, runChild } from '../../support/processes/child.ts'
import { actingAsOtherUser, asOtherUser, canBeOtherUser, otherUser, twoUsers } from '../../support/files/other-user.ts'
import { withoutProcfs } from '../../support/files/procfs.ts'

let folder: string
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'sluice-resolve-')))
  fs.chmodSync(folder, 0o755)
  fs.mkdirSync(join(folder, 'real', 'logs'), { recursive: true })
  fs.writeFileSync(join(folder, 'real', 'logs', 'app.log'), '')
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

/** Returns the resolved path, without links. */
function resolved(path: string, options?: ResolveOptions): string {
  const { directory, name, isSystemLink } = resolvePath(path, options)
  try {
    expect(isSystemLink).toBe(false)
    return join(fs.realpathSync(directory.pathOf('.')), name)
  } finally {
    directory.close()
  }
}

const codeOf = (action: () => unknown): unknown => {
  try {
    action()
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

const linux = needs('Linux', process.platform === 'linux')

const systems: readonly (readonly [string, PathCalls])[] = [
  ['with procfs', fs],
  ['without procfs', withoutProcfs],
]

describe.each(systems)('resolvePath %s', (_, files) => {
  const to = (path: string, options?: ResolveOptions): string => resolved(path, { files, ...options })

  it('resolvePath resolves a file, whether or not it exists', () => {
    for (const name of ['app.log', 'new.log']) {
      expect(to(join(folder, 'real', 'logs', name))).toBe(join(folder, 'real', 'logs', name))
    }
  })

  it('resolvePath follows absolute and relative links, and resolves .. from the target of a link', () => {
    fs.symlinkSync(join(folder, 'real'), join(folder, 'absolute'))
    fs.symlinkSync('absolute/../real/./logs/', join(folder, 'relative'))
    fs.symlinkSync('../../relative/app.log', join(folder, 'real', 'logs', 'link.log'))
    for (const path of ['absolute/logs/link.log', 'relative/link.log', 'relative/../logs/app.log']) {
      expect(to(`${folder}/${path}`)).toBe(join(folder, 'real', 'logs', 'app.log'))
    }
  })

  it('resolvePath resolves a relative path from the working directory', () => {
    const before = process.cwd()
    process.chdir(join(folder, 'real'))
    try {
      expect(to('logs/app.log')).toBe(join(folder, 'real', 'logs', 'app.log'))
      expect(to('../real/logs/./app.log')).toBe(join(folder, 'real', 'logs', 'app.log'))
      const { directory } = resolvePath('logs/app.log', { files })
      expect(directory.path).toBe(join(folder, 'real', 'logs'))
      directory.close()
    } finally {
      process.chdir(before)
    }
  })

  it('resolvePath resolves the root directory and its parent', () => {
    for (const path of ['/', '/..', '/../']) expect(to(path)).toMatch(/^\/(\.\.)?$/)
  })

  it('resolvePath requires a directory when the path ends in a slash', () => {
    expect(to(`${folder}/real/logs/`)).toBe(join(folder, 'real', 'logs'))
    expect(codeOf(() => to(`${folder}/real/logs/app.log/`))).toBe('ENOTDIR')
  })

  it.each([
    [40, undefined],
    [41, 'ELOOP'],
  ])('resolvePath follows a chain of %s links with the result %s', (count, code) => {
    for (let index = 1; index < count; index++) fs.symlinkSync(`${index + 1}`, join(folder, `${index}`))
    fs.symlinkSync('real/logs/app.log', join(folder, `${count}`))
    expect(codeOf(() => to(join(folder, '1')))).toBe(code)
  })

  it('resolvePath fails with the system error code for loops, missing directories and files in the path', () => {
    fs.symlinkSync('loop', join(folder, 'loop'))
    expect(codeOf(() => to(join(folder, 'loop', 'app.log')))).toBe('ELOOP')
    expect(codeOf(() => to(join(folder, 'missing', 'app.log')))).toBe('ENOENT')
    expect(codeOf(() => to(join(folder, 'real', 'logs', 'app.log', 'below')))).toBe('ENOTDIR')
  })

  it('resolvePath creates missing directories with the given mode, and does not change existing ones', () => {
    fs.chmodSync(join(folder, 'real'), 0o750)
    expect(to(join(folder, 'real', 'a', 'b', 'app.log'), { mkdirMode: 0o710 })).toBe(
      join(folder, 'real', 'a', 'b', 'app.log'),
    )
    const modes = ['', 'a', 'a/b'].map((name) => fs.statSync(join(folder, 'real', name)).mode & 0o777)
    expect(modes).toEqual([0o750, 0o710, 0o710])
    expect(fs.readdirSync(join(folder, 'real', 'a', 'b'))).toEqual([])
  })

  it('resolvePath creates a missing directory that is the target of a link of this user', () => {
    fs.symlinkSync('real/new', join(folder, 'link'))
    expect(to(join(folder, 'link', 'app.log'), { mkdirMode: 0o700 })).toBe(join(folder, 'real', 'new', 'app.log'))
  })

  it('resolvePath continues when another process creates a missing directory first', () => {
    const racing: PathCalls = {
      ...files,
      mkdirSync: ((path: fs.PathLike, options?: fs.MakeDirectoryOptions) => {
        fs.mkdirSync(path, options)
        return fs.mkdirSync(path, options)
      }) as typeof fs.mkdirSync,
    }
    expect(to(join(folder, 'new', 'app.log'), { files: racing, mkdirMode: 0o700 })).toBe(join(folder, 'new', 'app.log'))
  })

  it('resolvePath and openDirectory fail with the system error code if a directory cannot be created', () => {
    const readOnly: PathCalls = {
      ...files,
      mkdirSync: () => {
        throw Object.assign(new Error('read-only'), { code: 'EROFS' })
      },
    }
    const options = { files: readOnly, mkdirMode: 0o700 }
    expect(codeOf(() => to(join(folder, 'new', 'app.log'), options))).toBe('EROFS')
    expect(codeOf(() => openDirectory(join(folder, 'new'), {}, options))).toBe('EROFS')
  })

  // Fault rows: 9
  linux('resolvePath fails immediately in a file system that allows no new directories', () => {
    expect(codeOf(() => to('/proc/nowhere/below', { mkdirMode: 0o700 }))).toBe('ENOENT')
  })

  it('resolvePath and openDirectory leave no descriptor open', () => {
    const open = new Set<number>()
    const counting: PathCalls = {
      ...files,
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
    fs.symlinkSync('loop', join(folder, 'loop'))
    fs.symlinkSync(join(folder, 'real'), join(folder, 'absolute'))
    fs.chmodSync(join(folder, 'real'), 0o777)
    const options = { files: counting, mkdirMode: 0o700 }
    resolvePath(join(folder, 'absolute', 'logs', 'app.log'), options).directory.close()
    openDirectory(join(folder, 'absolute', 'new', 'spool'), {}, options).close()
    expect(codeOf(() => resolvePath(join(folder, 'loop'), options))).toBe('ELOOP')
    expect(codeOf(() => resolvePath(join(folder, 'real', 'logs', 'app.log', 'x'), options))).toBe('ENOTDIR')
    expect(() => openDirectory(join(folder, 'real'), {}, options)).toThrow(UntrustedPathError)
    expect(codeOf(() => openDirectory(join(folder, 'real', 'logs', 'app.log'), {}, options))).toBe('ENOTDIR')
    expect([...open]).toEqual([])
  })

  it('resolvePath does not follow a link that replaces a directory during the resolution', () => {
    fs.mkdirSync(join(folder, 'outside', 'logs'), { recursive: true })
    fs.writeFileSync(join(folder, 'outside', 'logs', 'app.log'), 'precious')
    const exchanging: PathCalls = {
      ...files,
      lstatSync: ((path: fs.PathLike, options?: fs.StatSyncOptions) => {
        const stats = fs.lstatSync(path, options)
        // The last name is checked after its parent directories are resolved.
        if (String(path).endsWith('app.log') && fs.existsSync(join(folder, 'real'))) {
          fs.renameSync(join(folder, 'real'), join(folder, 'moved'))
          fs.symlinkSync('outside', join(folder, 'real'))
        }
        return stats
      }) as typeof fs.lstatSync,
    }
    const { directory, name } = resolvePath(join(folder, 'real', 'logs', 'app.log'), { files: exchanging })
    const code = codeOf(() => fs.writeFileSync(directory.pathOf(name), 'line'))
    directory.close()
    expect(fs.readFileSync(join(folder, 'outside', 'logs', 'app.log'), 'utf8')).toBe('precious')
    const isRelative = files === fs && process.platform === 'linux'
    expect(code).toBe(isRelative ? undefined : 'ENOENT')
    expect(fs.readFileSync(join(folder, 'moved', 'logs', 'app.log'), 'utf8')).toBe(isRelative ? 'line' : '')
  })

  it('resolvePath fails when a link is replaced between its check and its reading', () => {
    fs.symlinkSync('real/logs/app.log', join(folder, 'link'))
    const exchanging: PathCalls = {
      ...files,
      readlinkSync: ((path: fs.PathLike) => {
        fs.renameSync(join(folder, 'link'), join(folder, 'old'))
        fs.symlinkSync('outside', join(folder, 'link'))
        return fs.readlinkSync(path)
      }) as typeof fs.readlinkSync,
    }
    expect(codeOf(() => resolvePath(join(folder, 'link'), { files: exchanging }))).toBe('ELOOP')
  })
})

describe('links of procfs', () => {
  linux.each(['/dev/fd/0', '/dev/stdin', '/proc/self/fd/0', '/proc/thread-self/fd/0'])(
    'the procfs link %s is resolved by the system',
    (path) => {
      const { directory, name, isSystemLink } = resolvePath(path)
      expect({ name, isSystemLink }).toEqual({ name: '0', isSystemLink: true })
      expect(fs.statSync(directory.pathOf(name)).ino).toBe(fs.fstatSync(0).ino)
      directory.close()
    },
  )

  linux('a procfs link in the middle of a path is followed', () => {
    const path = join(folder, 'real', 'logs', 'app.log')
    expect(resolved(`/proc/self/root${path}`)).toBe(path)
    expect(codeOf(() => resolved('/proc/self/exe/below'))).toBe('ENOTDIR')
  })
})

describe('a system without users (Windows)', () => {
  it('resolvePath does not resolve links on a system without users, and creates missing directories', () => {
    fs.symlinkSync('real', join(folder, 'link'))
    const { geteuid } = process
    Object.assign(process, { geteuid: undefined })
    try {
      const path = join(folder, 'link', 'logs', 'new', 'app.log')
      expect(codeOf(() => fs.writeFileSync(resolvePath(path).directory.pathOf('app.log'), ''))).toBe('ENOENT')
      const { directory, name, isSystemLink } = resolvePath(path, { mkdirMode: 0o710, files: withoutProcfs })
      expect({ path: directory.path, name, isSystemLink }).toEqual({
        path: dirname(path),
        name: 'app.log',
        isSystemLink: false,
      })
      expect(directory.pathOf(name)).toBe(path)
      expect(fs.statSync(join(folder, 'real', 'logs', 'new')).mode & 0o777).toBe(0o710)
      expect(directory.excludesOtherUsers).toBe(true)
      directory.close()
    } finally {
      Object.assign(process, { geteuid })
    }
  })
})

describe('openDirectory', () => {
  it.each(systems)('openDirectory opens a directory and keeps the given path, %s', (_, files) => {
    fs.symlinkSync('real', join(folder, 'link'))
    const directory = openDirectory(join(folder, 'link', 'logs'), {}, { files })
    expect(directory.path).toBe(join(folder, 'link', 'logs'))
    expect(fs.readdirSync(directory.pathOf('.'))).toEqual(['app.log'])
    expect(directory.isStillAtPath).toBe(true)
    directory.close()
  })

  it.each(systems)('openDirectory creates a directory only when a mode is given, %s', (_, files) => {
    expect(codeOf(() => openDirectory(join(folder, 'new', 'spool'), {}, { files }))).toBe('ENOENT')
    expect(codeOf(() => openDirectory(join(folder, 'spool'), {}, { files }))).toBe('ENOENT')
    openDirectory(join(folder, 'new', 'spool'), {}, { files, mkdirMode: 0o700 }).close()
    expect(fs.statSync(join(folder, 'new', 'spool')).mode & 0o777).toBe(0o700)
    // An existing directory keeps its mode.
    fs.chmodSync(join(folder, 'new', 'spool'), 0o755)
    openDirectory(join(folder, 'new', 'spool'), {}, { files, mkdirMode: 0o700 }).close()
    expect(fs.statSync(join(folder, 'new', 'spool')).mode & 0o777).toBe(0o755)
  })

  it('openDirectory opens the root directory', () => {
    const directory = openDirectory('/', {}, { mkdirMode: 0o700 })
    expect(fs.statSync(directory.pathOf('.')).ino).toBe(fs.statSync('/').ino)
    directory.close()
  })

  it('openDirectory checks the directory against the given rules', () => {
    fs.chmodSync(join(folder, 'real'), 0o770)
    expect(() => openDirectory(join(folder, 'real'), {})).toThrow(UntrustedPathError)
    openDirectory(join(folder, 'real'), { allowGroupWrite: true }).close()
  })
})

const twoUsersIt = needs(twoUsers, canBeOtherUser)

/** Directories in which another user can create names. */
const shared: readonly (readonly [string, () => string])[] = [
  ['to which all can write', () => directory(0o777)],
  ['that is sticky', () => directory(0o1777)],
  ['to which its group can write', () => directory(0o2775, { group: otherUser })],
  ['of another user', () => directory(0o755, { owner: otherUser })],
  ['of another user to which all can write', () => directory(0o777, { owner: otherUser })],
  ['of another user that is sticky', () => directory(0o1777, { owner: otherUser })],
]

function directory(mode: number, { owner = 0, group = 0 } = {}): string {
  const path = join(folder, `mode-${mode.toString(8)}`)
  fs.mkdirSync(path)
  fs.chownSync(path, owner, group)
  fs.chmodSync(path, mode)
  return path
}

describe.each(shared)('in a directory %s', (_, make) => {
  twoUsersIt('a link of another user is followed neither at the end of a path nor before it', () => {
    const path = make()
    asOtherUser(
      'ln -s "$2" "$1/app.log"; ln -s "$3" "$1/logs"',
      path,
      join(folder, 'new'),
      join(folder, 'real', 'logs'),
    )
    for (const [end, link] of [
      ['app.log', 'app.log'],
      ['logs/app.log', 'logs'],
      ['logs/new/app.log', 'logs'],
    ] as const) {
      for (const [, files] of systems) {
        expect(() => resolved(join(path, end), { mkdirMode: 0o777, files })).toThrow(
          `${join(path, link)} is a symbolic link of user ${otherUser}: remove it, or choose another path`,
        )
      }
    }
    expect(() => openDirectory(join(path, 'logs'), {}, { mkdirMode: 0o700 })).toThrow(UntrustedPathError)
    expect(fs.readdirSync(join(folder, 'real', 'logs'))).toEqual(['app.log'])
  })

  twoUsersIt('a link of this user is followed, unless it has a second hard link', () => {
    const path = make()
    fs.symlinkSync('../real/logs', join(path, 'logs'))
    expect(resolved(join(path, 'logs', 'app.log'))).toBe(join(folder, 'real', 'logs', 'app.log'))
    fs.linkSync(join(path, 'logs'), join(path, 'again'))
    expect(() => resolved(join(path, 'again', 'app.log'))).toThrow('again has 2 hard links')
  })

  twoUsersIt('a link of root is followed by a user that is not root', () => {
    const path = make()
    fs.symlinkSync('../real/logs', join(path, 'logs'))
    expect(actingAsOtherUser(() => resolved(join(path, 'logs', 'app.log')))).toBe(
      join(folder, 'real', 'logs', 'app.log'),
    )
  })
})

describe('with another user', () => {
  twoUsersIt('a link of another user that is the target of a link of this user is not followed', () => {
    const path = directory(0o777)
    asOtherUser('ln -s "$2" "$1/app.log"', path, join(folder, 'new'))
    fs.symlinkSync(join(path, 'app.log'), join(folder, 'first'))
    expect(() => resolved(join(folder, 'first'))).toThrow(`${path}/app.log is a symbolic link of user ${otherUser}`)
  })

  twoUsersIt('a link of another user is followed in a directory that only root can write to', () => {
    const path = directory(0o755)
    fs.symlinkSync('../real/logs', join(path, 'logs'))
    fs.lchownSync(join(path, 'logs'), otherUser, otherUser)
    expect(resolved(join(path, 'logs', 'app.log'))).toBe(join(folder, 'real', 'logs', 'app.log'))
  })

  twoUsersIt('a directory that this user may not list is traversed', () => {
    fs.mkdirSync(join(folder, 'closed', 'open'), { recursive: true })
    fs.chmodSync(join(folder, 'closed'), 0o711)
    expect(actingAsOtherUser(() => resolved(join(folder, 'closed', 'open', 'app.log')))).toBe(
      join(folder, 'closed', 'open', 'app.log'),
    )
    fs.chmodSync(join(folder, 'closed'), 0o700)
    expect(codeOf(() => actingAsOtherUser(() => resolved(join(folder, 'closed', 'open', 'app.log'))))).toBe('EACCES')
  })
})

/** A program that logs 1.2 MB to a file. */
const program = (path: string): string =>
  importOf('{ createLogger }', 'src/entries/index.ts') +
  importOf('{ fileExporter }', 'src/entries/exporters.ts') +
  `const exporter = fileExporter({ path: ${JSON.stringify(path)}, mkdir: true, rotate: { size: 1_000_000 } })
   const log = createLogger({ exporter })
   for (let count = 0; count < 12; count++) { log.info('x'.repeat(100_000)); log.flushSync() }`

const checkout = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
const run = (path: string, read: readonly string[], write: string, stdout: 'pipe' | number = 'pipe') => {
  const args = [...read.map((allowed) => `--allow-fs-read=${allowed}`), `--allow-fs-write=${write}`]
  const stdio: StdioOptions = ['ignore', stdout, 'pipe']
  return runChild({ args: ['--permission', ...args, '--input-type=module', '--eval', program(path)], stdio })
}

describe('with the permission model of Node', () => {
  it('a file is written and rotated when only its directory may be read and written', async () => {
    fs.symlinkSync('logs', join(folder, 'real', 'link'))
    const few = [`${checkout}/*`, `${folder}/real/*`]
    for (const [path, read] of [
      ['logs/new/other.log', few],
      ['link/app.log', few],
      ['all/app.log', ['*']],
    ] as const) {
      const file = join(folder, 'real', path)
      const { stderr, code } = await run(file, read, `${folder}/real/*`)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const names = fs.readdirSync(fs.realpathSync(dirname(file))).filter((name) => /^(app|other)\./.test(name))
      expect(names).toHaveLength(2)
    }
  }, 20_000)

  linux(
    'the path /dev/stdout resolves to the standard output',
    async () => {
      const out = join(folder, 'out')
      const fd = fs.openSync(out, 'a')
      const { code } = await run('/dev/stdout', ['*'], '*', fd)
      fs.closeSync(fd)
      expect(code).toBe(0)
      expect(fs.readFileSync(out, 'utf8').trimEnd().split('\n')).toHaveLength(12)
    },
    20_000,
  )

  needs(twoUsers, canBeOtherUser)(
    'a link of another user is not followed even if the permission model allows reading it',
    async () => {
      const link = join(folder, 'real', 'link.log')
      fs.symlinkSync('logs/app.log', link)
      fs.lchownSync(link, otherUser, otherUser)
      fs.chmodSync(join(folder, 'real'), 0o777)
      const { stderr } = await run(link, ['*'], '*')
      expect(stderr).toContain(`${link} is a symbolic link of user ${otherUser}`)
    },
    20_000,
  )
})
