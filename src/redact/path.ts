/** A segment of a path: a member's name, `*` (any one member or item) or `**` (any number of them, including none). */
export type RedactSegment =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'deep' }

/** The reason why a path is rejected. */
export interface RedactPathFault {
  /** `SLUICE_PATH_SYNTAX`, or `SLUICE_PATH_NEVER_MATCHES` if the path is valid but cannot match anything. */
  readonly code: 'SLUICE_PATH_SYNTAX' | 'SLUICE_PATH_NEVER_MATCHES'
  /** The offset of the offending character, in UTF-16 units. */
  readonly position: number
  /** The error, and what to write instead. */
  readonly message: string
}

/**
 * Parses a path in the grammar of fast-redact 3.5: `a.b`, `a["b-c"]`, `a['b']`, a[`b`], `a[0]`, `*.a`, `a.*`, `a[*].b`, and
 * `**` for any depth. Spaces around a name are ignored. Names with `-`, `:`, `@`, inner spaces or a leading digit need
 * no quotes here. As in fast-redact, a quoted star is a wildcard, and `["\*"]` is the name `*`. JavaScript that fast-redact
 * evaluates (`a[1 + 1]`, `${…}`) is rejected. Never throws.
 *
 * @returns the segments, at least one and the last never `**`; or the first fault
 */
export function parseRedactPath(path: string): readonly RedactSegment[] | RedactPathFault {
  const segments: RedactSegment[] = []
  let at = afterSpace(path, 0)
  if (at === path.length) {
    return fault(0, 'the path is empty; write a name, or * for every attribute', 'SLUICE_PATH_NEVER_MATCHES')
  }
  for (;;) {
    const token = path[at] === '[' ? bracket(path, at) : bare(path, at)
    if (isFault(token)) return token
    if (token.segment.kind === 'deep' && segments.at(-1)?.kind === 'deep') {
      return fault(at, '** already matches any depth; remove the second one')
    }
    segments.push(token.segment)

    at = afterSpace(path, token.end)
    if (at === path.length) return closed(segments)
    if (path[at] === '[') continue
    if (path[at] !== '.') return unexpected(path, at)
    const dot = at
    at = afterSpace(path, dot + 1)
    if (at === path.length) return fault(dot, 'the path ends with a dot; remove it, or write .* for every member')
    if (path[at] === '[') return fault(dot, 'unexpected dot before a bracket; remove the dot')
    if (path[at] === '.') return fault(at, 'a name is missing between two dots; write .**. for any depth')
  }
}

/** Returns whether the result of parsing is a fault. */
export function isFault(read: object): read is RedactPathFault {
  return Object.hasOwn(read, 'code')
}

interface Token {
  readonly segment: RedactSegment
  /** The offset of the text that follows. */
  readonly end: number
}

// A name without quotes: the characters of JavaScript identifiers, and those of header and XML names.
const bareName = /[\u200d\u200c\p{ID_Continue}$:@-]+(?: +[\u200d\u200c\p{ID_Continue}$:@-]+)*/uy

function bare(path: string, at: number): Token | RedactPathFault {
  const stars = starsAt(path, at)
  const start = at + stars.length
  bareName.lastIndex = start
  const name = bareName.exec(path)?.[0] ?? ''
  const end = start + name.length
  if (stars !== '' && name !== '') return fault(at, partOfName)
  if (stars !== '') return wildcard(stars, at, end)
  if (name === '') return unexpected(path, at)
  return path[end] === '*' ? fault(end, partOfName) : { segment: { kind: 'name', name }, end }
}

const partOfName =
  '* matches a whole name, not a part of one; use keys with a regular expression, such as keys: [/^pass/]'

const quotes: readonly string[] = ['"', "'", '`']

function bracket(path: string, open: number): Token | RedactPathFault {
  const at = afterSpace(path, open + 1)
  if (at === path.length) return unclosed(open)
  const first = path[at]!
  const token = quotes.includes(first) ? quoted(path, at, first) : first === '*' ? bare(path, at) : index(path, at)
  if (isFault(token)) return token

  const end = afterSpace(path, token.end)
  if (path[end] === ']') return { segment: token.segment, end: end + 1 }
  return end === path.length ? unclosed(open) : fault(end, `expected ] instead of ${show(path, end)}`)
}

