import { lstat, readdir, realpath, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { Delay } from '../../delivery/platform.ts'
import { delay, monotonic } from '../../runtime/end-of-turn.ts'
import type { DirectoryHandle } from '../../runtime/directory-handle.ts'
import { resolvePath } from '../../runtime/resolve-path.ts'
import { keyOf } from '../write/descriptor.ts'
import { gzipFile } from './gzip-file.ts'
import { isOldFile, RotatedNames, type RotatedName } from './rotated-names.ts'
import { isAlive } from './rotation-lock.ts'
import { errorCode } from '../write/write-errors.ts'

/** An old file, and how long it is in bytes. */
interface OldFile extends RotatedName {
  readonly size: number
}

/** What becomes of the old files of a path. */
export interface RotatedFilesSettings {
  readonly path: string
  /** How many there may be. */
  readonly keep: number
  readonly compress: boolean
  /** The `dev:ino` of the file that is written to at the moment. */
  readonly current: () => string | undefined
  readonly tell: (code: string, message: string) => void
  /** How long a file must have kept its size before it is compressed, in ms. Default 5,000. */
  readonly quietMillis?: number
}

/**
 * Deletes and compresses old files, in the background and one at a time. Nothing here keeps the process alive; what is left
 * when it ends, and what another one left that died, is found by the next.
 *
 * A file is compressed only after it has kept its size for some seconds: another process that has it open finds out that it
 * was put aside with its next write at the latest, and one that is in the middle of a write ends it in that time.
 */
export class RotatedFiles {
  private readonly settings: RotatedFilesSettings
  private readonly quietMillis: number
  private readonly stopped = new AbortController()
  /** Files that wait to be compressed: their size, and since when they have it, in ms of `monotonic`. */
  private readonly quiet = new Map<string, { readonly size: number; readonly since: number }>()
  private timer: Delay | undefined
  private sweeping = false
  private again = false

  constructor(settings: RotatedFilesSettings) {
    this.settings = settings
    this.quietMillis = settings.quietMillis ?? 5_000
  }

  /** Looks through the old files soon. Never throws. */
  sweepSoon(): void {
    if (this.settings.keep === Infinity && !this.settings.compress) return
    if (this.sweeping) this.again = true
    else if (!this.stopped.signal.aborted) void this.sweep()
  }

  /** Ends all that is under way. */
  stop(): void {
    this.stopped.abort()
    this.timer?.cancel()
  }

  private async sweep(): Promise<void> {
    this.sweeping = true
    this.timer?.cancel()
    try {
      do {
        this.again = false
        await this.lookThrough()
      } while (this.again && !this.stopped.signal.aborted)
    } catch (error) {
      this.failed('look through the old files of', this.settings.path, error)
    }
    this.sweeping = false
    if (this.quiet.size > 0 && !this.stopped.signal.aborted) {
      this.timer = delay(this.quietMillis, () => this.sweepSoon())
    }
  }

  private async lookThrough(): Promise<void> {
    const path = await realpath(this.settings.path)
    // All names are looked up in one directory, whatever becomes of its path.
    const { directory } = resolvePath(path)
    try {
      await this.lookThroughIn(directory, basename(path))
    } finally {
      directory.close()
    }
  }

  private async lookThroughIn(directory: DirectoryHandle, base: string): Promise<void> {
    const all = await readdir(directory.at('.'))
    const { uid } = await lstat(directory.at(base))
    const old = await this.oldFiles(directory, new RotatedNames(base).among(all), uid)
    const kept = await this.deleteOldest(directory, old)
    if (!this.settings.compress) return
    const busy = await this.underWay(directory, all, kept)
    for (const { name } of kept.filter(({ name, gzip }) => !gzip && !busy.has(name))) {
      if (this.again || this.stopped.signal.aborted) return
      await this.compress(directory, name)
    }
    for (const name of this.quiet.keys()) if (!all.includes(name)) this.quiet.delete(name)
  }

  private async oldFiles(
    directory: DirectoryHandle,
    named: readonly RotatedName[],
    logOwner: number,
  ): Promise<OldFile[]> {
    const files = await Promise.all(
      named.map(async (each) => ({ ...each, stats: await lstat(directory.at(each.name)).catch(() => undefined) })),
    )
    return files.flatMap(({ stats, ...each }) =>
      stats !== undefined && isOldFile(stats, logOwner) ? [{ ...each, size: stats.size }] : [],
    )
  }

  /** A file and its compressed form, where a process died between the two, count as one. */
  private async deleteOldest(directory: DirectoryHandle, old: readonly OldFile[]): Promise<readonly OldFile[]> {
    if (this.settings.keep === Infinity) return old
    // What is empty is a name that somebody has reserved and not used, so it takes the place of none.
    const stamps = [...new Set(old.filter(({ size }) => size > 0).map(({ stamp }) => stamp))]
    const oldest = stamps[stamps.length - this.settings.keep] ?? (this.settings.keep === 0 ? Infinity : -Infinity)
    for (const { name } of old.filter(({ stamp }) => stamp < oldest)) {
      this.quiet.delete(name)
      await this.delete(directory, name)
    }
    return old.filter(({ stamp }) => stamp >= oldest)
  }

  private async delete(directory: DirectoryHandle, name: string): Promise<void> {
    try {
      const path = directory.at(name)
      const stats = await lstat(path)
      if (stats.isFile() && keyOf(stats) !== this.settings.current()) await unlink(path)
    } catch (error) {
      this.failed('delete', join(directory.path, name), error)
    }
  }

  /** The files that a process is compressing; what dead ones left of that is deleted. */
  private async underWay(
    directory: DirectoryHandle,
    all: readonly string[],
    kept: readonly OldFile[],
  ): Promise<Set<string>> {
    const names = new Set(kept.map(({ name }) => name))
    const busy = new Set<string>()
    for (const temporary of all) {
      const [, name, pid] = /^\.(.+)\.gz\.(\d+)-\d+\.tmp$/.exec(temporary) ?? []
      if (name === undefined || !(names.has(name) || names.has(`${name}.gz`))) continue
      const isOwn = temporary === temporaryFor(name)
      if (!isOwn && isAlive(Number(pid))) busy.add(name)
      else await this.delete(directory, temporary)
    }
    return busy
  }

  private async compress(directory: DirectoryHandle, name: string): Promise<void> {
    try {
      const path = directory.at(name)
      const stats = await lstat(path)
      if (!stats.isFile() || keyOf(stats) === this.settings.current()) return
      const known = this.quiet.get(name)
      if (known?.size !== stats.size) return void this.quiet.set(name, { size: stats.size, since: monotonic() })
      if (monotonic() - known.since < this.quietMillis) return
      this.quiet.delete(name)
      // A name that was reserved by a process that died before the rename.
      if (stats.size === 0) return await unlink(path)
      const done = await gzipFile(path, directory.at(temporaryFor(name)), this.stopped.signal)
      if (!done) this.quiet.set(name, { size: stats.size, since: monotonic() })
    } catch (error) {
      this.failed('compress', join(directory.path, name), error)
    }
  }

  private failed(action: string, path: string, error: unknown): void {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ABORT_ERR') return
    this.settings.tell('SLUICE_ROTATION_FAILED', `file:${path}: cannot ${action} it (${code})`)
  }
}

function temporaryFor(name: string): string {
  return `.${name}.gz.${process.pid}-${threadId}.tmp`
}
