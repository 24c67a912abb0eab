import { extname } from 'node:path'

/** The extensions of compressed files that are read. */
const compressedExtension = /\.(?:gz|zst|br)$/

/**
 * Recognizes the names that files get when they are rotated: `app.log.1`, `app.log-20261121`, `app.2026-11-21T10-00-00-000Z.log`,
 * `app-1.log`, `20261121-app.log`, `app.log.old`, each also with `.gz`, `.zst` or `.br`.
 */
export class RotatedFileNames {
  private readonly base: string
  private readonly stem: string
  private readonly extension: string

  /**
   * @param base - The name of the followed file.
   * @param isNumbered - Whether the name has a number or date itself, because a link to the newest file is followed.
   */
  constructor(base: string, isNumbered = false) {
    this.base = base
    this.extension = extname(base)
    const stem = base.slice(0, base.length - this.extension.length)
    this.stem = isNumbered ? stem.replace(/[-._\dTZ]+$/, '') : stem
  }

  /** Returns whether a name can be that of a rotated file. */
  matches(name: string): boolean {
    const { base, stem, extension } = this
    if (name === base || stem === '') return false
    const plain = name.replace(compressedExtension, '')
    if (plain.endsWith(base) && plain !== base) return isDateOrNumber(plain.slice(0, -base.length))
    if (!plain.startsWith(stem)) return false
    const rest = plain.slice(stem.length)
    const middle = rest.startsWith(extension)
      ? rest.slice(extension.length)
      : rest.endsWith(extension)
        ? rest.slice(0, rest.length - extension.length)
        : undefined
    return (
      plain === base || (middle !== undefined && (isDateOrNumber(middle) || /^[-._](?:old|bak|prev)$/.test(middle)))
    )
  }
}

/** Returns whether a name is that of a compressed file. */
export function isCompressedName(name: string): boolean {
  return compressedExtension.test(name)
}

/**
 * Compares the names of two rotated files, for files whose times are equal: the older one first. A higher number at the end is older
 * (`app.log.2`), an earlier date is older.
 */
export function compareAge(a: string, b: string): number {
  const [numberA, numberB] = [finalNumber(a), finalNumber(b)]
  if (numberA !== undefined && numberB !== undefined) return numberB - numberA
  return a < b ? -1 : a > b ? 1 : 0
}

function finalNumber(name: string): number | undefined {
  const digits = /\.(\d{1,5})$/.exec(name.replace(compressedExtension, ''))?.[1]
  return digits === undefined ? undefined : Number(digits)
}

function isDateOrNumber(text: string): boolean {
  return /\d/.test(text) && /^[-._:+@TZ\d]+$/.test(text)
}
