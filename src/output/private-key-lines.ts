import type { RecordOrigin } from '../read/record.ts'

/** Finds the lines of private keys that extend over several lines or records. The lines of each container are separate. */
export class PrivateKeyLines {
  /** How many more characters can belong to a key whose last line is still to come, by the origin of its lines. */
  private readonly remaining = new Map<string, number>()

  /**
   * Returns what follows the end of a key in a text that continues it; undefined if the text is not part of a key.
   *
   * @param isAnyText - whether each text belongs to an open key, and not only one that looks like a line of it
   */
  textAfter(text: string, origin: RecordOrigin, isAnyText: boolean): string | undefined {
    const name = this.remaining.size === 0 ? '' : nameOf(origin)
    const remaining = this.remaining.get(name)
    // The start of a key can have been skipped, for example by `--tail`.
    if (remaining === undefined) return isFullKeyLine(text) ? '' : undefined
    const end = keyEnd.exec(text)
    if (remaining > text.length && end === null) this.remaining.set(name, remaining - text.length)
    else this.remaining.delete(name)
    if (end !== null) return text.slice(end.index + end[0].length).replace(/^\r?\n/, '')
    return isAnyText || text.split('\n').every((line) => keyLine.test(line)) ? '' : undefined
  }

  /** Remembers whether a key begins in a text and does not end in it. */
  findStart(text: string, origin: RecordOrigin): void {
    if (!text.includes('-----BEGIN ')) return
    const start = Array.from(text.matchAll(keyStart)).at(-1)
    if (start === undefined || keyEnd.test(text.slice(start.index))) return
    if (this.remaining.size >= maxOpenKeys) this.remaining.delete(this.remaining.keys().next().value!)
    this.remaining.set(nameOf(origin), maxKeyLength)
  }
}

function nameOf({ file, container, stream }: RecordOrigin): string {
  return [file, container, stream].join('\n')
}

/** Returns whether a text is a line of base64 of the length that a PEM file has, also with the prefix of a container: `web-1 | `, `[pod/web] `, `pod web `. */
function isFullKeyLine(text: string): boolean {
  return text.length < 400 && fullKeyLine.test(text) && !/[\da-f]{60}/.test(text)
}

/** The size of a private key in text, at most; otherwise a key without an end would redact all text after it. */
const maxKeyLength = 16_384
const maxOpenKeys = 10_000
const keyStart = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
const keyEnd = /-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/
/** Base64, or a header such as `Proc-Type: 4,ENCRYPTED`. */
const keyLine = /^\s*(?:[\w+/=-]*|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): .*)\s*$/
const fullKeyLine = /^(?:\S{1,255} +\| |\[\S{1,255}\] |\S{1,255} \S{1,255} )?[A-Za-z\d+/]{60,76}={0,2}\r?\n?$/
