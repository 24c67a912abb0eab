import {
  DocExcerpt,
  DocNodeKind,
  TSDocConfiguration,
  TSDocParser,
  TSDocTagDefinition,
  TSDocTagSyntaxKind,
  type DocBlock,
  type DocCodeSpan,
  type DocFencedCode,
  type DocLinkTag,
  type DocNode,
  type DocNodeContainer,
} from '@microsoft/tsdoc'

/** The comment of a declaration, with each part as Markdown. */
export interface DocComment {
  readonly summary: string
  readonly remarks: string
  readonly params: readonly { readonly name: string; readonly text: string }[]
  readonly returns: string
  /** The texts of other tags, by their name: `@throws`, `@example`, `@see`, `@defaultValue`, `@since`. */
  tag(name: string): readonly string[]
}

/** Returns the Markdown of a link to an export. The text is its name if the comment has no other. */
export type LinkTo = (name: string, text?: string) => string

const configuration = new TSDocConfiguration()
configuration.addTagDefinition(
  new TSDocTagDefinition({ tagName: '@since', syntaxKind: TSDocTagSyntaxKind.BlockTag, allowMultiple: false }),
)
const parser = new TSDocParser(configuration)

/** Reads a comment. Text that Markdown or Vue would interpret as HTML or a template is escaped. */
export function readDocComment(source: string, linkTo: LinkTo): DocComment {
  const { docComment } = parser.parseString(source === '' ? '/** */' : source)
  const blocks = [...docComment.customBlocks, ...docComment.seeBlocks]
  const text = (block: DocBlock | undefined): string => (block ? markdownOf(block.content, linkTo) : '')
  return {
    summary: markdownOf(docComment.summarySection, linkTo),
    remarks: text(docComment.remarksBlock),
    params: docComment.params.blocks.map((param) => ({ name: param.parameterName, text: text(param) })),
    returns: text(docComment.returnsBlock),
    tag: (name) => blocks.filter(({ blockTag }) => blockTag.tagName === name).map(text),
  }
}

function markdownOf(node: DocNode, linkTo: LinkTo): string {
  return markdown(node, linkTo)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function markdown(node: DocNode, linkTo: LinkTo): string {
  switch (node.kind as DocNodeKind) {
    case DocNodeKind.CodeSpan:
      return `\`${(node as DocCodeSpan).code}\``
    case DocNodeKind.FencedCode: {
      const { language, code } = node as DocFencedCode
      // Examples of comments are parts of programs, which do not compile.
      return `\n\`\`\`${language === 'ts' ? 'typescript' : language}\n${code}\`\`\`\n`
    }
    case DocNodeKind.LinkTag: {
      const { codeDestination, urlDestination, linkText } = node as DocLinkTag
      if (urlDestination !== undefined) return `[${linkText ?? urlDestination}](${urlDestination})`
      const path = codeDestination?.memberReferences.map(({ memberIdentifier }) => memberIdentifier?.identifier)
      return linkTo(path?.join('.') ?? '', linkText)
    }
    case DocNodeKind.Paragraph:
      return `${children(node as DocNodeContainer, linkTo)}\n\n`
    case DocNodeKind.Section:
      return children(node as DocNodeContainer, linkTo)
    case DocNodeKind.SoftBreak:
      return '\n'
    default:
      return escaped(excerptText(node))
  }
}

function children({ nodes }: DocNodeContainer, linkTo: LinkTo): string {
  return nodes.map((node) => markdown(node, linkTo)).join('')
}

/** Returns the source of a node without a rule of its own, such as plain text. */
function excerptText(node: DocNode): string {
  if (node instanceof DocExcerpt) return node.content.toString()
  return node
    .getChildNodes()
    .map((child) => excerptText(child))
    .join('')
}

function escaped(text: string): string {
  return (
    text
      .replaceAll(/\\(?=[{}@<>])/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      // Two braces would begin an expression of Vue.
      .replaceAll('{', '{<!-- -->')
  )
}
