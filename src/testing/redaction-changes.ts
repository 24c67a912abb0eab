/** A record as it is written, as JSON values. */
export interface Written {
  readonly message?: unknown
  readonly attributes?: unknown
}

/** A value that is written in another way with rules than without. */
export interface Change {
  readonly path: string
  /** What is written with the rules; undefined if the member is omitted. */
  readonly replacement: unknown
}

/** Returns the values of a record that is written without rules that differ from those with rules, in the order of `plain`. */
export function changesOf(plain: Written, redacted: Written): Change[] {
  return [
    ...valueChanges(plain.message, redacted.message, '(message)'),
    ...memberChanges(plain.attributes ?? {}, redacted.attributes ?? {}, ''),
  ]
}

function valueChanges(plain: unknown, redacted: unknown, path: string): Change[] {
  if (Array.isArray(plain) && Array.isArray(redacted) && plain.length === redacted.length)
    return plain.flatMap((item, index) => valueChanges(item, redacted[index], `${path}[${index}]`))
  if (isObject(plain) && isObject(redacted)) return memberChanges(plain, redacted, path)
  return JSON.stringify(plain) === JSON.stringify(redacted) ? [] : [{ path, replacement: redacted }]
}

function memberChanges(plain: object, redacted: object, path: string): Change[] {
  const names = Object.keys(redacted)
  const members = new Map<string, unknown>(Object.entries(redacted))
  // Names are redacted in their place, so a missing name at the position of a new one is that name.
  const isSameSize = names.length === Object.keys(plain).length
  return Object.entries(plain).flatMap(([name, value], index) => {
    const memberPath = pathOf(path, name)
    if (members.has(name)) return valueChanges(value, members.get(name), memberPath)
    return [{ path: memberPath, replacement: isSameSize ? names[index] : undefined }]
  })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function pathOf(path: string, name: string): string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}
