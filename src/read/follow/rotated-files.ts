import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isOwnRegularFile } from '../../exporters/rotation/rotated-names.ts'
import { excludesOtherUsers } from '../../platform/node/path-trust.ts'
import { openRegularFile } from '../../platform/node/regular-files.ts'
import { compressionOf, decompressSample, isReadable, type Compression } from '../input/compression.ts'
import { haveSameStart, headOf } from './content-mark.ts'
import { fileKey } from './generation.ts'
import { compareAge, isCompressedName, RotatedFileNames } from './rotated-file-names.ts'

/** An open rotated file that was not read. */
export interface RotatedFile {
  readonly name: string
  readonly key: string
  readonly fd: number
  /** The time of the last write. */
  mtimeNs: bigint
  readonly compression: Compression | undefined
  /** The first bytes of its content, after decompression. */
  head: Buffer
}

/** How many bytes of a compressed file are decompressed for its `head`. */
const SAMPLE_BYTES = 262_144
/** How many contents are recognized. */
const MAX_HEADS = 256
/** How often a search is repeated while files are renamed. */
const MAX_PASSES = 20
/** How many existing files are recognized after they were compressed. */
const MAX_EXISTING = 32
/** The longest tick of a file system's clock, in ns. */
const MTIME_TICK_NANOS = 50_000_000n

/** Finds the rotated files of a followed path that no check found at the path, and copies of the file at the path. */
export class RotatedFiles {
  private readonly directory: string
  private readonly names: RotatedFileNames
  /** The keys of the files that were read, or existed at the start. */
  private known = new Set<string>()
  /** The first bytes of contents that were read, or existed at the start. */
  private readonly heads: Buffer[] = []
  /** The time of the last change of the directory before the last search. */
  private searchedMtimeNs: bigint | undefined

  /** @param path - The followed path. Links are resolved, because rotated files are in the directory of the file. */
  constructor(path: string) {
    let realPath = path
    try {
      realPath = fs.realpathSync(path)
    } catch {
      // The file does not exist yet.
    }
    this.directory = dirname(realPath)
    this.names = new RotatedFileNames(basename(realPath), basename(realPath) !== basename(path))
  }

  /** Marks all files that exist now as read. */
  ignoreExisting(): void {
    const plain: { readonly name: string; readonly key: string; readonly mtimeNs: bigint }[] = []
    for (const [name, stats] of this.list()) {
      const key = fileKey(stats)
      this.known.add(key)
      if (!isCompressedName(name)) plain.push({ name, key, mtimeNs: stats.mtimeNs })
    }
    // These may be compressed next, and are then found as other files with the same content.
    for (const { name, key } of plain.toSorted((a, b) => Number(b.mtimeNs - a.mtimeNs)).slice(0, MAX_EXISTING)) {
      const file = this.open(name, undefined)
      if (file?.key === key) this.ignore(file)
      else if (file !== undefined) fs.closeSync(file.fd)
    }
  }

  /**
   * Opens the files that were not read, the oldest first. The caller closes them.
   *
   * @param minMtimeNs - The time of the last write that they have at least.
   * @param excluded - The keys of files that are open already.
   * @param owner - The user ID of the owner of the followed file, if it is known.
   */
  findUnknown(minMtimeNs: bigint, excluded: ReadonlySet<string>, owner: number | undefined): RotatedFile[] {
    const found = new Map<string, RotatedFile>()
    const stillKnown = new Set<string>()
    let isComplete = false
    for (let passes = 0; !isComplete && passes < MAX_PASSES; passes++) {
      // A file that is renamed or compressed during a pass can be missing in it under both names.
      isComplete = passes > 0 || !this.hasRecentChange()
      this.searchedMtimeNs = this.directoryMtimeNs()
      for (const [name, stats] of this.list()) {
        const key = fileKey(stats)
        if (this.known.has(key)) stillKnown.add(key)
        else if (!found.has(key) && !excluded.has(key) && isWrittenSince(name, stats, minMtimeNs)) {
          const file = this.open(name, owner)
          isComplete = false
          // The file is being compressed, and the original may just have been deleted.
          const isPartial = file?.compression !== undefined && file.head.length === 0 && passes < 2
          if (
            file !== undefined &&
            (isPartial || found.has(file.key) || excluded.has(file.key) || this.known.has(file.key))
          ) {
            fs.closeSync(file.fd)
          } else if (file !== undefined) found.set(file.key, file)
        }
      }
      if (this.directoryMtimeNs() !== this.searchedMtimeNs) isComplete = false
    }
    // Keys of deleted files are not kept, because there is no limit on their number.
    this.known = stillKnown
    return [...found.values()].toSorted(compareFiles)
  }

