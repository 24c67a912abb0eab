import { readDocComment, type DocComment, type LinkTo } from './doc-comment.ts'
import { codeSpan, commentDetails, fence } from './comment-markdown.ts'
import { formattedMember } from './formatted-code.ts'
import { sourceText, type ApiItem } from './model-types.ts'
import { optionFacts, typeOf } from './option-facts.ts'

/**
 * Returns a section for each member of a class or an interface. The members of options have a line with their facts.
 *
 * @param owner - the name of the class or interface, with which the anchors begin
 */
export async function membersMarkdown(
  owner: string,
  members: readonly ApiItem[],
  areOptions: boolean,
  linkTo: LinkTo,
): Promise<string> {
  const visible = members.filter(({ isProtected }) => isProtected !== true)
  const byTitle = Map.groupBy(visible, (member) => titleOf(owner, member))
  const sections = [...byTitle].map(async ([title, [first, ...overloads]]) => {
    const comment = readDocComment(first!.docComment, linkTo)
    const body = isProperty(first!)
      ? [propertyLine(first!, comment, areOptions), commentDetails(comment)]
      : [fence(await signatures([first!, ...overloads])), commentDetails(comment)]
    return [`#### \`${title}\` {#${memberAnchor(owner, title)}}`, ...body].join('\n\n')
  })
  return (await Promise.all(sections)).join('\n\n')
}

function memberAnchor(owner: string, title: string): string {
  return `${owner}-${title === '()' ? 'call' : title.replaceAll(/[^\w$]/g, '')}`
}

function titleOf(owner: string, { kind, name = '' }: ApiItem): string {
  if (kind === 'Constructor' || kind === 'ConstructSignature') return `new ${owner}()`
  if (kind === 'CallSignature') return '()'
  if (kind === 'IndexSignature') return '[key]'
  return kind.startsWith('Method') ? `${name}()` : name
}

function isProperty({ kind }: ApiItem): boolean {
  return kind === 'Property' || kind === 'PropertySignature'
}

async function signatures(members: readonly ApiItem[]): Promise<string> {
  return (await Promise.all(members.map((member) => formattedMember(sourceText(member))))).join('\n')
}

function propertyLine(property: ApiItem, comment: DocComment, isOption: boolean): string {
  const { unit, defaultValue, isRequired, since } = optionFacts(property, comment)
  const facts = [`**Type:** ${codeSpan(typeOf(property))}`]
  if (unit !== undefined) facts.push(`**Unit:** ${unit}`)
  if (defaultValue !== undefined) facts.push(`**Default:** ${defaultValue.replaceAll(/\s+/g, ' ')}`)
  else if (isOption && isRequired) facts.push('**Required**')
  if (isOption) facts.push(`**Since:** ${since}`)
  return facts.join(' · ')
}
