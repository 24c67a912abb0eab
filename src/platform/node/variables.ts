/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns a variable's value without the spaces around it, or undefined if it is unset, empty or blank. Never throws. */
export function valueOf(env: Environment, variable: string): string | undefined {
  const value = readVariable(env, variable)?.trim() ?? ''
  return value === '' ? undefined : value
}

/** Returns a variable's value, or undefined if it is unset. Never throws. */
export function readVariable(env: Environment, variable: string): string | undefined {
  try {
    // Read own properties only: process.env inherits from Object.prototype.
    const value: unknown = Object.hasOwn(env, variable) ? env[variable] : undefined
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined // Deno without the permission to read the variable
  }
}
