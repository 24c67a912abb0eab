import type { Stats } from 'node:fs'
import { lstat, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { LogLocation } from '../file/log-path.ts'
import { isOwnRegularFile, RotatedNames, type RotatedName } from './rotated-names.ts'

/** A rotated file with its size in bytes. */
export interface RotatedFile extends RotatedName {
  readonly size: number
}

/**
 * The open directory that contains a log and its rotated files. All names are resolved in it, even if the log's path refers to another
 * directory later.
 */
export class RotatedFileDirectory {
  /** All names in the directory when it was opened. */
  readonly names: readonly string[]
  private readonly location: LogLocation
  private readonly logOwner: number

  private constructor(location: LogLocation, names: readonly string[], logOwner: number) {
    this.location = location
    this.names = names
    this.logOwner = logOwner
  }

  /**
   * Opens the directory of a log.
   *
   * @throws UntrustedPathError, or the system's error.
   */
  static async open(path: string): Promise<RotatedFileDirectory> {
    const location = new LogLocation(path)
    try {
      const names = await readdir(location.directory.pathOf('.'))
      const { uid } = await lstat(location.directory.pathOf(location.name))
      return new RotatedFileDirectory(location, names, uid)
    } catch (error) {
      location.close()
      throw error
    }
  }

  /** Returns the files with names of rotated files for which `isOwnRegularFile` is true, ordered by time. Never rejects. */
  async list(): Promise<readonly RotatedFile[]> {
    const candidates = new RotatedNames(this.location.name).parseAll(this.names)
    const allStats = await Promise.all(candidates.map(({ name }) => this.stats(name).catch(() => undefined)))
    return candidates.flatMap((each, index) => {
      const stats = allStats[index]
      return stats === undefined ? [] : [{ ...each, size: stats.size }]
    })
  }

  /**
   * Returns whether a file belongs to this user or the log's owner, and is not something else with the name of a rotated file, such
   * as a link. Only such files are read, deleted or replaced.
   */
  isOwnRegularFile(stats: Stats): boolean {
    const { excludesOtherUsers } = this.location.directory
    return isOwnRegularFile(stats, { logOwner: this.logOwner, excludesOtherUsers })
  }

  /** Returns the state of a file, or undefined if `isOwnRegularFile` is false for it. Rejects with the system's error. */
  async stats(name: string): Promise<Stats | undefined> {
    const stats = await lstat(this.pathOf(name))
    return this.isOwnRegularFile(stats) ? stats : undefined
  }

  /** Deletes a file. Rejects with the system's error. */
  async delete(name: string): Promise<void> {
    await unlink(this.pathOf(name))
  }

  /** Returns a path for a name. Use it immediately; it is valid only while the directory is open. */
  pathOf(name: string): string {
    return this.location.directory.pathOf(name)
  }

  /** Returns a path for messages. */
  displayPath(name: string): string {
    return join(this.location.directory.path, name)
  }

  close(): void {
    this.location.close()
  }
}
