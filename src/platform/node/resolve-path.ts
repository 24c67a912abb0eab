import * as fs from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { addMembers } from '../../options/define-member.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'
import { DirectoryHandle, type DirectoryCalls } from './directory-handle.ts'
import { ifExists } from './file-options.ts'
import { ifPermitted } from './if-permitted.ts'
import { reasonToDistrustLink, UntrustedPathError, type DirectoryRules } from './path-trust.ts'

/** The file-system calls of `resolvePath`, so that tests can replace them. */
export type PathCalls = DirectoryCalls & Pick<typeof fs, 'readlinkSync' | 'mkdirSync' | 'statfsSync'>

/** How to resolve a path. */
export interface ResolveOptions {
  /**
   * The mode of missing directories that are created, before the umask.
   *
   * @defaultValue no directories are created
   */
  readonly mkdirMode?: number | undefined
  readonly files?: PathCalls | undefined
}

/** The location that a path refers to: a name in an open directory. */
export interface ResolvedPath {
  /** An open directory, which the caller closes. */
  readonly directory: DirectoryHandle
  /** A name in the directory, which may be missing. */
  readonly name: string
  /** Whether the name is a link of procfs, such as `/proc/self/fd/1`, which only the system can follow. */
  readonly isSystemLink: boolean
}

/** The maximum number of links, as on Linux. */
const maxLinks = 40
/** The file system type of procfs (Linux, statfs(2)). */
const procfsType = 0x9fa0

/**
 * Resolves a path to the directory that contains its last name: one name at a time, each in the open directory before it. So a
 * link that replaces a directory meanwhile is not followed, and a missing directory is created in the one that was opened.
 * A symbolic link is resolved by reading its target, and only if the link is trusted (`reasonToDistrustLink`). So the resulting name is
 * not a link.
 *
 * Links of procfs are created by the system, are not checked, and are left to the system to follow. If the last name is such a
 * link, it is returned with `isSystemLink`.
 *
 * On Windows, links are not checked but followed by the system, and the resulting name may be one.
 *
 * @throws UntrustedPathError, or the system's error.
 */
export function resolvePath(path: string, options: ResolveOptions = {}): ResolvedPath {
  // Windows has no owners to check.
  return member(process, 'geteuid') === undefined
    ? resolveUnchecked(path, options)
    : new PathResolution(path, options).run()
}

/**
 * Opens a directory by its path, for work in it.
 *
 * @throws UntrustedPathError, or the system's error.
 */
export function openDirectory(path: string, rules: DirectoryRules, options: ResolveOptions = {}): DirectoryHandle {
  const { mkdirMode, files = fs } = withoutPrototype(options)
  const { directory, name } = resolvePath(path, options)
  try {
    if (mkdirMode !== undefined) makeDirectory(files, directory.pathOf(name), mkdirMode)
    return directory.open(name, rules, path)
  } finally {
    directory.close()
  }
}

/** One resolution of a path. */
class PathResolution {
  private readonly files: PathCalls
  private readonly mkdirMode: number | undefined
  /** The names of the path that are still to be resolved. */
  private readonly names: string[]
  /** The directory in which the next name is resolved. */
  private directory: DirectoryHandle
  private followedLinks = 0

  constructor(path: string, options: ResolveOptions) {
    const { files = fs, mkdirMode } = withoutPrototype(options)
    this.files = files
    this.mkdirMode = mkdirMode
    this.names = namesOf(path)
    this.directory = DirectoryHandle.start(isAbsolute(path) ? '/' : '.', files)
  }

  run(): ResolvedPath {
    try {
      for (;;) {
        const name = this.names.shift() ?? '.'
        const isLast = this.names.length === 0
        if (!isLast && this.enter(name)) continue
        // `enter` has returned false only for a link.
        const isLink = !isLast || this.isLink(name)
        if (isLink && !this.isInProcfs) this.follow(name)
        else if (isLast) return { directory: this.directory, name, isSystemLink: isLink }
        else this.moveTo(this.directory.enter(name, { followsLink: true }))
      }
    } catch (error) {
      this.directory.close()
      throw error
    }
  }

  /** Enters a directory, and creates it if it is missing and `mkdirMode` is set. Returns false for a link. */
  private enter(name: string): boolean {
    try {
      this.moveTo(this.enterOrCreate(name))
      return true
    } catch (error) {
      if (this.isLink(name)) return false
      throw error
    }
  }

  private enterOrCreate(name: string): DirectoryHandle {
    const { directory, files, mkdirMode } = this
    try {
      return directory.enter(name)
    } catch (error) {
      if (mkdirMode === undefined) throw error
      makeDirectory(files, directory.pathOf(name), mkdirMode)
      return directory.enter(name)
    }
  }

  /** Continues with the target of a link, if the link is trusted. */
  private follow(name: string): void {
    if (++this.followedLinks > maxLinks) throw failure('ELOOP', 'too many symbolic links')
    const { directory, files } = this
    const linkStats = files.lstatSync(directory.pathOf(name))
    const reason = reasonToDistrustLink(join(directory.path, name), linkStats, directory)
    if (reason !== undefined) throw new UntrustedPathError(reason)
    const target = files.readlinkSync(directory.pathOf(name))
    if (files.lstatSync(directory.pathOf(name)).ino !== linkStats.ino) throw failure('ELOOP', 'the link was replaced')
    if (isAbsolute(target)) this.moveTo(DirectoryHandle.start('/', files))
    this.names.unshift(...namesOf(target))
  }

  private moveTo(next: DirectoryHandle): void {
    this.directory.close()
    this.directory = next
  }

  private isLink(name: string): boolean {
    const { directory, files } = this
    return ifPermitted(() => files.lstatSync(directory.pathOf(name), ifExists))?.isSymbolicLink() === true
  }

  /** Whether the current directory is in procfs. */
  private get isInProcfs(): boolean {
    const { directory, files } = this
    return (
      process.platform === 'linux' && ifPermitted(() => files.statfsSync(directory.pathOf('.')))?.type === procfsType
    )
  }
}

/** Splits a path into names. A trailing slash adds `.`, because the name before it must be a directory. */
function namesOf(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '')
  return path.endsWith('/') ? [...names, '.'] : names
}

/** Creates a directory, unless its name exists already, whatever it refers to. */
function makeDirectory(files: PathCalls, path: string, mode: number): void {
  try {
    files.mkdirSync(path, mode)
  } catch (error) {
    // Some systems report EISDIR for the root directory.
    if (!['EEXIST', 'EISDIR'].includes(codeOf(error))) throw error
  }
}

function resolveUnchecked(path: string, options: ResolveOptions): ResolvedPath {
  const { mkdirMode, files = fs } = withoutPrototype(options)
  if (mkdirMode !== undefined) files.mkdirSync(dirname(path), withoutPrototype({ recursive: true, mode: mkdirMode }))
  return { directory: DirectoryHandle.start(dirname(path), files), name: basename(path), isSystemLink: false }
}

function codeOf(error: unknown): string {
  return String(member(error as NodeJS.ErrnoException, 'code'))
}

function failure(code: string, message: string): Error {
  return addMembers(new Error(message), { code })
}
