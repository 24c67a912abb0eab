import * as fs from 'node:fs'
import { join } from 'node:path'
import { openFlags } from './open-flags.ts'
import { directoryDistrust, linkDistrust, UntrustedPathError, type DirectoryRules } from './path-trust.ts'

/** The file-system calls of a handle, so that tests can replace them. */
export type DirectoryCalls = Pick<
  typeof fs,
  'openSync' | 'closeSync' | 'fstatSync' | 'lstatSync' | 'statSync' | 'realpathSync'
>

/**
 * An open directory that was checked. Names in it are reached through its descriptor (Linux: `/proc/self/fd/<fd>/<name>`,
 * which is what openat does), so no rename or link above it leads them elsewhere after the check.
 *
 * On other systems, and with Node's permission model, which knows paths only, each access compares the path with the
 * directory that was checked. A directory that is exchanged between that comparison and the access is not detected; this is
 * possible only for users who can write to a directory above it.
 */
export class DirectoryHandle {
  /** As it was opened, for messages. */
  readonly path: string
  private readonly files: DirectoryCalls
  private readonly fd: number | undefined
  private readonly stats: fs.Stats
  /** What names are relative to. */
  private readonly root: string
  private readonly isRelative: boolean
  private isClosed = false

  private constructor(files: DirectoryCalls, path: string, fd: number | undefined, stats: fs.Stats) {
    this.files = files
    this.path = path
    this.fd = fd
    this.stats = stats
    const viaDescriptor = fd === undefined ? undefined : descriptorRoot(files, fd, stats)
    this.isRelative = viaDescriptor !== undefined
    this.root = viaDescriptor ?? files.realpathSync(path)
  }

  /**
   * Opens a directory by its path. A link there is followed if this user or root has made it.
   *
   * @param rules - what is checked; without rules nothing is.
   * @throws UntrustedPathError, or the system's error.
   */
  static open(path: string, rules?: DirectoryRules, files: DirectoryCalls = fs): DirectoryHandle {
    const reason = rules && linkDistrust(path, files.lstatSync(path))
    if (reason !== undefined) throw new UntrustedPathError(reason)
    return DirectoryHandle.checked(files, path, path, rules, 0)
  }

  /**
   * Opens a directory in this one; a link is not followed.
   *
   * @throws UntrustedPathError, or the system's error.
   */
  open(name: string, rules: DirectoryRules): DirectoryHandle {
    return DirectoryHandle.checked(this.files, this.at(name), join(this.path, name), rules, openFlags.O_NOFOLLOW)
  }

  private static checked(
    files: DirectoryCalls,
    at: string,
    path: string,
    rules: DirectoryRules | undefined,
    flags: number,
  ): DirectoryHandle {
    // Windows opens no directories.
    const fd =
      process.platform === 'win32'
        ? undefined
        : files.openSync(at, fs.constants.O_RDONLY | openFlags.O_DIRECTORY | flags)
    try {
      const stats = fd === undefined ? files.statSync(at) : files.fstatSync(fd)
      const reason = rules && directoryDistrust(path, stats, rules)
      if (reason !== undefined) throw new UntrustedPathError(reason)
      return new DirectoryHandle(files, path, fd, stats)
    } catch (error) {
      if (fd !== undefined) files.closeSync(fd)
      throw error
    }
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
    if (this.isClosed || !(this.isRelative || this.leadsHere(this.root))) {
      throw Object.assign(new Error('the directory is gone'), { code: 'ENOENT' })
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
    const stats = this.files.statSync(path, { throwIfNoEntry: false })
    return stats !== undefined && stats.dev === this.stats.dev && stats.ino === this.stats.ino
  }
}

/** Where names can be reached through a descriptor; undefined where the system has no such place, or Node forbids it. */
function descriptorRoot(files: DirectoryCalls, fd: number, { dev, ino }: fs.Stats): string | undefined {
  if (process.platform !== 'linux' || ('permission' in process && process.permission !== undefined)) return undefined
  const root = `/proc/self/fd/${fd}`
  try {
    const found = files.statSync(`${root}/.`)
    return found.dev === dev && found.ino === ino ? root : undefined
  } catch {
    return undefined // no procfs here
  }
}
