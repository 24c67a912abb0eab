import { RecentCache } from '../recent-cache.ts'

/** A placeholder of a message template. */
export interface Placeholder {
  /** The attribute's name, which may contain dots. */
  readonly name: string
  /**
   * The text after the first ':', or ''. If it is `json`, the value is inserted as JSON, with quoted strings; if it is `duration`, a number
   * of seconds is inserted as `14ms` or `1.2s`.
   */
  readonly format: string
  /** The placeholder itself, with its braces, which stays in the text if the attribute is missing. */
  readonly source: string
}

/** A parsed message. */
export interface Template {
  /** Texts and placeholders, in order, with at least one placeholder. */
  readonly parts: readonly (string | Placeholder)[]
  /** The names of the attributes in the placeholders, each once. */
  readonly names: readonly string[]
}

/**
 * Parses a message such as `'user {userId} in, {{literally}}'`, where '{{' means '{'. Returns undefined if the message names no attribute:
 * then it is plain text, in which braces have no meaning. Results are cached for several hundred messages.
 *
 * The text between braces is a name, optionally followed by a colon and a format, unless it is empty, begins with a colon, or contains a
 * space, a quote, a comma, a slash or a brace, so JSON and routes stay unchanged. The types in `logger/log-method.ts` follow the same
 * rules.
 */
export function parseTemplate(message: string): Template | undefined {
  if (!message.includes('{')) return undefined
  let template = parsedTemplates.get(message)
  if (template === undefined) {
    template = parse(message) ?? noPlaceholders
    parsedTemplates.set(message, template)
  }
  return template === noPlaceholders ? undefined : template
}

/**
 * Renders a message with its attributes.
 *
 * @param insert - returns the redacted text of an attribute; undefined if it is missing, and then the placeholder stays unchanged
 * @param print - formats the texts between the placeholders, which may contain printf-style placeholders such as `%s`
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

const noPlaceholders: Template = { parts: [], names: [] }
const parsedTemplates = new RecentCache<Template>()

function parse(message: string): Template | undefined {
  const parts: Template['parts'][number][] = []
  let text = ''
  // The message is split at '{{' first, regardless of the text around it, so a placeholder never contains '{{'. The types in
  // `logger/log-method.ts` do the same.
  const sections = message.split('{{')
  // '}}' means '}' only in a message that also contains '{{', so that '{{x}}' becomes '{x}' and the end of nested JSON stays unchanged.
  const unescaped = (part: string) => (sections.length > 1 ? part.replaceAll('}}', '}') : part)
  for (let i = 0; i < sections.length; i++) {
    if (i > 0) text += '{'
    let rest = sections[i]!
    for (let open = rest.indexOf('{'); open >= 0; open = rest.indexOf('{')) {
      const close = rest.indexOf('}', open)
      if (close < 0) break
      const placeholder = placeholderOf(rest.slice(open, close + 1))
      text += unescaped(rest.slice(0, open))
      if (placeholder === undefined) {
        text += rest.slice(open, close + 1)
      } else {
        if (text !== '') parts.push(text)
        parts.push(placeholder)
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

/** A character that a name between braces does not contain. */
const notInName = /[ "',/{]/

function placeholderOf(source: string): Placeholder | undefined {
  const inner = source.slice(1, -1)
  if (inner === '' || inner.startsWith(':') || notInName.test(inner)) return undefined
  const colon = inner.indexOf(':')
  return colon < 0
    ? { name: inner, format: '', source }
    : { name: inner.slice(0, colon), format: inner.slice(colon + 1), source }
}
