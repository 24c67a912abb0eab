import { constants } from 'node:fs'
import { openOwnFile } from '../../platform/node/regular-files.ts'
import type { SpoolFiles } from './files.ts'
import { FilePieces, type FilePiece } from './pieces.ts'

/** How many bytes are read at once. */
const chunkBytes = 64 * 1024

/** Reads a completed file, piece by piece, in the thread pool. */
export class SegmentReader {
  /** The size of the file in bytes. */
  readonly size: number
  private readonly files: SpoolFiles
  private readonly fd: number
  private readonly pieces: FilePieces
  private readonly chunk = Buffer.allocUnsafe(chunkBytes)
  private ready: readonly FilePiece[] = []
  /** The index of the next piece in `ready`. */
  private nextIndex = 0
  private position: number
  private isEnded = false

  /** @throws The system's error. */
  constructor(files: SpoolFiles, path: string, from: number) {
    const { fd, stats } = openOwnFile(files, path, constants.O_RDONLY)
    this.files = files
    this.fd = fd
    this.size = stats.size
    this.position = from
    this.pieces = new FilePieces(from)
  }

  /** Returns the next piece, or undefined after the last one. Rejects with the system's error. */
  async next(): Promise<FilePiece | undefined> {
    while (this.nextIndex === this.ready.length && !this.isEnded) {
      const read = await this.readChunk()
      this.isEnded = read === 0
      this.position += read
      this.ready = this.isEnded ? this.pieces.end() : this.pieces.push(this.chunk.subarray(0, read))
      this.nextIndex = 0
    }
    return this.ready[this.nextIndex++]
  }

  /** Closes the file. Do not call it while `next` is pending. */
  close(): void {
    this.files.closeSync(this.fd)
  }

  private readChunk(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.files.read(this.fd, this.chunk, 0, chunkBytes, this.position, (error, read) =>
        error === null ? resolve(read) : reject(error),
      )
    })
  }
}

/** Calls `visit` for the pieces in the first `mostBytes` of a file. Throws the system's error. */
export function readPieces(
  files: SpoolFiles,
  path: string,
  mostBytes: number,
  visit: (piece: FilePiece) => void,
): void {
  const { fd } = openOwnFile(files, path, constants.O_RDONLY)
  try {
    const pieces = new FilePieces(0)
    const chunk = Buffer.allocUnsafe(chunkBytes)
    for (let position = 0; position < mostBytes;) {
      const read = files.readSync(fd, chunk, 0, chunkBytes, position)
      if (read === 0) break
      position += read
      for (const piece of pieces.push(chunk.subarray(0, read))) visit(piece)
    }
    for (const piece of pieces.end()) visit(piece)
  } finally {
    files.closeSync(fd)
  }
}
