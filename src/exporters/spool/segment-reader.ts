import { constants } from 'node:fs'
import { openOwnFile } from '../../platform/node/regular-files.ts'
import type { SpoolFileSystem } from './files.ts'
import { FilePieces, type FilePiece } from './pieces.ts'

/** How many bytes are read at once. */
const chunkBytes = 64 * 1024

/** Reads a completed file piece by piece. The file is opened synchronously and read in the thread pool. */
export class SegmentReader {
  /** The size of the file in bytes. */
  readonly size: number
  private readonly files: SpoolFileSystem
  private readonly fd: number
  private readonly pieces: FilePieces
  private readonly chunk = Buffer.allocUnsafe(chunkBytes)
  /** The pieces of the last chunk. */
  private readyPieces: readonly FilePiece[] = []
  /** The index in `readyPieces` of the next piece to return. */
  private nextIndex = 0
  /** Where the next chunk is read, in bytes. */
  private position: number
  private hasEnded = false

  /**
   * @param from - Where reading starts in the file, in bytes.
   * @throws The system's error.
   */
  constructor(files: SpoolFileSystem, path: string, from: number) {
    const { fd, stats } = openOwnFile(files, path, constants.O_RDONLY)
    this.files = files
    this.fd = fd
    this.size = stats.size
    this.position = from
    this.pieces = new FilePieces(from)
  }

  /** Returns the next piece, or undefined after the last one. Rejects with the system's error. */
  async next(): Promise<FilePiece | undefined> {
    while (this.nextIndex === this.readyPieces.length && !this.hasEnded) {
      const bytesRead = await this.readChunk()
      this.hasEnded = bytesRead === 0
      this.position += bytesRead
      this.readyPieces = this.hasEnded ? this.pieces.end() : this.pieces.push(this.chunk.subarray(0, bytesRead))
      this.nextIndex = 0
    }
    return this.readyPieces[this.nextIndex++]
  }

  /** Closes the file. Do not call it while `next` is pending. */
  close(): void {
    this.files.closeSync(this.fd)
  }

  private readChunk(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.files.read(this.fd, this.chunk, 0, chunkBytes, this.position, (error, bytesRead) =>
        error === null ? resolve(bytesRead) : reject(error),
      )
    })
  }
}

/** Calls `visit` for the pieces of a file, synchronously. Stops reading after `maxBytes` or a little more. Throws the system's error. */
export function readPieces(
  files: SpoolFileSystem,
  path: string,
  maxBytes: number,
  visit: (piece: FilePiece) => void,
): void {
  const { fd } = openOwnFile(files, path, constants.O_RDONLY)
  try {
    const pieces = new FilePieces(0)
    const chunk = Buffer.allocUnsafe(chunkBytes)
    for (let position = 0; position < maxBytes;) {
      const bytesRead = files.readSync(fd, chunk, 0, chunkBytes, position)
      if (bytesRead === 0) break
      position += bytesRead
      for (const piece of pieces.push(chunk.subarray(0, bytesRead))) visit(piece)
    }
    for (const piece of pieces.end()) visit(piece)
  } finally {
    files.closeSync(fd)
  }
}
