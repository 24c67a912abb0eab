/** The spaces before each line of a record other than its first, so that no value can forge a record. */
export const indent = '    '

/** The first lines of a record: texts one after the other, each on the next line if it does not fit. */
export class LineWrapper {
  text: string
  /** The maximum width of a text on a line of its own. */
  readonly maxInlineWidth: number
  private column: number
  private readonly width: number
  private separator = '  '

  /**
   * @param text - the beginning of the record
   * @param column - the width of the last line of `text`; Infinity if the first text that is added begins on a new line
   * @param width - the maximum width of a line
   */
  constructor(text: string, column: number, width: number) {
    this.text = text
    this.column = column
    this.width = width
    this.maxInlineWidth = width - indent.length
  }

  /** Adds a text of the given width. */
  add(text: string, width: number): void {
    const next = this.column + this.separator.length + width
    if (next <= this.width) {
      this.text += this.separator + text
      this.column = next
    } else {
      this.text += `\n${indent}${text}`
      this.column = indent.length + width
    }
    this.separator = ' '
  }

  /** Separates the next text by two spaces instead of one if it is on the same line. */
  endGroup(): void {
    this.separator = '  '
  }
}
