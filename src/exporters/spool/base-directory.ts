import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { UntrustedPathError, type DirectoryRules } from '../../platform/node/path-trust.ts'
import { openDirectory } from '../../platform/node/resolve-path.ts'
import { directoryMode, type SpoolFileSystem } from './files.ts'

/** The directory that all owners share, and access to the directories in it that belong to this user. */
export class BaseDirectory {
  private readonly files: SpoolFileSystem
  private readonly path: string
  private readonly rules: DirectoryRules
  private readonly onDistrusted: (reason: string) => void
  private handle: DirectoryHandle | undefined

  /** @param onDistrusted - Called when `withChild` does not use a directory because it, or one above it, is not trusted. */
  constructor(files: SpoolFileSystem, path: string, allowGroupWrite: boolean, onDistrusted: (reason: string) => void) {
    this.files = files
    this.path = path
    this.rules = { allowGroupWrite }
    this.onDistrusted = onDistrusted
  }

  /** Returns the open directory. Creates it if it is missing or was removed. Throws the system's error. */
  open(): DirectoryHandle {
    if (this.handle?.isStillAtPath === true) return this.handle
    this.close()
    const { files, path, rules } = this
    this.handle = openDirectory(path, rules, { files, mkdirMode: directoryMode })
    return this.handle
  }

  /**
   * Opens a directory in it. Throws `UntrustedPathError` if another user can write to it (the group may with `allowGroupWrite`), or
   * the system's error.
   */
  openChild(name: string): DirectoryHandle {
    return this.open().open(name, { ...this.rules, isPrivate: true })
  }

  /** Calls `use` with the result of `openChild`. Returns undefined if the directory is missing or not trusted, or if `use` throws. */
  withChild<T>(name: string, use: (directory: DirectoryHandle) => T): T | undefined {
    let directory: DirectoryHandle | undefined
    try {
      directory = this.openChild(name)
      return use(directory)
    } catch (error) {
      if (error instanceof UntrustedPathError) this.onDistrusted(error.message)
      return undefined // often it was removed or renamed meanwhile
    } finally {
      directory?.close()
    }
  }

  close(): void {
    this.handle?.close()
  }
}