  /** Marks the content of a file as read, and closes it. */
  ignore(file: RotatedFile): void {
    this.addKnown(file.key, file.head)
    fs.closeSync(file.fd)
  }

  /** Marks a content as read. */
  addKnown(key: string, head: Buffer): void {
    this.known.add(key)
    if (head.length === 0 || this.heads.includes(head)) return
    this.heads.push(head)
    if (this.heads.length > MAX_HEADS) this.heads.shift()
  }

  /** Returns whether a content was read, in another file. */
  hasContent(head: Buffer): boolean {
    return this.heads.some((known) => haveSameStart(known, head))
  }

  /** Whether a file was created, renamed or deleted in the directory since the last search. */
  hasChanged(): boolean {
    const mtimeNs = this.directoryMtimeNs()
    if (mtimeNs === undefined) return false
    return mtimeNs !== this.searchedMtimeNs || this.hasRecentChange()
  }

  /** Whether the directory has changed just now. Its time does not show the next change, because it changes with the clock's tick only. */
  private hasRecentChange(): boolean {
    const mtimeNs = this.directoryMtimeNs()
    return mtimeNs !== undefined && BigInt(Date.now()) * 1_000_000n - mtimeNs < MTIME_TICK_NANOS
  }

  private directoryMtimeNs(): bigint | undefined {
    try {
      return fs.statSync(this.directory, { bigint: true }).mtimeNs
    } catch {
      return undefined
    }
  }

  /** Returns the names and states of all regular files with the name of a rotated file. */
  private *list(): Generator<[name: string, stats: fs.BigIntStats]> {
    let names: string[] = []
    try {
      names = fs.readdirSync(this.directory)
    } catch {
      // It is missing, or cannot be read.
    }
    for (const name of names) {
      if (!this.names.matches(name)) continue
      const stats = fs.lstatSync(join(this.directory, name), { throwIfNoEntry: false, bigint: true })
      if (stats?.isFile() === true) yield [name, stats]
    }
  }

  /** Opens a file without following a link. Returns undefined if it is not a rotated file of the log's owner, or is gone. */
  private open(name: string, logOwner: number | undefined): RotatedFile | undefined {
    let fd: number | undefined
    try {
      const opened = openRegularFile(fs, join(this.directory, name), fs.constants.O_RDONLY)
      ;({ fd } = opened)
      const isOwn = isOwnRegularFile(opened.stats, {
        logOwner,
        excludesOtherUsers: excludesOtherUsers(fs.statSync(this.directory)),
      })
      if (isOwn) return describeFile(fd, name)
    } catch {
      // It was renamed or deleted, or cannot be read.
    }
    if (fd !== undefined) fs.closeSync(fd)
    return undefined
  }
}

/** Returns the state and the first bytes of an open file. */
function describeFile(fd: number, name: string): RotatedFile | undefined {
  const stats = fs.fstatSync(fd, { bigint: true })
  const head = headOf(fd)
  const compression = compressionOf(head) ?? (name.endsWith('.br') ? 'brotli' : undefined)
  const file = { name, key: fileKey(stats), fd, mtimeNs: stats.mtimeNs }
  if (compression === undefined) return { ...file, compression, head }
  if (!isReadable(compression)) throw new Error(`not a compression that is read: ${compression}`)
  const bytes = Buffer.allocUnsafe(SAMPLE_BYTES)
  const sample = decompressSample(compression, bytes.subarray(0, fs.readSync(fd, bytes, 0, SAMPLE_BYTES, 0)))
  return { ...file, compression, head: Buffer.from(sample.subarray(0, 1_024)) }
}

/** Compares by the time of the last write, then by name. Of two with one content, the one that is not compressed is first. */
export function compareFiles(a: RotatedFile, b: RotatedFile): number {
  if (a.mtimeNs !== b.mtimeNs) return a.mtimeNs < b.mtimeNs ? -1 : 1
  if (isCompressedName(a.name) !== isCompressedName(b.name) && haveSameStart(a.head, b.head)) {
    return isCompressedName(a.name) ? 1 : -1
  }
  return compareAge(a.name, b.name)
}

/** Returns whether a file has content of a time or later. Programs that compress files copy their times, some without the fraction. */
function isWrittenSince(name: string, { size, mtimeNs }: fs.BigIntStats, time: bigint): boolean {
  return size > 0n && mtimeNs + (isCompressedName(name) ? 1_000_000_000n : 0n) >= time
}
