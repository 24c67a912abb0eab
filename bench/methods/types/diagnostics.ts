/** What a compiler reports with `--extendedDiagnostics`. */
export interface Diagnostics {
  /** In ms. */
  readonly checkTime: number
  readonly totalTime: number
  readonly types: number
  readonly instantiations: number
  /** In MB. */
  readonly memory: number
}

/** Parses the output of a compiler. A figure that it does not report is NaN. */
export function parseDiagnostics(output: string): Diagnostics {
  const number = (title: string, unit: string): number =>
    Number(new RegExp(`^${title}: +([\\d.]+)${unit}$`, 'm').exec(output)?.[1] ?? NaN)
  return {
    checkTime: number('Check time', 's') * 1e3,
    totalTime: number('Total time', 's') * 1e3,
    types: number('Types', ''),
    instantiations: number('Instantiations', ''),
    memory: number('Memory used', 'K') / 1e3,
  }
}

/** Returns the errors of the program, and a sentence if the compiler reported no figures. */
export function problemsOfOutput(output: string): string[] {
  const errors = output.split('\n').filter((line) => /\berror TS\d+:/.test(line))
  const figures = Object.values(parseDiagnostics(output))
  return errors.length === 0 && figures.some(Number.isNaN) ? ['the compiler reported no figures'] : errors.slice(0, 3)
}
