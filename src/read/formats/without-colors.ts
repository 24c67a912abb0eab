/** Returns a text without the escape sequences that set colors (ECMA-48, SGR). */
export function withoutColors(text: string): string {
  return text.includes('\u001B') ? text.replaceAll(colors, '') : text
}

// oxlint-disable-next-line no-control-regex
const colors = /\u001B\[[\d;]*m/g
