import { fsync, fsyncSync } from 'node:fs'
import type { ExporterHost } from '../../pipeline/exporter.ts'
import type { Descriptor } from '../fd/descriptor.ts'
import { errorCode } from '../fd/write-errors.ts'

/** The fsync calls of a writer's file, whose failures are told to its host. `name`: how problems call the file. */
export function fileSyncs(
  name: string,
  writer: { readonly descriptor: Descriptor | undefined },
  host: () => ExporterHost | undefined,
): FileSyncs {
  return new FileSyncs(
    () => writer.descriptor,
    (error) =>
      host()?.reportDiagnostic(
        'SLUICE_SYNC_FAILED',
        `${name}: cannot fsync (${errorCode(error)}); what was written may be lost`,
      ),
  )
}

/**
 * The fsync calls of a file whose descriptor may change: what was written before a change lies in the old file, so that is
 * synced too, and closed only when no call needs it any more.
 */
export class FileSyncs {
  private readonly current: () => Descriptor | undefined
  private readonly failed: (error: unknown) => void
  /** Old files that are open, each with what becomes of its fsync. */
  private readonly retired = new Map<Descriptor, Promise<boolean>>()
  /** How many calls are under way for a descriptor. */
  private readonly calls = new Map<Descriptor, number>()
  /** An old file could not be synced since this was last told. */
  private retiredFailed = false

  /** @param current what is written to; only regular files are synced. */
  constructor(current: () => Descriptor | undefined, failed: (error: unknown) => void) {
    this.current = current
    this.failed = failed
  }

  /** Takes a descriptor to which nothing more is written, and closes it once it is synced. */
  retire(descriptor: Descriptor): void {
    if (descriptor.kind !== 'file') return descriptor.close()
    this.retired.set(descriptor, this.retiring(descriptor))
  }

  /** Whether all that was written so far is on the disk. */
  async sync(): Promise<boolean> {
    const current = this.current()
    const waiting = [...this.retired.values(), ...(current === undefined ? [] : [this.call(current)])]
    const results = await Promise.all(waiting)
    return this.takeFailure() && results.every(Boolean)
  }

  /** The same without the event loop. */
  syncNow(): boolean {
    const current = this.current()
    const open = [...this.retired.keys(), ...(current === undefined ? [] : [current])]
    const results = open.map((descriptor) => this.syncOne(descriptor))
    return this.takeFailure() && results.every(Boolean)
  }

  private async retiring(descriptor: Descriptor): Promise<boolean> {
    const ok = await this.call(descriptor)
    if (!ok) this.retiredFailed = true
    return ok
  }

  private takeFailure(): boolean {
    const ok = !this.retiredFailed
    this.retiredFailed = false
    return ok
  }

  private call(descriptor: Descriptor): Promise<boolean> {
    if (descriptor.kind !== 'file') return Promise.resolve(true)
    this.calls.set(descriptor, (this.calls.get(descriptor) ?? 0) + 1)
    return new Promise((resolve) =>
      fsync(descriptor.fd, (error) => {
        this.ended(descriptor)
        if (error !== null) this.failed(error)
        resolve(error === null)
      }),
    )
  }

  private syncOne({ fd, kind }: Descriptor): boolean {
    if (kind !== 'file') return true
    try {
      fsyncSync(fd)
      return true
    } catch (error) {
      this.failed(error)
      return false
    }
  }

  /** A descriptor that is closed while the system syncs it may be another file's by then. */
  private ended(descriptor: Descriptor): void {
    const left = this.calls.get(descriptor)! - 1
    if (left > 0) return void this.calls.set(descriptor, left)
    this.calls.delete(descriptor)
    if (this.retired.delete(descriptor)) descriptor.close()
  }
}
