import { titleOf } from '../.vitepress/source-files.ts'
import { addressOf, isAtHome, type ApiExport, type ApiIndex } from './api-index.ts'
import { commentDetails, fence } from './comment-markdown.ts'
import { readDocComment, type LinkTo } from './doc-comment.ts'
import type { ApiEntry } from './entries.ts'
import { formatted, formattedDeclaration } from './formatted-code.ts'
import { membersMarkdown } from './members.ts'
import { sourceText, type ApiItem } from './model-types.ts'
import { isOptions } from './option-facts.ts'

/** The kinds of exports in the order of a page. An export is in the first section that matches one of its declarations. */
const sections: readonly (readonly [title: string, matches: (item: ApiItem) => boolean])[] = [
  ['Functions', ({ kind }) => kind === 'Function'],
  ['Classes', ({ kind }) => kind === 'Class'],
  ['Values', ({ kind }) => kind === 'Variable'],
  ['Options', isOptions],
  ['Interfaces', ({ kind }) => kind === 'Interface'],
  ['Types', ({ kind }) => kind === 'TypeAlias'],
]

/** Returns the page of an entry as Markdown. */
export async function entryPage(index: ApiIndex, entry: ApiEntry): Promise<string> {
  const exports = index.exportsOf(entry)
  const parts = [
    `# ${entry.specifier}`,
    entry.purpose,
    entry.usage ?? fence(await importOf(entry, exports)),
    guidesLine(entry),
  ]
  const rest = new Set(exports.filter(isAtHome))
  for (const [title, matches] of sections) {
    const matching = [...rest].filter(({ items }) => items.some(matches)).toSorted(byName)
    if (matching.length === 0) continue
    parts.push(`## ${title}`)
    for (const each of matching) {
      rest.delete(each)
      parts.push(await exportSection(index, each))
    }
  }
  if (rest.size > 0)
    throw new Error(`${entry.specifier}: no section for ${[...rest].map(({ name }) => name).join(', ')}`)
  const others = exports.filter((each) => !isAtHome(each))
  if (others.length > 0) parts.push(`## Also exported`, ...others.toSorted(byName).map(otherExport))
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

async function importOf({ specifier }: ApiEntry, exports: readonly ApiExport[]): Promise<string> {
  const values = exports.filter(({ items }) => items.some(({ kind }) => /^(?:Function|Class|Variable)$/.test(kind)))
  const defaultName = values.find(({ isDefault }) => isDefault)?.name
  const names = values.flatMap(({ name }) => (name === defaultName ? [] : [name])).toSorted()
  if (defaultName !== undefined) return `import ${defaultName} from '${specifier}'`
  return formatted(`import { ${names.join(', ')} } from '${specifier}'`)
}

function guidesLine({ guides }: ApiEntry): string {
  return `See also: ${guides.map((file) => `[${titleOf(file)}](../../../${file.replace(/^docs\//, '')})`).join(', ')}.`
}

async function exportSection(index: ApiIndex, { entry, name, items, isDefault }: ApiExport): Promise<string> {
  const linkTo = linksFrom(index, entry)
  const title = `### \`${name}\`${isDefault ? ' (default export)' : ''} {#${name}}`
  const declarations = await Promise.all(
    items.map((item) => formattedDeclaration(sourceText(item).trim(), item.members !== undefined)),
  )
  const comments = new Set(items.map(({ docComment }) => docComment))
  const signature = declarations.filter((text) => text !== `interface ${name}`)
  const parts = [title, signature.length === 0 ? '' : fence(signature.join('\n\n'))]
  for (const comment of comments) parts.push(commentDetails(readDocComment(comment, linkTo)))
  for (const item of items) {
    const inherited = inheritedLinks(index, entry, item)
    if (isOptions(item) && inherited !== '') parts.push(`It also has the options of ${inherited}.`)
    if (item.kind === 'Namespace')
      parts.push(`Members: ${item.members!.map((member) => `\`${member.name}\``).join(', ')}.`)
    else if (item.members !== undefined) parts.push(await membersMarkdown(name, item.members, isOptions(item), linkTo))
  }
  return parts.filter((part) => part !== '').join('\n\n')
}

function inheritedLinks(
  index: ApiIndex,
  entry: ApiEntry,
  { extendsTokenRanges = [], excerptTokens = [] }: ApiItem,
): string {
  const tokens = extendsTokenRanges.flatMap(({ startIndex, endIndex }) => excerptTokens.slice(startIndex, endIndex))
  const targets = tokens.map((token) => index.targetOf(entry, token)).filter((target) => target !== undefined)
  return targets.map((target) => `[\`${target.name}\`](${addressOf(target, 'md')})`).join(' and ')
}

function linksFrom(index: ApiIndex, entry: ApiEntry): LinkTo {
  return (path, text = `\`${path}\``) => {
    const target = index.exportsOf(entry).find(({ name }) => name === path.split('.')[0])
    if (target === undefined) throw new Error(`${entry.specifier}: {@link ${path}} is not an export`)
    return `[${text}](${addressOf(target, 'md')}${path.includes('.') ? `-${path.split('.')[1]}` : ''})`
  }
}

function otherExport(each: ApiExport): string {
  const { summary } = readDocComment(each.items[0].docComment, (name, text = `\`${name}\``) => text)
  const [sentence] = /^.*?\.(?=\s|$)/s.exec(summary) ?? [summary]
  return `### \`${each.name}\` {#${each.name}}\n\n${sentence} See [${each.home.entry.specifier}](${addressOf(each, 'md')}).`
}

function byName(left: ApiExport, right: ApiExport): number {
  return left.name.localeCompare(right.name, 'en')
}
