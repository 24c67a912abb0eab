import type { Paint } from '../../encode/pretty/colors.ts'
import { InlineStyle, isBareWord } from '../../encode/pretty/inline.ts'
import type { AttributeText } from '../../read/formats/json-record.ts'
import { MemberNames, type MemberName } from './member-names.ts'

/** Records with more attributes are rendered with their values. */
const maxAttributes = 64

/** Reads the attributes of a simple object as the texts that the terminal format shows for their values, without parsing them. */
export class SimpleAttributes {
  /** The number of attributes. */
  count = 0
  /** Whether the attributes are of an HTTP request. */
  isRequest = false
  /** The names of the attributes. */
  readonly names: MemberName[] = []
  /** The texts of the values, with their colors. */
  readonly shown: string[] = []
  /** The numbers of columns of the values. */
  readonly widths: number[] = []
  private readonly starts: number[] = []
  private readonly ends: number[] = []
  private readonly memberNames: MemberNames
  private readonly style: InlineStyle
  private text = ''
  /** The position that is read next; -1 if the attributes cannot be shown without their values. */
  private at = 0
  private width = 0
  /** The number of the last object, to recognize names that occur twice in one. */
  private objects = 0

  constructor(paint: Paint) {
    this.style = new InlineStyle(paint)
    this.memberNames = new MemberNames(paint)
  }

  /** Reads the attributes of a record. Returns whether they can be shown without their values. */
  read({ text, start }: AttributeText): boolean {
    const { names, memberNames } = this
    const object = ++this.objects
    this.text = text
    this.isRequest = false
    memberNames.begin()
    let count = 0
    let at = start
    while (text.charCodeAt(at) !== closeBrace) {
      if (text.charCodeAt(at) === comma) at++
      const name = memberNames.read(text, at)
      if (name === undefined || name.isSpecial || name.lastObject >= object || count === maxAttributes) return false
      name.lastObject = object
      this.at = at += name.json.length
      this.width = 0
      this.shown[count] = this.value()
      if (this.at < 0) return false
      if (name.isRequestField) {
        // Only strings and numbers are shown with a request.
        const first = text.charCodeAt(at)
        if (first > nine) return false
        if (first === quote && name.name === 'http.request.method') this.isRequest = true
      }
      names[count] = name
      this.starts[count] = at
      this.ends[count] = at = this.at
      this.widths[count++] = this.width
    }
    this.count = count
    return true
  }

  /** Returns an attribute of a request or its response; undefined without it. */
  readonly requestField = (name: string): string | number | undefined => {
    const { names, text } = this
    for (let index = 0; index < this.count; index++) {
      if (names[index]!.name !== name) continue
      const start = this.starts[index]!
      if (text.charCodeAt(start) === quote) return text.slice(start + 1, this.ends[index]! - 1)
      return Number(text.slice(start, this.ends[index]))
    }
    return undefined
  }

  /** Reads a value, and adds its width. Returns its text. */
  private value(): string {
    const { text, at } = this
    const first = text.charCodeAt(at)
    if (first === quote) {
      const end = text.indexOf('"', at + 1)
      this.at = end + 1
      const value = text.slice(at + 1, end)
      const shown = isBareWord(value) ? value : text.slice(at, end + 1)
      this.width += shown.length
      return shown
    }
    if (first === openBrace) return this.members()
    if (first === openBracket) return this.items()
    let end = at + 1
    for (let unit = text.charCodeAt(end); unit !== comma && unit !== closeBrace && unit !== closeBracket;)
      unit = text.charCodeAt(++end)
    this.at = end
    this.width += end - at
    return text.slice(at, end)
  }

  private members(): string {
    const { text, style, memberNames } = this
    const object = ++this.objects
    let at = this.at + 1
    if (text.charCodeAt(at) === closeBrace) return this.empty(style.emptyObject)
    let shown = style.openBrace
    while (text.charCodeAt(at) !== closeBrace) {
      if (text.charCodeAt(at) === comma) {
        at++
        shown += style.comma
      }
      const name = memberNames.read(text, at)
      // A name that is known from an inner object may occur only once, but that is rare.
      if (name === undefined || name.isSpecial || name.lastObject >= object) return this.fail()
      name.lastObject = object
      this.at = at + name.json.length
      // With the braces or the comma and a space.
      this.width += name.width + 4
      shown += name.member + this.value()
      if (this.at < 0) return ''
      at = this.at
    }
    this.at = at + 1
    return shown + style.closeBrace
  }

  private items(): string {
    const { text, style } = this
    let at = this.at + 1
    if (text.charCodeAt(at) === closeBracket) return this.empty(style.emptyArray)
    let shown = style.openBracket
    while (text.charCodeAt(at) !== closeBracket) {
      if (text.charCodeAt(at) === comma) {
        at++
        shown += style.comma
      }
      this.at = at
      this.width += 2
      shown += this.value()
      if (this.at < 0) return ''
      at = this.at
    }
    this.at = at + 1
    return shown + style.closeBracket
  }

  private empty(text: string): string {
    this.at += 2
    this.width += 2
    return text
  }

  private fail(): string {
    this.at = -1
    return ''
  }
}

const quote = 34
const comma = 44
const nine = 57
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const closeBrace = 125
