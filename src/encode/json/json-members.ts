/** Splits the members of a JSON object, given without braces. The text was written by this package, so it is valid. */
export function splitMembers(text: string): string[] {
  const members: string[] = []
  for (let start = 0; start < text.length;) {
    const end = memberEnd(text, start)
    members.push(text.slice(start, end))
    start = end + 1
  }
  return members
}

/** Returns the position after the member that starts at `from`: that of the comma, or the end of the text. */
export function memberEnd(text: string, from: number): number {
  return valueEnd(text, stringEnd(text, from) + 1)
}

/** Returns the position after the string literal that starts at `from`. */
export function stringEnd(text: string, from: number): number {
  for (let quote = text.indexOf('"', from + 1); ; quote = text.indexOf('"', quote + 1)) {
    // A quote is escaped by a backslash (92) that is not escaped itself: after an odd number of backslashes.
    let before = quote - 1
    while (text.charCodeAt(before) === 92) before--
    if ((quote - before) % 2 === 1) return quote + 1
  }
}

/** Returns the key of the member that starts at `from`. */
export function keyAt(text: string, from: number = 0): string {
  const literal = text.slice(from, stringEnd(text, from))
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)
}

/** Returns the value of a member, as JSON. */
export function valueOf(member: string): string {
  return member.slice(stringEnd(member, 0) + 1)
}

function valueEnd(text: string, from: number): number {
  const first = text.charCodeAt(from)
  // 34 is a quote, 123 and 91 are the opening brackets of objects and arrays.
  if (first === 34) return stringEnd(text, from)
  if (first === 123 || first === 91) return containerEnd(text, from)
  const comma = text.indexOf(',', from)
  return comma < 0 ? text.length : comma
}

/** Returns the position after the object or array that starts at `from`. */
function containerEnd(text: string, from: number): number {
  let depth = 0
  for (let i = from; ; i++) {
    const code = text.charCodeAt(i)
    // 34 is a quote, 123 and 91 are opening brackets, 125 and 93 closing ones.
    if (code === 34) i = stringEnd(text, i) - 1
    else if (code === 123 || code === 91) depth++
    else if ((code === 125 || code === 93) && --depth === 0) return i + 1
  }
}
