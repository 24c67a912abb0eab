/**
 * Parses JSON by RFC 8259, and also rejects duplicate keys and raw control characters, which `JSON.parse` accepts. Returns the keys of
 * the outermost object, in order. Throws an error with the offset.
 */
export function scanJson(text: string): string[] {
  const scanner = new Scanner(text)
  scanner.value()
  if (scanner.at !== text.length) throw scanner.wrong('unexpected text after the value')
  return scanner.outermost
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y
// C0, DEL, C1.
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f-\u009f]/

class Scanner {
  at = 0
  outermost: string[] = []
  private readonly text: string
  private depth = 0

  constructor(text: string) {
    this.text = text
  }

  value(): void {
    const first = this.text[this.at]
    if (first === '{') this.object()
    else if (first === '[') this.list(']', () => this.value())
    else if (first === '"') this.string()
    else if (!['true', 'false', 'null'].some((word) => this.skip(word))) this.number()
  }

  wrong(what: string): Error {
    return new Error(
      `${what} at ${this.at}: ${JSON.stringify(this.text.slice(Math.max(0, this.at - 60), this.at + 40))}`,
    )
  }

  private object(): void {
    const keys = new Set<string>()
    const isOutermost = this.depth++ === 0
    this.list('}', () => {
      const key = this.string()
      if (keys.has(key)) throw this.wrong(`the key ${JSON.stringify(key)} is a duplicate`)
      keys.add(key)
      if (!this.skip(':')) throw this.wrong('no colon')
      this.value()
    })
    this.depth--
    if (isOutermost) this.outermost = [...keys]
  }

  private list(end: string, item: () => void): void {
    this.at++
    if (this.skip(end)) return
    do item()
    while (this.skip(','))
    if (!this.skip(end)) throw this.wrong(`no ${end}`)
  }

  private string(): string {
    const from = this.at
    if (!this.skip('"')) throw this.wrong('no string')
    while (this.text[this.at] !== '"') {
      if (this.at >= this.text.length) throw this.wrong('a string without an end')
      if (control.test(this.text[this.at]!)) throw this.wrong('a control character')
      this.at += this.text[this.at] === '\\' ? 2 : 1
    }
    this.at++
    const read = JSON.parse(this.text.slice(from, this.at)) as string
    return read
  }

  private number(): void {
    number.lastIndex = this.at
    const found = number.exec(this.text)
    if (found === null) throw this.wrong('no value')
    this.at = number.lastIndex
  }

  private skip(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }
}
