import { lostRecordsText } from '../../options/counted.ts'
import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { ifExists } from '../../platform/node/file-options.ts'
import { reasonToDistrustOwnFile } from '../../platform/node/path-trust.ts'
import { errorCode } from '../fd/write-errors.ts'
import type { SpoolBacklog, ReportDiagnostic } from './backlog.ts'
import type { SpoolFileSystem } from './files.ts'
import { parseLine } from './lines.ts'
import { parseSegmentName, untrustedName, type SegmentName } from './names.ts'
import { readPieces } from './segment-reader.ts'
import type { Orphan, OwnedDirectory, SpoolOwner } from './owner.ts'
import { newSegment, type Segment } from './segments.ts'

/**
 * How much of an unfinished file is read to count its records, in bytes. Files that this package has written are shorter: at most
 * 2 MiB and one more line.
 */
const maxBytesReadToCount = 4 * 1024 * 1024

/** A file in a claimed directory, with the parts of its name. */
interface FoundSegment extends SegmentName {
  readonly name: string
}

/** The objects that an `OrphanClaim` uses. */
export interface OrphanClaimParts {
  readonly files: SpoolFileSystem
  readonly owner: SpoolOwner
  readonly backlog: SpoolBacklog
  readonly report: ReportDiagnostic
  /** Returns the next sequence number. */
  readonly nextSequence: () => number
}

/** Takes over the files of owners that no longer exist. */
export class OrphanClaim {
  private readonly parts: OrphanClaimParts

  constructor(parts: OrphanClaimParts) {
    this.parts = parts
  }

  /** Takes over the orphans that `mayClaim` accepts. Returns the number of files added to the queue. Never throws. */
  claim(mayClaim: (orphan: Orphan) => boolean): number {
    return this.claimEach(mayClaim, (segment) => this.parts.backlog.add(segment))
  }

  /** Drops the files of one orphaned directory. Returns the number of dropped files. Never throws. */
  dropOneOrphan(): number {
    const { backlog, report } = this.parts
    let droppedFiles = 0
    let records = 0
    this.claimEach(
      ({ bytes }) => bytes > 0 && droppedFiles === 0,
      (segment) => {
        backlog.add(segment)
        records += backlog.drop(segment, 'overflowed')
        droppedFiles++
      },
    )
    if (records > 0) {
      report('SLUICE_SPOOL_LOST', `${lostRecordsText(records)}: the spool directory has reached maxDirectoryBytes`)
    }
    return droppedFiles
  }

  /** Claims the orphans that `mayClaim` accepts, and calls `visit` for their files. Returns how many files these are. Never throws. */
  private claimEach(mayClaim: (orphan: Orphan) => boolean, visit: (segment: Segment) => void): number {
    const { owner, report } = this.parts
    let count = 0
    try {
      for (const orphan of owner.findOrphans()) {
        const claimed = mayClaim(orphan) ? owner.claim(orphan) : undefined
        if (claimed !== undefined) count += this.moveSegments(claimed, visit)
      }
    } catch (error) {
      // A directory or file was removed meanwhile, so there is nothing to take over.
      if (errorCode(error) !== 'ENOENT') {
        report(
          'SLUICE_SPOOL_FAILED',
          `the spool cannot claim the files of processes that have ended (${errorCode(error)})`,
        )
      }
    }
    return count
  }

  /** Moves the files of a claimed directory into this owner's directory. Returns the number of files passed to `visit`. */
  private moveSegments(claimed: OwnedDirectory, visit: (segment: Segment) => void): number {
    const { files, owner, backlog, nextSequence } = this.parts
    let count = 0
    try {
      for (const found of segmentsIn(files, claimed.directory)) {
        const segment = this.moveSegment(found, claimed.directory, owner.ensureDirectory(), nextSequence())
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
   * Moves a file into this owner's directory. Returns undefined for a file that another user may have written: it is not read, its records
   * are counted as lost, and it stays in the claimed directory. That directory is named after this process, so if this process ends before
   * all files are moved, another one claims the directory again. Throws the system's error.
   */
  private moveSegment(
    found: FoundSegment,
    from: DirectoryHandle,
    to: DirectoryHandle,
    sequence: number,
  ): Segment | undefined {
    const { files, backlog, report } = this.parts
    const stats = files.lstatSync(from.pathOf(found.name))
    const reason = reasonToDistrustOwnFile(found.name, stats)
    if (reason !== undefined) {
      // Without reading an unfinished file, its number of records is unknown, so it counts as one.
      const records = found.records ?? 1
      backlog.countUnreadFile(records)
      report('SLUICE_PATH_UNTRUSTED', `${lostRecordsText(records)}: a file of the spool is not read, because ${reason}`)
      renameUntrusted(files, from, found.name)
      return undefined
    }
    const segment = newSegment({
      directory: to,
      sequence,
      hasChecksums: found.hasChecksums,
      size: stats.size,
      writtenAt: stats.mtimeMs,
      records: found.records ?? countRecords(files, from.pathOf(found.name)),
      readOffset: found.readOffset,
    })
    files.renameSync(from.pathOf(found.name), to.pathOf(segment.name))
    return segment
  }
}

/** Renames a file that is not read, so that the next process does not count it again. Never throws. */
function renameUntrusted(files: SpoolFileSystem, directory: DirectoryHandle, name: string): void {
  const newName = untrustedName(name)
  try {
    const isTaken = files.lstatSync(directory.pathOf(newName), ifExists) !== undefined
    if (!isTaken) files.renameSync(directory.pathOf(name), directory.pathOf(newName))
  } catch {
    // The next process counts it again.
  }
}

/** Returns the segments in a directory, in the order of their sequence numbers. */
function segmentsIn(files: SpoolFileSystem, directory: DirectoryHandle): FoundSegment[] {
  return files
    .readdirSync(directory.pathOf('.'))
    .flatMap((name) => {
      const parsed = parseSegmentName(name)
      return parsed === undefined ? [] : [{ ...parsed, name }]
    })
    .toSorted((a, b) => a.sequence - b.sequence)
}

/** Returns how many records an unfinished file has. Each line, or sequence of lines, that cannot be read counts as one record. */
function countRecords(files: SpoolFileSystem, path: string): number {
  let records = 0
  try {
    readPieces(files, path, maxBytesReadToCount, ({ kind, bytes }) => {
      const parsed = kind === 'line' ? parseLine(bytes) : undefined
      records += parsed === undefined ? 1 : (parsed.batch?.count ?? 0) + parsed.damagedRecords
    })
  } catch {
    // The replay cannot read the file either, and reports that.
  }
  return records
}
