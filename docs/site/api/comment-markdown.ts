import type { DocComment } from './doc-comment.ts'

/** Returns the texts of a comment in the order of a page: summary, remarks, parameters, result, errors, examples and links. */
export function commentDetails(comment: DocComment): string {
  const { summary, remarks, params, returns } = comment
  // api-extractor adds a summary to a constructor without a comment.
  const parts = [summary.startsWith('Constructs a new instance of ') ? '' : summary, remarks]
  const described = params.filter(({ text }) => text !== '')
  if (described.length > 0)
    parts.push(`**Parameters**\n\n${described.map(({ name, text }) => `- \`${name}\`: ${indented(text)}`).join('\n')}`)
  if (returns !== '') parts.push(`**Returns** ${sentence(returns)}`)
  for (const text of comment.tag('@throws'))
    parts.push(`**Throws** ${sentence(text.replace(/^(?:[A-Z]\w*)?Error\b/, '`$&`'))}`)
  for (const text of comment.tag('@example')) parts.push(`**Example**\n\n${text}`)
  for (const text of comment.tag('@see')) parts.push(`**See also** ${text}`)
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Returns inline code, also of text with backticks. */
export function codeSpan(code: string): string {
  return code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``
}

/** Returns a block of highlighted code that is not compiled, because it is only a part of a program. */
export function fence(code: string): string {
  return `\`\`\`typescript\n${code}\n\`\`\``
}

function sentence(text: string): string {
  return /[.:]$/.test(text) ? text : `${text}.`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
