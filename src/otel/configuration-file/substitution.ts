import type { Environment } from '../../platform/node/variables.ts'

/** The value of a YAML scalar. */
export type ScalarValue = string | number | boolean | null

/** An error for a `${…}` reference that is not a valid environment variable substitution. */
export class SubstitutionError extends Error {}

/**
 * Replaces references to environment variables: `${NAME}`, `${env:NAME}` and `${NAME:-default}`. `$$` is an escaped `$`. Inserted
 * values are not searched for further references.
 *
 * @throws SubstitutionError if a reference is invalid. It has no message, which could contain a secret.
 */
export function substituteVariables(text: string, env: Environment): string {
  // Split at escapes, so that no reference spans one.
  return text
    .split('$$')
    .map((part) => part.replace(referencePattern, (_, content: string) => substitutedValue(content, env)))
    .join('$')
}

/** Returns the value of a plain (unquoted) scalar according to the YAML 1.2 core schema. */
export function plainScalar(text: string): ScalarValue {
  const trimmed = text.trim()
  if (/^(?:~|null|Null|NULL|)$/.test(trimmed)) return null
  if (/^(?:true|True|TRUE)$/.test(trimmed)) return true
  if (/^(?:false|False|FALSE)$/.test(trimmed)) return false
  if (/^(?:[-+]?\d+|0o[0-7]+|0x[\da-fA-F]+)$/.test(trimmed)) return Number(trimmed)
  if (/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(trimmed)) return Number(trimmed)
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(trimmed)) return trimmed.startsWith('-') ? -Infinity : Infinity
  if (/^\.(?:nan|NaN|NAN)$/.test(trimmed)) return NaN
  return text
}

const referencePattern = /\$\{([^}]+)\}/g
const variablePattern = /^(?:env:)?([a-zA-Z_]\w*)(?::-([^\n]*))?$/

function substitutedValue(content: string, env: Environment): string {
  const [, name, fallback = ''] = variablePattern.exec(content) ?? []
  if (name === undefined) throw new SubstitutionError()
  return valueIn(env, name) || fallback
}

/** Reads only own properties, because `process.env` inherits from `Object.prototype`. */
function valueIn(env: Environment, name: string): string {
  try {
    return (Object.hasOwn(env, name) ? env[name] : undefined) ?? ''
  } catch {
    return '' // Deno without the permission to read it
  }
}
