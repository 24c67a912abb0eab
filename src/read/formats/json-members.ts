import { member } from '../../options/own-members.ts'

/** The members of a JSON object, as `JSON.parse` returns them. */
export type JsonMembers = Readonly<Record<string, unknown>>

/** Returns the members of a text that is a JSON object; undefined for every other text, including one that is cut or damaged. Never throws. */
export function parseMembers(text: string): JsonMembers | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isMembers(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Parses the same text, with a BigInt for each integer whose digits a number does not keep. This takes several times as long as
 * `parseMembers`, so it is used only for texts with such an integer. Returns undefined if the text is nested too deeply for it.
 */
export function parseMembersExactly(text: string): JsonMembers | undefined {
  try {
    const value: unknown = (JSON.parse as ParseWithSource)(text, exactInteger)
    return isMembers(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a value is an object, and not an array or null. */
export function isMembers(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an own member; undefined if it is missing. */
export function memberOf(members: JsonMembers, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

/** Returns whether a number is an integer that may have lost digits. */
export function isInexact(value: number): boolean {
  return value > Number.MAX_SAFE_INTEGER || value < -Number.MAX_SAFE_INTEGER
}

/** `JSON.parse` with the source text of each primitive value, which the types of ECMAScript 2024 do not include. */
type ParseWithSource = (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown

function exactInteger(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || !isInexact(value)) return value
  const source = member(context, 'source')
  if (source === undefined) return value
  return source === String(value) || !integerPattern.test(source) ? value : BigInt(source)
}

const integerPattern = /^-?\d+$/
