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
 * `**` for any depth. Spaces and tabs around a name are ignored. Names with `-`, `:`, `@`, inner spaces or a leading digit need
 * no quotes here. As in fast-redact, a quoted star is a wildcard, and `["\*"]` is the name `*`. JavaScript that fast-redact
 * evaluates (`a[1 + 1]`, `${…}`) is rejected. Never throws.
 *
 * @returns the segments, at least one and the last never `**`; or the first fault
 */
export function parseRedactPath(path: string): readonly RedactSegment[] | RedactPathFault {
  const segments: RedactSegment[] = []
  let at = skipSpace(path, 0)
  if (at === path.length) {
    return fault(0, 'the path is empty; write a name, or * for every attribute', 'SLUICE_PATH_NEVER_MATCHES')
  }
  for (;;) {
    const token = path[at] === '[' ? parseBracket(path, at) : parseUnquoted(path, at)
    if (isPathFault(token)) return token
    if (token.segment.kind === 'deep' && segments.at(-1)?.kind === 'deep') {
      return fault(at, '** already matches any depth; remove the second one')
    }
    segments.push(token.segment)

    at = skipSpace(path, token.end)
    if (at === path.length) return completed(segments)
    if (path[at] === '[') continue
    if (path[at] !== '.') return unexpectedCharacter(path, at)
    const dot = at
    at = skipSpace(path, dot + 1)
    if (at === path.length) return fault(dot, 'the path ends with a dot; remove it, or write .* for every member')
    if (path[at] === '[') return fault(dot, 'unexpected dot before a bracket; remove the dot')
    if (path[at] === '.') return fault(at, 'a name is missing between two dots; write .**. for any depth')
  }
}

/** Returns whether the result of parsing is a fault. */
export function isPathFault(result: object): result is RedactPathFault {
  return Object.hasOwn(result, 'code')
}

interface Token {
  readonly segment: RedactSegment
  /** The offset of the text that follows. */
  readonly end: number
}

// A name without quotes: the characters of JavaScript identifiers and those of header and XML names, with spaces inside.
const unquotedName = /[\u200d\u200c\p{ID_Continue}$:@-]+(?: +[\u200d\u200c\p{ID_Continue}$:@-]+)*/uy

/** Parses a name without quotes, or the stars of a wildcard. */
function parseUnquoted(path: string, at: number): Token | RedactPathFault {
  const stars = starsAt(path, at)
  const start = at + stars.length
  unquotedName.lastIndex = start
  const name = unquotedName.exec(path)?.[0] ?? ''
  const end = start + name.length
  if (stars !== '' && name !== '') return fault(at, starInName)
  if (stars !== '') return wildcardToken(stars, at, end)
  if (name === '') return unexpectedCharacter(path, at)
  return path[end] === '*' ? fault(end, starInName) : { segment: { kind: 'name', name }, end }
}

const starInName =
  '* matches a whole name, not a part of one; use keys with a regular expression, such as keys: [/^pass/]'

const quotes: readonly string[] = ['"', "'", '`']

/** Parses a segment in brackets. `open` is the offset of the bracket. */
function parseBracket(path: string, open: number): Token | RedactPathFault {
  const at = skipSpace(path, open + 1)
  if (at === path.length) return unclosedBracket(open)
  const firstCharacter = path[at]!
  const token = quotes.includes(firstCharacter)
    ? parseQuoted(path, at, firstCharacter)
    : firstCharacter === '*'
      ? parseUnquoted(path, at)
      : parseIndex(path, at)
  if (isPathFault(token)) return token

  const end = skipSpace(path, token.end)
  if (path[end] === ']') return { segment: token.segment, end: end + 1 }
  return end === path.length ? unclosedBracket(open) : fault(end, `expected ] instead of ${characterAt(path, end)}`)
}

function unclosedBracket(open: number): RedactPathFault {
  return fault(open, 'this bracket is not closed; add ]')
}

function parseIndex(path: string, at: number): Token | RedactPathFault {
  const name = /^-?\d+/.exec(path.slice(at))?.[0] ?? ''
  if (name === '') {
    return fault(at, 'a bracket must contain a quoted name, an array index or *, such as ["name"]')
  }
  // JavaScript would evaluate [007] or [-0] to a different key than the written one.
  if (String(Number(name)) !== name) return fault(at, `[${name}] is not an array index; write ["${name}"] for the name`)
  return { segment: { kind: 'name', name }, end: at + name.length }
}

/** Parses a name in quotes. `open` is the offset of the opening quote. */
function parseQuoted(path: string, open: number, quote: string): Token | RedactPathFault {
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
  if (path.slice(open + 1, at) === '*') return wildcardToken('*', open, at + 1)
  return { segment: { kind: 'name', name }, end: at + 1 }
}

const controlCharacters = new Map(Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', 0: '\0' }))
const escapeSequence =
  /^\\(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|u\{([\dA-Fa-f]{1,6})\}|(0(?!\d)|[^xu\d\r\n\u2028\u2029]))/u

/** Parses an escape of a JavaScript string. Returns undefined for an escape that JavaScript rejects. */
function escapeAt(path: string, at: number): { readonly text: string; readonly end: number } | undefined {
  const match = escapeSequence.exec(path.slice(at))
  if (match === null) return undefined
  const [whole, twoDigits, fourDigits, bracedDigits, single] = match
  const code = twoDigits ?? fourDigits ?? bracedDigits
  if (code === undefined) return { text: controlCharacters.get(single!) ?? single!, end: at + whole.length }
  const codePoint = parseInt(code, 16)
  return codePoint > 0x10ffff ? undefined : { text: String.fromCodePoint(codePoint), end: at + whole.length }
}

function wildcardToken(stars: string, at: number, end: number): Token | RedactPathFault {
  if (stars.length > 2)
    return fault(at + 2, 'too many stars; write * for one segment, or ** for any number of segments')
  return { segment: stars === '*' ? { kind: 'any' } : { kind: 'deep' }, end }
}

/** Completes a path: `a.**` means everything below `a`, at any depth. */
function completed(segments: RedactSegment[]): readonly RedactSegment[] {
  if (segments.at(-1)?.kind === 'deep') segments.push({ kind: 'any' })
  return segments
}

/** Returns the stars at an offset, or the empty string. */
function starsAt(path: string, at: number): string {
  let end = at
  while (path[end] === '*') end++
  return path.slice(at, end)
}

/** Returns the offset after the spaces and tabs at `at`. */
function skipSpace(path: string, at: number): number {
  let end = at
  while (path[end] === ' ' || path[end] === '\t') end++
  return end
}

/** Returns the fault of a character that is not allowed at `at`. */
function unexpectedCharacter(path: string, at: number): RedactPathFault {
  const list = path[at] === ',' || path[at] === ';' ? 'write one entry for each path, or ' : ''
  return fault(
    at,
    `unexpected ${characterAt(path, at)}; ${list}put a name that contains it in brackets and quotes, such as a["b/c"]`,
  )
}

/** Returns the character at an offset in readable form, even if it is a line end or a lone surrogate. */
function characterAt(path: string, at: number): string {
  return JSON.stringify(String.fromCodePoint(path.codePointAt(at)!))
}

function fault(
  position: number,
  message: string,
  code: RedactPathFault['code'] = 'SLUICE_PATH_SYNTAX',
): RedactPathFault {
  return { code, position, message }
}
