/** The members of a JSON object's inside, as text. The text is our own, so it is well formed. */
export function splitMembers(text: string): string[] {
  const members: string[] = []
  let start = 0
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 34) i = stringEnd(text, i)
    else if (code === 123 || code === 91) depth++
    else if (code === 125 || code === 93) depth--
    else if (code === 44 && depth === 0) {
      members.push(text.slice(start, i))
      start = i + 1
    }
    if (code === 34) i--
  }
  if (start < text.length) members.push(text.slice(start))
  return members
}

/** The position behind the string literal that starts at `from`. */
export function stringEnd(text: string, from: number): number {
  let i = from + 1
  while (text.charCodeAt(i) !== 34) i += text.charCodeAt(i) === 92 ? 2 : 1
  return i + 1
}

/** The key of a member. */
export function keyOf(member: string): string {
  const literal = member.slice(0, stringEnd(member, 0))
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)
}

/** The value of a member, as JSON. */
export function valueOf(member: string): string {
  return member.slice(stringEnd(member, 0) + 1)
}
