import { join } from 'node:path'
import type { SpoolFiles } from './files.ts'
import { readBatch } from './lines.ts'
import { parseSegmentName, type SegmentName } from './names.ts'
import { readPieces } from './segment-reader.ts'
import { newSegment, type Segment } from './segments.ts'

/** How much of a file that was not finished is read to count its records, in bytes; our own are not longer. */
const mostCountedBytes = 4 * 1024 * 1024

/** A file in a directory that was claimed. */
interface Found extends SegmentName {
  readonly path: string
}

/**
 * Moves the files of a claimed directory into one's own, in their order. Where it ends in between, what is left behind is
 * still this process's, and the next one's. Throws what the system says.
 *
 * @param next - gives the next sequence number
 */
export function* movedIn(
  files: SpoolFiles,
  claimed: string,
  own: string,
  next: () => number,
): Generator<Segment, undefined> {
  for (const found of segmentsIn(files, claimed)) {
    const stat = files.statSync(found.path)
    const records = found.records ?? countedIn(files, found.path)
    const segment = newSegment({
      directory: own,
      sequence: next(),
      size: stat.size,
      writtenAt: stat.mtimeMs,
      records,
      from: found.from,
    })
    files.renameSync(found.path, segment.path)
    yield segment
  }
}

function segmentsIn(files: SpoolFiles, directory: string): Found[] {
  return files
    .readdirSync(directory)
    .flatMap((name) => {
      const parsed = parseSegmentName(name)
      return parsed === undefined ? [] : [{ ...parsed, path: join(directory, name) }]
    })
    .toSorted((a, b) => a.sequence - b.sequence)
}

/** How many records a file has that its process did not finish; what cannot be read is one. */
function countedIn(files: SpoolFiles, path: string): number {
  let records = 0
  try {
    readPieces(files, path, mostCountedBytes, ({ kind, bytes }) => {
      const read = kind === 'line' ? readBatch(bytes) : undefined
      records += read === undefined ? 1 : (read.batch?.count ?? 0) + read.damaged
    })
  } catch {
    // whoever replays it finds out as well, and tells
  }
  return records
}
