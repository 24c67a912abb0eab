import { fstatSync, statSync, type BigIntStats } from 'node:fs'

const [standardInput, standardOutput] = [0, 1]

/**
 * Returns the files without the one that is the standard output, as in `sluice *.log >> all.log`. What is read of it would be written to it
 * again, without an end.
 *
 * @param onOutput - called with the file that is omitted
 */
export function filesExceptOutput(files: readonly string[], onOutput: (file: string) => void): readonly string[] {
  const output = statsOf(() => fstatSync(standardOutput, { bigint: true }))
  if (output?.isFile() !== true) return files
  return files.filter((file) => {
    const input = statsOf(() =>
      file === '-' ? fstatSync(standardInput, { bigint: true }) : statSync(file, { bigint: true }),
    )
    const isOutput = input !== undefined && input.ino === output.ino && input.dev === output.dev
    if (isOutput) onOutput(file)
    return !isOutput
  })
}

/** Returns the result of a function; undefined if it throws, because reading the file reports the error. */
function statsOf(stat: () => BigIntStats): BigIntStats | undefined {
  try {
    return stat()
  } catch {
    return undefined
  }
}
