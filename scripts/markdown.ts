export type Cells = readonly (string | number)[]

/** Returns a Markdown table. The first row is the header. */
export function tableOf([head, ...lines]: readonly Cells[]): string {
  return [rowOf(head!), rowOf(head!.map(() => '---')), ...lines.map(rowOf)].join('\n')
}

/** Escapes text for a cell of a Markdown table. */
export function plain(text: string): string {
  return text.replaceAll(/[&<>|[\]`*\\]/g, (character) => `&#${character.charCodeAt(0)};`)
}

function rowOf(cells: Cells): string {
  return `| ${cells.join(' | ')} |`
}
