import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { UntrustedPathError, type DirectoryRules } from '../../platform/node/path-trust.ts'
import { openDirectory } from '../../platform/node/resolve-path.ts'
import { directoryMode, type SpoolFiles } from './files.ts'

/** The directory that all owners share, and the directories in it that belong to this user. */
export class BaseDirectory {
  private readonly files: SpoolFiles
  private readonly path: string
  private readonly rules: DirectoryRules
  private readonly distrusted: (reason: string) => void
  private handle: DirectoryHandle | undefined

  /** @param distrusted - called when a directory in it is not used because another user can write to it. */
  constructor(files: SpoolFiles, path: string, allowGroupWrite: boolean, distrusted: (reason: string) => void) {
    this.files = files
    this.path = path
    this.rules = { allowGroupWrite }
    this.distrusted = distrusted
  }

  /** The open directory; made where it is missing, and made again where it was removed. Throws what the system says. */
  open(): DirectoryHandle {
    if (this.handle?.isCurrent === true) return this.handle
    this.close()
    const { files, path, rules } = this
    this.handle = openDirectory(path, rules, { files, mkdirMode: directoryMode })
    return this.handle
  }

  /** A directory in it that only this user can write to. Throws `UntrustedPathError`, or what the system says. */
  openChild(name: string): DirectoryHandle {
    return this.open().open(name, { ...this.rules, isPrivate: true })
  }

  /** Calls `use` with such a directory; undefined where it is missing, or not to be used. */
  withChild<T>(name: string, use: (directory: DirectoryHandle) => T): T | undefined {
    let directory: DirectoryHandle | undefined
    try {
      directory = this.openChild(name)
      return use(directory)
    } catch (error) {
      if (error instanceof UntrustedPathError) this.distrusted(error.message)
      return undefined // or it was removed or renamed meanwhile
    } finally {
      directory?.close()
    }
  }

  close(): void {
    this.handle?.close()
  }
}
