import { Recent } from '../recent.ts'

/** One insertion of a message template. */
export interface Insertion {
  /** The attribute's name; it may hold dots. */
  readonly name: string
  /** What stands behind the first ':', '' if nothing does. `json` asks for the value as JSON, strings quoted. */
  readonly format: string
  /** The placeholder as it was written: what stays when there is no such attribute. */
  readonly source: string
}

/** A parsed message. */
export interface Template {
  /** Texts and insertions, in order, at least one of them an insertion. */
  readonly parts: readonly (string | Insertion)[]
  /** The names of the insertions. */
  readonly names: readonly string[]
}

/**
 * Parses a message such as `'user {userId} in, {{literally}}'`, where '{{' is '{'. undefined: it names no attribute and is plain text, in
 * which no brace is special. Results are kept for some hundreds of messages.
 *
 * What is between the braces is a name unless it is empty or holds a space, a quote, a comma, a slash or a brace: JSON
 * and routes stay as they are. `logger/log-method.ts` gives the compiler the same rules.
 */
export function parseTemplate(message: string): Template | undefined {
  if (!message.includes('{')) return undefined
  let template = parsed.get(message)
  if (template === undefined) {
    template = parse(message) ?? plain
    parsed.keep(message, template)
  }
  return template === plain ? undefined : template
}

/**
 * The message with its attributes. `insert` gives the redacted text of an attribute, undefined where there is none: then
 * the placeholder stays as it was written. `print` is what becomes of the texts between.
 */
export function renderTemplate(
  template: Template,
  insert: (name: string, format: string) => string | undefined,
  print: (text: string) => string = (text) => text,
): string {
  let text = ''
  for (const part of template.parts) {
    text += typeof part === 'string' ? print(part) : (insert(part.name, part.format) ?? part.source)
  }
  return text
}

const plain: Template = { parts: [], names: [] }
const parsed = new Recent<Template>()

function parse(message: string): Template | undefined {
  const parts: Template['parts'][number][] = []
  let text = ''
  // As the types do: '{{' divides the message first, whatever stands around it; a placeholder never spans one.
  const sections = message.split('{{')
  // '}}' is '}' only beside a '{{', so that '{{x}}' comes out as '{x}' and the end of nested JSON stays as it is.
  const unescaped = (text: string) => (sections.length > 1 ? text.replaceAll('}}', '}') : text)
  for (let i = 0; i < sections.length; i++) {
    if (i > 0) text += '{'
    let rest = sections[i]!
    for (let open = rest.indexOf('{'); open >= 0; open = rest.indexOf('{')) {
      const close = rest.indexOf('}', open)
      if (close < 0) break
      const insertion = insertionOf(rest.slice(open, close + 1))
      text += unescaped(rest.slice(0, open))
      if (insertion === undefined) {
        text += rest.slice(open, close + 1)
      } else {
        if (text !== '') parts.push(text)
        parts.push(insertion)
        text = ''
      }
      rest = rest.slice(close + 1)
    }
    text += unescaped(rest)
  }
  if (text !== '') parts.push(text)
  const names = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.name]))
  return names.length > 0 ? { parts, names: [...new Set(names)] } : undefined
}

const notName = /[ "',/{]/

function insertionOf(source: string): Insertion | undefined {
  const inner = source.slice(1, -1)
  if (inner === '' || inner.startsWith(':') || notName.test(inner)) return undefined
  const colon = inner.indexOf(':')
  return colon < 0
    ? { name: inner, format: '', source }
    : { name: inner.slice(0, colon), format: inner.slice(colon + 1), source }
}
