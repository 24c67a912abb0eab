import type { Stats } from 'node:fs'
import { lstat, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { LogLocation } from '../file/log-path.ts'
import { isOldFile, RotatedNames, type RotatedName } from './rotated-names.ts'

/** A rotated file with its size in bytes. */
export interface OldFile extends RotatedName {
  readonly size: number
}

/**
 * The rotated files of a log, in the directory that its path refers to now. All names belong to this one open directory, even
 * if the path changes later. Only regular files of the log's owner or this user are included.
 */
export class OldFiles {
  /** All names in the directory. */
  readonly names: readonly string[]
  private readonly place: LogLocation
  private readonly logOwner: number

  private constructor(place: LogLocation, names: readonly string[], logOwner: number) {
    this.place = place
    this.names = names
    this.logOwner = logOwner
  }

  /**
   * Opens the directory of a log.
   *
   * @throws UntrustedPathError, or the system's error.
   */
  static async open(path: string): Promise<OldFiles> {
    const place = new LogLocation(path)
    try {
      const names = await readdir(place.directory.at('.'))
      const { uid } = await lstat(place.directory.at(place.name))
      return new OldFiles(place, names, uid)
    } catch (error) {
      place.close()
      throw error
    }
  }

  /** Returns the rotated files, ordered by time. Never rejects. */
  async list(): Promise<readonly OldFile[]> {
    const candidates = new RotatedNames(this.place.name).among(this.names)
    const all = await Promise.all(candidates.map(({ name }) => this.stats(name).catch(() => undefined)))
    return candidates.flatMap((each, index) => {
      const stats = all[index]
      return stats === undefined ? [] : [{ ...each, size: stats.size }]
    })
  }

  /** Returns whether a file may be deleted or replaced. */
  isOld(stats: Stats): boolean {
    return isOldFile(stats, this.logOwner, this.place.directory.isExclusive)
  }

  /** Returns the state of a file, or undefined if it is not a rotated file. Rejects with the system's error. */
  async stats(name: string): Promise<Stats | undefined> {
    const stats = await lstat(this.at(name))
    return this.isOld(stats) ? stats : undefined
  }

  /** Deletes a file. Rejects with the system's error. */
  async delete(name: string): Promise<void> {
    await unlink(this.at(name))
  }

  /** Returns a path for a name. Use it immediately; it is valid only while the directory is open. */
  at(name: string): string {
    return this.place.directory.at(name)
  }

  /** Returns a path for messages. */
  shown(name: string): string {
    return join(this.place.directory.path, name)
  }

  close(): void {
    this.place.close()
  }
}
