import * as fs from 'node:fs'
import { join } from 'node:path'
import { openFlags } from './open-flags.ts'
import { orDenied } from './or-denied.ts'
import { directoryDistrust, isExclusive, UntrustedPathError, type DirectoryRules } from './path-trust.ts'
import { orNothing } from './file-options.ts'
import { member } from '../../options/own-members.ts'
import { addMembers } from '../../options/define-member.ts'

/** The file-system calls of a handle, so that tests can replace them. */
export type DirectoryCalls = Pick<typeof fs, 'openSync' | 'closeSync' | 'fstatSync' | 'lstatSync' | 'statSync'>

/** What is known of an open directory. */
interface Opened {
  readonly fd: number | undefined
  /** Undefined where they were not read, or Node's permission model forbids it. */
  readonly stats: fs.Stats | undefined
}

const { O_DIRECTORY, O_NOFOLLOW, O_PATH } = openFlags

/**
 * An open directory. Names in it are reached through its descriptor (Linux: `/proc/self/fd/<fd>/<name>`, which is what openat
 * does), so no rename or link above it leads them elsewhere.
 *
 * On other systems, and with Node's permission model, which checks paths, each access compares the path with the directory
 * that was opened. A directory that is exchanged between that comparison and the access is not detected; this is possible only
 * for users who can write to a directory above it.
 */
export class DirectoryHandle {
  /** As it was opened, for messages. */
  readonly path: string
  private readonly files: DirectoryCalls
  private readonly fd: number | undefined
  /** What names are relative to. */
  private readonly root: string
  private readonly isRelative: boolean
  private known: fs.Stats | undefined
  private isClosed = false

  private constructor(files: DirectoryCalls, path: string, root: string | undefined, { fd, stats }: Opened) {
    this.files = files
    this.path = path
    this.fd = fd
    this.isRelative = root === undefined
    this.root = root ?? `/proc/self/fd/${fd}`
    this.known = stats
  }

  /**
   * Opens the directory that a path begins with: `/` or `.`.
   *
   * @throws the system's error.
   */
  static start(path: string, files: DirectoryCalls = fs): DirectoryHandle {
    const shown = path === '.' ? process.cwd() : path
    const fd = relativeTo(files, path)
    return new DirectoryHandle(files, shown, fd === undefined ? shown : undefined, { fd, stats: undefined })
  }

  /**
   * Opens a directory in this one to go through it: nothing is checked. A link is followed only with `follow`.
   *
   * @throws the system's error; for a link ENOTDIR, or ELOOP.
   */
  enter(name: string, follow = false): DirectoryHandle {
    const path = join(this.path, name)
    const at = this.at(name)
    if (this.isRelative) {
      const fd = this.files.openSync(at, O_PATH | O_DIRECTORY | (follow ? 0 : O_NOFOLLOW))
      return new DirectoryHandle(this.files, path, undefined, { fd, stats: undefined })
    }
    const { lstatSync, statSync } = this.files
    const stats = orDenied(() => (follow ? statSync(at) : lstatSync(at)))
    if (stats?.isDirectory() === false) throw failure('ENOTDIR', 'not a directory')
    return new DirectoryHandle(this.files, path, at, { fd: undefined, stats })
  }

  /**
   * Opens a directory in this one to work in it; a link is not followed.
   *
   * @param path - as messages and `isCurrent` name it
   * @throws UntrustedPathError, or the system's error.
   */
  open(name: string, rules: DirectoryRules, path: string = join(this.path, name)): DirectoryHandle {
    const { files } = this
    const at = this.at(name)
    // Windows opens no directories.
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

  /** The directory's own state; undefined where it cannot be read. */
  get stats(): fs.Stats | undefined {
    if (this.known === undefined && !this.isClosed) {
      this.known = orDenied(() =>
        this.fd === undefined ? this.files.statSync(this.root) : this.files.fstatSync(this.fd),
      )
    }
    return this.known
  }

  /** Whether only this process's user and root can create names in it. */
  get isExclusive(): boolean {
    return isExclusive(this.stats)
  }

  /** Whether the path still leads to this directory. */
  get isCurrent(): boolean {
    return !this.isClosed && this.leadsHere(this.path)
  }

  /**
   * Returns a path for a name in this directory, to be used at once. `.` is the directory itself.
   *
   * @throws ENOENT when the handle is closed, or the directory is no longer at its path.
   */
  at(name: string): string {
    // The system gives the number of a closed descriptor to the next file.
    if (this.isClosed || !(this.isRelative || this.known === undefined || this.leadsHere(this.root))) {
      throw failure('ENOENT', 'the directory is gone')
    }
    return this.isRelative ? `${this.root}/${name}` : join(this.root, name)
  }

  /** Releases the descriptor. */
  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    if (this.fd !== undefined) this.files.closeSync(this.fd)
  }

  private leadsHere(path: string): boolean {
    const { stats } = this
    const found = this.files.statSync(path, orNothing)
    return found !== undefined && found.dev === stats?.dev && found.ino === stats.ino
  }
}

/** Opens a directory whose names can be reached through its descriptor; undefined where the system or Node does not allow that. */
function relativeTo(files: DirectoryCalls, path: string): number | undefined {
  if (process.platform !== 'linux' || member(process, 'permission') !== undefined) return undefined
  let fd: number | undefined
  try {
    fd = files.openSync(path, O_PATH | O_DIRECTORY)
    const { dev, ino } = files.fstatSync(fd)
    const found = files.statSync(`/proc/self/fd/${fd}/.`)
    if (found.dev === dev && found.ino === ino) return fd
  } catch {
    // no procfs here
  }
  if (fd !== undefined) files.closeSync(fd)
  return undefined
}

function failure(code: string, message: string): Error {
  return addMembers(new Error(message), { code })
}
