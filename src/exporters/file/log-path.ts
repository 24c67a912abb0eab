import * as fs from 'node:fs'
import { join } from 'node:path'
import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { openFlags } from '../../platform/node/open-flags.ts'
import { reasonToDistrustHardLinks, UntrustedPathError } from '../../platform/node/path-trust.ts'
import { resolvePath } from '../../platform/node/resolve-path.ts'

/** The mode of missing directories that are created for a log, before the umask. */
const directoryMode = 0o777

/** The location of a log file: a name in an open directory. All links on the path to it were checked. */
export class LogLocation {
  readonly directory: DirectoryHandle
  readonly name: string
  /** Whether the name is a link that only the system can follow, such as /proc/self/fd/1. It refers to a file that is open already. */
  readonly isSystemLink: boolean

  /**
   * @param mkdir - Whether missing directories are created.
   * @throws UntrustedPathError, or the system's error.
   */
  constructor(path: string, mkdir = false) {
    const { directory, name, isSystemLink } = resolvePath(path, { mkdirMode: mkdir ? directoryMode : undefined })
    this.directory = directory
    this.name = name
    this.isSystemLink = isSystemLink
  }

  /**
   * Opens the file without following a link, except a system link. A file with a second hard link is opened only if no other user
   * can have created that link. With O_TRUNC, the file is truncated after this check.
   *
   * @throws UntrustedPathError, or the system's error.
   */
  open(flags: number, mode?: number | string): number {
    const { O_TRUNC } = fs.constants
    const noFollow = this.isSystemLink ? 0 : openFlags.O_NOFOLLOW
    const fd = fs.openSync(this.directory.pathOf(this.name), (flags & ~O_TRUNC) | noFollow, mode)
    try {
      const stats = this.throwIfUntrusted(fs.fstatSync(fd))
      if ((flags & O_TRUNC) !== 0 && stats.isFile()) fs.ftruncateSync(fd)
      return fd
    } catch (error) {
      fs.closeSync(fd)
      throw error
    }
  }

  /**
   * Returns the state of the file. Rejects the same files as `open`.
   *
   * @throws UntrustedPathError, or the system's error.
   */
  stats(): fs.Stats {
    const path = this.directory.pathOf(this.name)
    return this.throwIfUntrusted(this.isSystemLink ? fs.statSync(path) : fs.lstatSync(path))
  }

  /** Returns `stats`, unless another user may have created the file's name as a link to another file. */
  private throwIfUntrusted(stats: fs.Stats): fs.Stats {
    const { directory, name } = this
    const reason = reasonToDistrustHardLinks(join(directory.path, name), stats, directory)
    if (reason !== undefined) throw new UntrustedPathError(reason)
    return stats
  }

  close(): void {
    this.directory.close()
  }
}

/**
 * Resolves the path of a log that the user has configured, and calls `use` with the location. The path may contain links, such
 * as /dev/stdout or /var/log/app.log. With `mkdir`, missing directories are created.
 *
 * @throws UntrustedPathError, or the system's error.
 */
export function withLogLocation<T>(
  path: string,
  { mkdir }: { readonly mkdir: boolean | undefined },
  use: (location: LogLocation) => T,
): T {
  const location = new LogLocation(path, mkdir)
  try {
    return use(location)
  } finally {
    location.close()
  }
}
