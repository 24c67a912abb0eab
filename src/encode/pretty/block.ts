import { counted } from '../../options/counted.ts'
import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { sgr } from './colors.ts'
import { cutScalar, InlineText, isContainer, nameText, type InlineStyle } from './inline.ts'
import { escapedLines } from './visible.ts'
import { displayWidth, fittingLength } from './width.ts'

/** How values are shown that do not fit the line of their record. */
export interface BlockStyle {
  readonly inline: InlineStyle
  /** The width of a line, in columns. */
  readonly width: number
  /** Returns the lines of a stack trace that is a member of a value. */
  stackLines(text: string): readonly string[]
}

/** The maximum number of items of an array with objects or arrays, so that no value fills the terminal. */
const maxContainerItems = 40
/** The maximum number of items of any other array, of which several are on one line. */
const maxScalarItems = 160
const step = '  '
/** The minimum number of columns for a member. Deeper members are not indented further. */
const minMemberWidth = 24
const itemLabel = '- '

/**
 * Returns the lines of a value with a label. A value that fits one line is on that line, unless `isMultilineText` is true for it. Otherwise,
 * members, items and such texts are on further, indented lines after `key:`, and any other value is cut to one line.
 *
 * @param label - the text before the value, such as `key: `
 * @param indent - the spaces at the start of the first line
 */
export function blockLines(label: string, value: AnyValue, indent: string, style: BlockStyle): string[] {
  const { inline: inlineStyle, width } = style
  const { paint } = inlineStyle
  const room = width - indent.length
  const inline = new InlineText(room, inlineStyle)
  const labelText = { text: paint(sgr.dim, label), width: displayWidth(label) }
  if (inline.addMeasured(labelText) && !isMultilineText(value) && inline.addValue(value)) return [indent + inline.text]
  const head = indent + paint(sgr.dim, label.trimEnd())
  const innerIndent = room >= minMemberWidth + step.length ? indent + step : indent
  if (value instanceof Map) {
    const lines = memberLines(value as AnyValueMap, innerIndent, style)
    if (label !== itemLabel || innerIndent === indent) return [head, ...lines]
    // The first member is on the line of the dash.
    return lines.map((line, index) => (index === 0 ? `${head} ${line.slice(innerIndent.length)}` : line))
  }
  if (Array.isArray(value)) return [head, ...itemLines(value as readonly AnyValue[], innerIndent, style)]
  if (isMultilineText(value)) return [head, ...textLines(value, innerIndent, style)]
  return [indent + paint(sgr.dim, label) + cutScalar(value, room - displayWidth(label), paint)]
}

/** Returns whether a value is a text with several lines that is too long to be read with escapes in place of line ends. */
export function isMultilineText(value: AnyValue): value is string {
  return typeof value === 'string' && value.length > 40 && value.includes('\n')
}

function memberLines(object: AnyValueMap, indent: string, style: BlockStyle): string[] {
  const stack = object.get('stacktrace')
  const lines: string[] = []
  // The first line of a stack contains the type and the message.
  const isError = typeof stack === 'string' && stack.includes('\n')
  if (isError) lines.push(...style.stackLines(stack).map((line) => indent + line))
  for (const [key, value] of object) {
    if (isError && (key === 'stacktrace' || key === 'type' || key === 'message')) continue
    lines.push(...blockLines(`${nameText(key)}: `, value, indent, style))
  }
  return lines
}

/** Returns the items of an array: as many on a line as fit if none is an object or array, otherwise each on lines of its own. */
function itemLines(items: readonly AnyValue[], indent: string, style: BlockStyle): string[] {
  const hasContainers = items.slice(0, maxScalarItems).some(isContainer)
  const shown = items.slice(0, hasContainers ? maxContainerItems : maxScalarItems)
  const lines = hasContainers
    ? shown.flatMap((item) => blockLines(itemLabel, item, indent, style))
    : packedLines(shown, indent, style)
  const omitted = items.length - shown.length
  if (omitted > 0) lines.push(indent + style.inline.paint(sgr.dim, `…[+${counted(omitted, 'item')}]`))
  return lines
}

function packedLines(items: readonly AnyValue[], indent: string, { inline: style, width }: BlockStyle): string[] {
  const lines: string[] = []
  const room = width - indent.length
  let column = Infinity
  for (const [index, item] of items.entries()) {
    const comma = index === items.length - 1 ? '' : ','
    const inline = new InlineText(room - comma.length, style)
    const fits = inline.addValue(item)
    const text = (fits ? inline.text : cutScalar(item, room - comma.length, style.paint)) + comma
    const itemWidth = fits ? inline.width + comma.length : room
    if (column + 1 + itemWidth > room) {
      lines.push(indent + text)
      column = itemWidth
    } else {
      lines[lines.length - 1] += ` ${text}`
      column += 1 + itemWidth
    }
  }
  return lines
}

function textLines(text: string, indent: string, { inline: { paint }, width }: BlockStyle): string[] {
  const room = Math.max(1, width - indent.length)
  return escapedLines(text, paint).map((line) => {
    const length = fittingLength(line, room)
    // A line that begins with an escape sequence is the marker for omitted lines in color, which is not cut.
    return (
      indent +
      (length === line.length || line.startsWith('\u001b') ? line : `${line.slice(0, fittingLength(line, room - 1))}…`)
    )
  })
}
