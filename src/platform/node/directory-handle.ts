import * as fs from 'node:fs'
import { join } from 'node:path'
import { openFlags } from './open-flags.ts'
import { ifPermitted } from './if-permitted.ts'
import { reasonToDistrustDirectory, excludesOtherUsers, UntrustedPathError, type DirectoryRules } from './path-trust.ts'
import { ifExists } from './file-options.ts'
import { member } from '../../options/own-members.ts'
import { addMembers } from '../../options/define-member.ts'

/** The file-system calls of a handle, so that tests can replace them. */
export type DirectoryCalls = Pick<typeof fs, 'openSync' | 'closeSync' | 'fstatSync' | 'lstatSync' | 'statSync'>

/** The descriptor and state of an open directory. */
interface OpenDirectory {
  /** Undefined if the directory was not opened: on Windows, and where only its path is needed. */
  readonly fd: number | undefined
  /** Undefined if the state was not read, or Node's permission model forbids reading it. */
  readonly stats: fs.Stats | undefined
}

const { O_DIRECTORY, O_NOFOLLOW, O_PATH } = openFlags

/**
 * An open directory. Names in it are accessed through its descriptor (Linux: `/proc/self/fd/<fd>/<name>`, equivalent to
 * openat), so renames and links above it do not redirect them.
 *
 * On other systems, and with Node's permission model, which checks paths, each access to a directory whose state was read
 * checks that the path still refers to it. A directory that is replaced between that check and the access is not detected; this
 * is possible only for users who can write to a directory above it.
 */
export class DirectoryHandle {
  /** The path at which it was opened, for messages and `isStillAtPath`. */
  readonly path: string
  private readonly files: DirectoryCalls
  private readonly fd: number | undefined
  /** The path that names are relative to. */
  private readonly root: string
  /** Whether names are accessed through the descriptor. */
  private readonly usesDescriptor: boolean
  private cachedStats: fs.Stats | undefined
  private isClosed = false

  private constructor(files: DirectoryCalls, path: string, root: string | undefined, { fd, stats }: OpenDirectory) {
    this.files = files
    this.path = path
    this.fd = fd
    this.usesDescriptor = root === undefined
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
    const fd = openForDescriptorAccess(files, path)
    return new DirectoryHandle(files, displayPath, fd === undefined ? displayPath : undefined, { fd, stats: undefined })
  }

  /**
   * Opens a directory in this one to pass through it. Its owner and mode are not checked. A link is followed only with `followsLink`.
   *
   * @throws The system's error; for a link ENOTDIR, or ELOOP.
   */
  enter(name: string, { followsLink }: { readonly followsLink: boolean } = { followsLink: false }): DirectoryHandle {
    const path = join(this.path, name)
    const accessPath = this.pathOf(name)
    if (this.usesDescriptor) {
      const fd = this.files.openSync(accessPath, O_PATH | O_DIRECTORY | (followsLink ? 0 : O_NOFOLLOW))
      return new DirectoryHandle(this.files, path, undefined, { fd, stats: undefined })
    }
    const { lstatSync, statSync } = this.files
    const stats = ifPermitted(() => (followsLink ? statSync(accessPath) : lstatSync(accessPath)))
    if (stats?.isDirectory() === false) throw failure('ENOTDIR', 'not a directory')
    return new DirectoryHandle(this.files, path, accessPath, { fd: undefined, stats })
  }

  /**
   * Opens a directory in this one to work in it, if the rules accept it. A link is not followed, except on Windows.
   *
   * @param path - The path for messages and `isStillAtPath`.
   * @throws UntrustedPathError, or the system's error.
   */
  open(name: string, rules: DirectoryRules, path: string = join(this.path, name)): DirectoryHandle {
    const { files } = this
    const accessPath = this.pathOf(name)
    // Windows cannot open directories.
    const fd =
      process.platform === 'win32'
        ? undefined
        : files.openSync(accessPath, fs.constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    try {
      const stats = fd === undefined ? files.statSync(accessPath) : files.fstatSync(fd)
      const reason = reasonToDistrustDirectory(path, stats, rules)
      if (reason !== undefined) throw new UntrustedPathError(reason)
      return new DirectoryHandle(files, path, this.usesDescriptor ? undefined : accessPath, { fd, stats })
    } catch (error) {
      if (fd !== undefined) files.closeSync(fd)
      throw error
    }
  }

  /** The directory's own state; undefined if Node's permission model forbids reading it, or the handle was closed before it was read. */
  get stats(): fs.Stats | undefined {
    if (this.cachedStats === undefined && !this.isClosed) {
      this.cachedStats = ifPermitted(() =>
        this.fd === undefined ? this.files.statSync(this.root) : this.files.fstatSync(this.fd),
      )
    }
    return this.cachedStats
  }

  /** Whether only this process's user and root can create names in it. */
  get excludesOtherUsers(): boolean {
    return excludesOtherUsers(this.stats)
  }

  /** Whether the path still refers to this directory. */
  get isStillAtPath(): boolean {
    return !this.isClosed && this.isAt(this.path)
  }

  /**
   * Returns a path for a name in this directory, to be used immediately. `.` is the directory itself.
   *
   * @throws ENOENT if the handle is closed, or a directory whose state was read is no longer at its path.
   */
  pathOf(name: string): string {
    // The system reuses the number of a closed descriptor for the next file.
    if (this.isClosed || !(this.usesDescriptor || this.cachedStats === undefined || this.isAt(this.root))) {
      throw failure('ENOENT', 'the directory is missing')
    }
    return this.usesDescriptor ? `${this.root}/${name}` : join(this.root, name)
  }

  /** Closes the handle, and its descriptor if there is one. */
  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    if (this.fd !== undefined) this.files.closeSync(this.fd)
  }

  /** Returns whether a path refers to this directory. */
  private isAt(path: string): boolean {
    const { stats } = this
    const statsAtPath = this.files.statSync(path, ifExists)
    return statsAtPath !== undefined && statsAtPath.dev === stats?.dev && statsAtPath.ino === stats.ino
  }
}

/**
 * Opens a directory whose names can be accessed through its descriptor. Returns undefined if the system or Node does not
 * support that, or the directory cannot be opened.
 */
function openForDescriptorAccess(files: DirectoryCalls, path: string): number | undefined {
  if (process.platform !== 'linux' || member(process, 'permission') !== undefined) return undefined
  let fd: number | undefined
  try {
    fd = files.openSync(path, O_PATH | O_DIRECTORY)
    const { dev, ino } = files.fstatSync(fd)
    const statsInProcfs = files.statSync(`/proc/self/fd/${fd}/.`)
    if (statsInProcfs.dev === dev && statsInProcfs.ino === ino) return fd
  } catch {
    // The directory cannot be opened, or there is no procfs.
  }
  if (fd !== undefined) files.closeSync(fd)
  return undefined
}

function failure(code: string, message: string): Error {
  return addMembers(new Error(message), { code })
}
