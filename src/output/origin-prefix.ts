import { basename } from 'node:path'
import { painter, sgr, type Paint } from '../encode/pretty/colors.ts'
import type { MeasuredText } from '../encode/pretty/inline.ts'
import { escapeForTerminal } from '../encode/pretty/visible.ts'
import { displayWidth } from '../encode/pretty/width.ts'
import type { ReadRecord, RecordOrigin } from '../read/record.ts'

/** The colors of prefixes. Red is not one of them, because it means an error. */
const prefixColors = [
  sgr.cyan,
  sgr.yellow,
  sgr.green,
  sgr.magenta,
  sgr.blue,
  sgr.cyanBold,
  sgr.yellowBold,
  sgr.magentaBold,
] as const
/** The maximum width to which prefixes are aligned. */
const maxAlignedWidth = 24
/** The multiple to which the width of names that are not known from the beginning is rounded up. */
const widthStep = 8
const separator = ' | '
/** The names of containers are data, so the cache has a limit. */
const maxCached = 1_024

/**
 * Creates the prefixes that show where a line was read: the file if there are several, and the container or the service. With one file, the
 * service is shown once several have occurred; with several files, from the first record on. The column of prefixes becomes wider in steps
 * and never narrower, so that few lines are shifted. Lines of one origin have the same color.
 */
export class OriginPrefixes {
  private readonly fileNames: ReadonlyMap<string, string>
  private readonly paint: Paint
  private readonly cache = new Map<string, MeasuredText>()
  private readonly colors = new Map<string, string>()
  private width = 0
  private firstService: string | undefined
  private showsServices: boolean
  // The origin of the last line, because most lines have the same one.
  private lastFile: string | undefined
  private lastName: string | undefined
  private lastPrefix: MeasuredText | undefined
  private hasLast = false

  /** @param files - the names of all inputs; the file is shown if there are several */
  constructor(files: readonly string[], usesColors: boolean) {
    this.fileNames = shortNames(files)
    this.paint = painter(usesColors)
    this.showsServices = this.fileNames.size > 1
    if (this.showsServices)
      for (const name of this.fileNames.values())
        this.width = Math.max(this.width, Math.min(displayWidth(escapeForTerminal(name)), maxAlignedWidth))
  }

  /** Returns the prefix of a record; undefined if no prefix is shown. */
  ofRecord({ origin, resource }: ReadRecord): MeasuredText | undefined {
    const name = origin.container ?? (resource.size === 0 ? undefined : this.serviceName(resource.get('service.name')))
    return this.of(origin.file, name)
  }

  /** Returns the prefix of text of no known format, which contains the name of its container already; undefined if no prefix is shown. */
  ofText({ file }: RecordOrigin): MeasuredText | undefined {
    return this.of(file, undefined)
  }

  private serviceName(name: unknown): string | undefined {
    if (typeof name !== 'string') return undefined
    this.firstService ??= name
    if (name !== this.firstService) this.showsServices = true
    return this.showsServices ? name : undefined
  }

  private of(file: string, name: string | undefined): MeasuredText | undefined {
    if (this.hasLast && file === this.lastFile && name === this.lastName) return this.lastPrefix
    const fileName = this.fileNames.size > 1 ? (this.fileNames.get(file) ?? file) : undefined
    const prefix = fileName === undefined && name === undefined ? undefined : this.prefix(fileName, name)
    this.lastFile = file
    this.lastName = name
    this.lastPrefix = prefix
    this.hasLast = true
    return prefix
  }

  private prefix(fileName: string | undefined, name: string | undefined): MeasuredText {
    const key = `${fileName ?? ''}\0${name ?? ''}`
    const cached = this.cache.get(key)
    if (cached !== undefined && cached.width >= this.width + separator.length) return cached
    const plain = escapeForTerminal([fileName, name].filter((part) => part !== undefined).join(' '))
    const ownWidth = displayWidth(plain)
    if (ownWidth > this.width) this.width = Math.min(Math.ceil(ownWidth / widthStep) * widthStep, maxAlignedWidth)
    const padding = ' '.repeat(Math.max(0, this.width - ownWidth))
    const text = this.paint(this.colorOf(key), plain + padding + separator.trimEnd())
    const prefix = { text: `${text} `, width: ownWidth + padding.length + separator.length }
    if (this.cache.size < maxCached) this.cache.set(key, prefix)
    return prefix
  }

  /** Returns the color of an origin: the next one when it is first seen, so that the first origins have different colors. */
  private colorOf(key: string): string {
    const known = this.colors.get(key)
    if (known !== undefined) return known
    const color = prefixColors[this.colors.size % prefixColors.length]!
    if (this.colors.size < maxCached) this.colors.set(key, color)
    return color
  }
}

/** Returns the shown names of files: without their folders, unless two files have the same name. */
function shortNames(files: readonly string[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>()
  for (const file of new Set(files)) counts.set(basename(file), (counts.get(basename(file)) ?? 0) + 1)
  return new Map(files.map((file) => [file, counts.get(basename(file)) === 1 ? basename(file) : file]))
}