function unclosed(open: number): RedactPathFault {
  return fault(open, 'this bracket is not closed; add ]')
}

function index(path: string, at: number): Token | RedactPathFault {
  const name = /^-?\d+/.exec(path.slice(at))?.[0] ?? ''
  if (name === '') {
    return fault(at, 'a bracket must contain a quoted name, an array index or *, such as ["name"]')
  }
  // JavaScript would evaluate [007] or [-0] to a different key than the written one.
  if (String(Number(name)) !== name) return fault(at, `[${name}] is not an array index; write ["${name}"] for the name`)
  return { segment: { kind: 'name', name }, end: at + name.length }
}

function quoted(path: string, open: number, quote: string): Token | RedactPathFault {
  let name = ''
  let at = open + 1
  while (at < path.length && path[at] !== quote) {
    if (quote === '`' && path.startsWith('${', at))
      return fault(at, 'expressions in paths are not evaluated; write the name itself')
    const character = path[at] === '\\' ? escapeAt(path, at) : { text: path[at]!, end: at + 1 }
    if (character === undefined) return fault(at, 'invalid escape sequence; write \\\\ for a backslash')
    name += character.text
    at = character.end
  }
  if (at >= path.length) return fault(open, `this quote is not closed; end the name with ${quote}`)
  // fast-redact removes the quotes before it searches for stars, and ignores an escaped star.
  if (path.slice(open + 1, at) === '*') return wildcard('*', open, at + 1)
  return { segment: { kind: 'name', name }, end: at + 1 }
}

const escapes = new Map(Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', 0: '\0' }))
const escape = /^\\(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|u\{([\dA-Fa-f]{1,6})\}|(0(?!\d)|[^xu\d\r\n\u2028\u2029]))/u

/** Parses an escape of a JavaScript string. Returns undefined for an escape that JavaScript rejects. */
function escapeAt(path: string, at: number): { readonly text: string; readonly end: number } | undefined {
  const match = escape.exec(path.slice(at))
  if (match === null) return undefined
  const [all, two, four, braced, single] = match
  const code = two ?? four ?? braced
  if (code === undefined) return { text: escapes.get(single!) ?? single!, end: at + all.length }
  const point = parseInt(code, 16)
  return point > 0x10ffff ? undefined : { text: String.fromCodePoint(point), end: at + all.length }
}

function wildcard(stars: string, at: number, end: number): Token | RedactPathFault {
  if (stars.length > 2)
    return fault(at + 2, 'too many stars; write * for one segment, or ** for any number of segments')
  return { segment: stars === '*' ? { kind: 'any' } : { kind: 'deep' }, end }
}

/** Completes a path: `a.**` means everything below `a`, at any depth. */
function closed(segments: RedactSegment[]): readonly RedactSegment[] {
  if (segments.at(-1)?.kind === 'deep') segments.push({ kind: 'any' })
  return segments
}

function starsAt(path: string, at: number): string {
  let end = at
  while (path[end] === '*') end++
  return path.slice(at, end)
}

function afterSpace(path: string, at: number): number {
  let end = at
  while (path[end] === ' ' || path[end] === '\t') end++
  return end
}

function unexpected(path: string, at: number): RedactPathFault {
  const list = path[at] === ',' || path[at] === ';' ? 'write one entry for each path, or ' : ''
  return fault(
    at,
    `unexpected ${show(path, at)}; ${list}put a name that contains it in brackets and quotes, such as a["b/c"]`,
  )
}

/** Returns the character in readable form, even if it is a line end or a lone surrogate. */
function show(path: string, at: number): string {
  return JSON.stringify(String.fromCodePoint(path.codePointAt(at)!))
}

function fault(
  position: number,
  message: string,
  code: RedactPathFault['code'] = 'SLUICE_PATH_SYNTAX',
): RedactPathFault {
  return { code, position, message }
}
