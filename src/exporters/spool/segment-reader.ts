import { constants } from 'node:fs'
import { openOwnFile } from '../../platform/node/regular-files.ts'
import type { SpoolFiles } from './files.ts'
import { Pieces, type Piece } from './pieces.ts'

/** How much is read at once, in bytes. */
const chunkBytes = 64 * 1024

/** Reads a file that is written no more, piece by piece, outside of the event loop. */
export class SegmentReader {
  /** How long the file is, in bytes. */
  readonly size: number
  private readonly files: SpoolFiles
  private readonly fd: number
  private readonly pieces: Pieces
  private readonly chunk = Buffer.allocUnsafe(chunkBytes)
  private ready: readonly Piece[] = []
  /** How many of these were given away. */
  private taken = 0
  private at: number
  private isEnded = false

  /** Throws what the system says. */
  constructor(files: SpoolFiles, path: string, from: number) {
    const { fd, stats } = openOwnFile(files, path, constants.O_RDONLY)
    this.files = files
    this.fd = fd
    this.size = stats.size
    this.at = from
    this.pieces = new Pieces(from)
  }

  /** The next piece; undefined behind the last one. Rejects with what the system says. */
  async next(): Promise<Piece | undefined> {
    while (this.taken === this.ready.length && !this.isEnded) {
      const read = await this.readChunk()
      this.isEnded = read === 0
      this.at += read
      this.ready = this.isEnded ? this.pieces.end() : this.pieces.push(this.chunk.subarray(0, read))
      this.taken = 0
    }
    return this.ready[this.taken++]
  }

  /** Not while `next` is unanswered. */
  close(): void {
    this.files.closeSync(this.fd)
  }

  private readChunk(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.files.read(this.fd, this.chunk, 0, chunkBytes, this.at, (error, read) =>
        error === null ? resolve(read) : reject(error),
      )
    })
  }
}

/** Calls back for the pieces of a file, as far as its first `mostBytes` hold them. Throws what the system says. */
export function readPieces(files: SpoolFiles, path: string, mostBytes: number, visit: (piece: Piece) => void): void {
  const { fd } = openOwnFile(files, path, constants.O_RDONLY)
  try {
    const pieces = new Pieces(0)
    const chunk = Buffer.allocUnsafe(chunkBytes)
    for (let at = 0; at < mostBytes;) {
      const read = files.readSync(fd, chunk, 0, chunkBytes, at)
      if (read === 0) break
      at += read
      for (const piece of pieces.push(chunk.subarray(0, read))) visit(piece)
    }
    for (const piece of pieces.end()) visit(piece)
  } finally {
    files.closeSync(fd)
  }
}
