/** A line of the original as the fronts of this package write it: DEL and C1, which a terminal obeys, are escaped. */
export function withControlsEscaped(line: string): string {
  // oxlint-disable-next-line no-control-regex
  return line.replaceAll(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)
}
