import * as fs from 'node:fs'
import { join } from 'node:path'
import { openFlags } from './open-flags.ts'
import { ifPermitted } from './if-permitted.ts'
import { directoryDistrust, isExclusive, UntrustedPathError, type DirectoryRules } from './path-trust.ts'
import { ifExists } from './file-options.ts'
import { member } from '../../options/own-members.ts'
import { addMembers } from '../../options/define-member.ts'

/** The file-system calls of a handle, so that tests can replace them. */
export type DirectoryCalls = Pick<typeof fs, 'openSync' | 'closeSync' | 'fstatSync' | 'lstatSync' | 'statSync'>

/** The state of an open directory. */
interface Opened {
  readonly fd: number | undefined
  /** Undefined if they were not read, or Node's permission model forbids reading them. */
  readonly stats: fs.Stats | undefined
}

const { O_DIRECTORY, O_NOFOLLOW, O_PATH } = openFlags

/**
 * An open directory. Names in it are accessed through its descriptor (Linux: `/proc/self/fd/<fd>/<name>`, equivalent to
 * openat), so renames and links above it do not redirect them.
 *
 * On other systems, and with Node's permission model, which checks paths, each access compares the path with the directory that
 * was opened. A directory that is replaced between that comparison and the access is not detected; this is possible only for
 * users who can write to a directory above it.
 */
export class DirectoryHandle {
  /** The path at which it was opened, for messages. */
  readonly path: string
  private readonly files: DirectoryCalls
  private readonly fd: number | undefined
  /** The path that names are relative to. */
  private readonly root: string
  private readonly isRelative: boolean
  private cachedStats: fs.Stats | undefined
  private isClosed = false

  private constructor(files: DirectoryCalls, path: string, root: string | undefined, { fd, stats }: Opened) {
    this.files = files
    this.path = path
    this.fd = fd
    this.isRelative = root === undefined
    this.root = root ?? `/proc/self/fd/${fd}`
    this.cachedStats = stats
  }

  /**
   * Opens the directory at the start of a path: `/` or `.`.
   *
   * @throws The system's error.
   */
  static start(path: string, files: DirectoryCalls = fs): DirectoryHandle {
    const displayPath = path === '.' ? process.cwd() : path
    const fd = relativeTo(files, path)
    return new DirectoryHandle(files, displayPath, fd === undefined ? displayPath : undefined, { fd, stats: undefined })
  }

  /**
   * Opens a directory in this one to pass through it, without any check. A link is followed only with `follow`.
   *
   * @throws The system's error; for a link ENOTDIR, or ELOOP.
   */
  enter(name: string, follow = false): DirectoryHandle {
    const path = join(this.path, name)
    const at = this.at(name)
    if (this.isRelative) {
      const fd = this.files.openSync(at, O_PATH | O_DIRECTORY | (follow ? 0 : O_NOFOLLOW))
      return new DirectoryHandle(this.files, path, undefined, { fd, stats: undefined })
    }
    const { lstatSync, statSync } = this.files
    const stats = ifPermitted(() => (follow ? statSync(at) : lstatSync(at)))
    if (stats?.isDirectory() === false) throw failure('ENOTDIR', 'not a directory')
    return new DirectoryHandle(this.files, path, at, { fd: undefined, stats })
  }

  /**
   * Opens a directory in this one to work in it. A link is not followed.
   *
   * @param path - The path for messages and `isCurrent`.
   * @throws UntrustedPathError, or the system's error.
   */
  open(name: string, rules: DirectoryRules, path: string = join(this.path, name)): DirectoryHandle {
    const { files } = this
    const at = this.at(name)
    // Windows cannot open directories.
    const fd =
      process.platform === 'win32' ? undefined : files.openSync(at, fs.constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    try {
      const stats = fd === undefined ? files.statSync(at) : files.fstatSync(fd)
      const reason = directoryDistrust(path, stats, rules)
      if (reason !== undefined) throw new UntrustedPathError(reason)
      return new DirectoryHandle(files, path, this.isRelative ? undefined : at, { fd, stats })
    } catch (error) {
      if (fd !== undefined) files.closeSync(fd)
      throw error
    }
  }

  /** The directory's own state; undefined if it cannot be read. */
  get stats(): fs.Stats | undefined {
    if (this.cachedStats === undefined && !this.isClosed) {
      this.cachedStats = ifPermitted(() =>
        this.fd === undefined ? this.files.statSync(this.root) : this.files.fstatSync(this.fd),
      )
    }
    return this.cachedStats
  }

  /** Whether only this process's user and root can create names in it. */
  get isExclusive(): boolean {
    return isExclusive(this.stats)
  }

  /** Whether the path still refers to this directory. */
  get isCurrent(): boolean {
    return !this.isClosed && this.refersHere(this.path)
  }

  /**
   * Returns a path for a name in this directory, to be used immediately. `.` is the directory itself.
   *
   * @throws ENOENT if the handle is closed, or the directory is no longer at its path.
   */
  at(name: string): string {
    // The system reuses the number of a closed descriptor for the next file.
    if (this.isClosed || !(this.isRelative || this.cachedStats === undefined || this.refersHere(this.root))) {
      throw failure('ENOENT', 'the directory is missing')
    }
    return this.isRelative ? `${this.root}/${name}` : join(this.root, name)
  }

  /** Closes the descriptor. */
  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    if (this.fd !== undefined) this.files.closeSync(this.fd)
  }

  private refersHere(path: string): boolean {
    const { stats } = this
    const found = this.files.statSync(path, ifExists)
    return found !== undefined && found.dev === stats?.dev && found.ino === stats.ino
  }
}

/**
 * Opens a directory whose names can be accessed through its descriptor. Returns undefined if the system or Node does not
 * support that.
 */
function relativeTo(files: DirectoryCalls, path: string): number | undefined {
  if (process.platform !== 'linux' || member(process, 'permission') !== undefined) return undefined
  let fd: number | undefined
  try {
    fd = files.openSync(path, O_PATH | O_DIRECTORY)
    const { dev, ino } = files.fstatSync(fd)
    const found = files.statSync(`/proc/self/fd/${fd}/.`)
    if (found.dev === dev && found.ino === ino) return fd
  } catch {
    // There is no procfs.
  }
  if (fd !== undefined) files.closeSync(fd)
  return undefined
}

function failure(code: string, message: string): Error {
  return addMembers(new Error(message), { code })
}
