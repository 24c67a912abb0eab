import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { ifExists } from '../../platform/node/file-options.ts'
import { fileDistrust } from '../../platform/node/path-trust.ts'
import { errorCode } from '../fd/write-errors.ts'
import type { SpoolBacklog, ReportDiagnostic } from './backlog.ts'
import type { SpoolFiles } from './files.ts'
import { readBatch } from './lines.ts'
import { parseSegmentName, untrustedName, type SegmentName } from './names.ts'
import { readPieces } from './segment-reader.ts'
import type { Orphan, OwnedDirectory, SpoolOwner } from './owner.ts'
import { newSegment, type Segment } from './segments.ts'

/** How much of an unfinished file is read to count its records, in bytes. Files of this package are no longer than that. */
const maxCountedBytes = 4 * 1024 * 1024

/** A file in a directory that was claimed. */
interface FoundSegment extends SegmentName {
  readonly name: string
}

/** The parts that claiming orphans uses. */
export interface OrphanClaimParts {
  readonly files: SpoolFiles
  readonly owner: SpoolOwner
  readonly backlog: SpoolBacklog
  readonly report: ReportDiagnostic
  /** Returns the next sequence number. */
  readonly next: () => number
}

/** Takes over the files of owners that no longer exist. */
export class OrphanClaim {
  private readonly parts: OrphanClaimParts

  constructor(parts: OrphanClaimParts) {
    this.parts = parts
  }

  /** Takes over the orphans that `mayTake` accepts. Returns the number of files added. Never throws. */
  take(mayTake: (abandoned: Orphan) => boolean): number {
    return this.claimEach(mayTake, (segment) => this.parts.backlog.add(segment))
  }

  /** Drops the files of one orphaned directory. Returns the number of files. Never throws. */
  dropOne(): number {
    const { backlog, report } = this.parts
    let dropped = 0
    let records = 0
    this.claimEach(
      ({ bytes }) => bytes > 0 && dropped === 0,
      (segment) => {
        backlog.add(segment)
        records += backlog.drop(segment, 'overflowed')
        dropped++
      },
    )
    if (records > 0) {
      report('SLUICE_SPOOL_LOST', `${records} records are lost: the spool directory has reached maxDirectoryBytes`)
    }
    return dropped
  }

  private claimEach(mayTake: (abandoned: Orphan) => boolean, visit: (segment: Segment) => void): number {
    const { owner, report } = this.parts
    let count = 0
    try {
      for (const abandoned of owner.abandoned()) {
        const claimed = mayTake(abandoned) ? owner.claim(abandoned) : undefined
        if (claimed !== undefined) count += this.moveSegments(claimed, visit)
      }
    } catch (error) {
      // It was removed meanwhile, so there is nothing to take over.
      if (errorCode(error) !== 'ENOENT') {
        report(
          'SLUICE_SPOOL_FAILED',
          `the spool cannot claim the files of processes that have ended (${errorCode(error)})`,
        )
      }
    }
    return count
  }

  private moveSegments(claimed: OwnedDirectory, visit: (segment: Segment) => void): number {
    const { files, owner, backlog, next } = this.parts
    let count = 0
    try {
      for (const found of segmentsIn(files, claimed.directory)) {
        const segment = this.moveSegment(found, claimed.directory, owner.own(), next())
        if (segment === undefined) continue
        backlog.counts.spooled += segment.records
        backlog.counts.adopted += segment.records
        visit(segment)
        count++
      }
    } finally {
      owner.remove(claimed)
    }
    return count
  }

  /**
   * Moves a file into this owner's directory. Returns undefined for a file that another user may have written, which stays in
   * its directory. If the process ends during this, the remaining files still belong to it and are taken over by the next
   * process. Throws the system's error.
   */
  private moveSegment(
    found: FoundSegment,
    from: DirectoryHandle,
    to: DirectoryHandle,
    sequence: number,
  ): Segment | undefined {
    const { files, backlog, report } = this.parts
    const stats = files.lstatSync(from.at(found.name))
    const reason = fileDistrust(found.name, stats)
    if (reason !== undefined) {
      const records = found.records ?? 1
      backlog.countMissing(records)
      report('SLUICE_PATH_UNTRUSTED', `${records} records are lost: a file of the spool is not read, because ${reason}`)
      renameUntrusted(files, from, found.name)
      return undefined
    }
    const segment = newSegment({
      directory: to,
      sequence,
      checked: found.checked,
      size: stats.size,
      writtenAt: stats.mtimeMs,
      records: found.records ?? countRecords(files, from.at(found.name)),
      from: found.from,
    })
    files.renameSync(from.at(found.name), to.at(segment.name))
    return segment
  }
}

/** Renames a file that is not read, so that the next process does not count it again. Never throws. */
function renameUntrusted(files: SpoolFiles, directory: DirectoryHandle, name: string): void {
  const renamed = untrustedName(name)
  try {
    const isTaken = files.lstatSync(directory.at(renamed), ifExists) !== undefined
    if (!isTaken) files.renameSync(directory.at(name), directory.at(renamed))
  } catch {
    // The next process counts it again.
  }
}

function segmentsIn(files: SpoolFiles, directory: DirectoryHandle): FoundSegment[] {
  return files
    .readdirSync(directory.at('.'))
    .flatMap((name) => {
      const parsed = parseSegmentName(name)
      return parsed === undefined ? [] : [{ ...parsed, name }]
    })
    .toSorted((a, b) => a.sequence - b.sequence)
}

/** Returns how many records an unfinished file has. Content that cannot be read counts as one record. */
function countRecords(files: SpoolFiles, path: string): number {
  let records = 0
  try {
    readPieces(files, path, maxCountedBytes, ({ kind, bytes }) => {
      const read = kind === 'line' ? readBatch(bytes) : undefined
      records += read === undefined ? 1 : (read.batch?.count ?? 0) + read.damaged
    })
  } catch {
    // The replay detects and reports this as well.
  }
  return records
}
