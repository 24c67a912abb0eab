import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { UntrustedPathError, type DirectoryRules } from '../../platform/node/path-trust.ts'
import { openDirectory } from '../../platform/node/resolve-path.ts'
import { directoryMode, type SpoolFiles } from './files.ts'

/** The directory shared by all owners, and the directories in it that belong to this user. */
export class BaseDirectory {
  private readonly files: SpoolFiles
  private readonly path: string
  private readonly rules: DirectoryRules
  private readonly onDistrusted: (reason: string) => void
  private handle: DirectoryHandle | undefined

  /** @param onDistrusted - Called when a directory in it is not used because another user can write to it. */
  constructor(files: SpoolFiles, path: string, allowGroupWrite: boolean, onDistrusted: (reason: string) => void) {
    this.files = files
    this.path = path
    this.rules = { allowGroupWrite }
    this.onDistrusted = onDistrusted
  }

  /** Returns the open directory. Creates it if it is missing or was removed. Throws the system's error. */
  open(): DirectoryHandle {
    if (this.handle?.isCurrent === true) return this.handle
    this.close()
    const { files, path, rules } = this
    this.handle = openDirectory(path, rules, { files, mkdirMode: directoryMode })
    return this.handle
  }

  /** Opens a directory in it that only this user can write to. Throws `UntrustedPathError`, or the system's error. */
  openChild(name: string): DirectoryHandle {
    return this.open().open(name, { ...this.rules, isPrivate: true })
  }

  /** Calls `use` with such a directory. Returns undefined if it is missing or not trusted. */
  withChild<T>(name: string, use: (directory: DirectoryHandle) => T): T | undefined {
    let directory: DirectoryHandle | undefined
    try {
      directory = this.openChild(name)
      return use(directory)
    } catch (error) {
      if (error instanceof UntrustedPathError) this.onDistrusted(error.message)
      return undefined // it is not trusted, or was removed or renamed meanwhile
    } finally {
      directory?.close()
    }
  }

  close(): void {
    this.handle?.close()
  }
}
