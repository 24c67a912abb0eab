export type Cells = readonly (string | number)[]

/** A table of Markdown; the first line is its head. */
export function tableOf([head, ...lines]: readonly Cells[]): string {
  return [rowOf(head!), rowOf(head!.map(() => '---')), ...lines.map(rowOf)].join('\n')
}

/** Text as text of Markdown, in a cell. */
export function plain(text: string): string {
  return text.replaceAll(/[&<>|[\]`*\\]/g, (character) => `&#${character.charCodeAt(0)};`)
}

function rowOf(cells: Cells): string {
  return `| ${cells.join(' | ')} |`
}
